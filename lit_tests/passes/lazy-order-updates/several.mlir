// Of several reads only those that no other needs are waited for, and each that the update makes waits.
// RUN: lazymlir-opt %s --lazy-order-updates=minimum-bytes=1 | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %[[FIRST:.*]] = "lazy.sin"(%arg0)
// CHECK-NEXT: %[[SECOND:.*]] = "lazy.mul"(%[[FIRST]], %arg0)
// CHECK-NEXT: %[[OTHER:.*]] = "lazy.cos"(%arg0)
// CHECK-NEXT: %[[A:.*]] = "lazy.after"(%arg0, %[[SECOND]])
// CHECK-NEXT: %[[B:.*]] = "lazy.after"(%[[A]], %[[OTHER]])
// CHECK-NEXT: %[[TWICE:.*]] = "lazy.add"(%[[B]], %[[B]])
// CHECK-NEXT: %[[NEW:.*]] = "lazy.sub"(%[[TWICE]], %[[B]])
// CHECK-NEXT: return %[[NEW]], %[[SECOND]], %[[OTHER]]
func.func @f(%w: tensor<4xf32> {lazy.dies, lazy.donated = 0 : i64}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.sin"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.mul"(%0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "lazy.cos"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "lazy.add"(%w, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = "lazy.sub"(%3, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
