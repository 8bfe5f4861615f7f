// What several operations read is kept if it takes many operations, counted from the last value that is kept; a result is a reader.
// RUN: lazymlir-opt %s --lazy-place-barriers="minimum-elements=4 shared-work=16" | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %[[EXP:.*]] = "lazy.exp"(%arg0)
// CHECK-NEXT: %[[LOG:.*]] = "lazy.log"(%[[EXP]])
// CHECK-NEXT: %[[KEPT:.*]] = "lazy.optimization_barrier"(%[[LOG]])
// CHECK-NEXT: %[[SIN:.*]] = "lazy.sin"(%[[KEPT]])
// CHECK-NEXT: %[[SUM:.*]] = "lazy.add"(%[[SIN]], %[[KEPT]])
// CHECK-NEXT: %[[COS:.*]] = "lazy.cos"(%[[SUM]])
// CHECK-NEXT: %[[AGAIN:.*]] = "lazy.optimization_barrier"(%[[COS]])
// CHECK-NEXT: %[[LAST:.*]] = "lazy.neg"(%[[AGAIN]])
// CHECK-NEXT: return %[[LAST]], %[[AGAIN]]
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.log"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "lazy.sin"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "lazy.add"(%2, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = "lazy.cos"(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = "lazy.neg"(%4) : (tensor<4xf32>) -> tensor<4xf32>
  return %5, %4 : tensor<4xf32>, tensor<4xf32>
}
