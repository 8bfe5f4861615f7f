// The update waits for the read that it does not need, through a view too; the read that it needs is left.
// RUN: lazymlir-opt %s --lazy-order-updates=minimum-bytes=1 | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %[[FORWARD:.*]] = "lazy.dot"(%arg1, %arg0)
// CHECK-NEXT: %[[TURNED:.*]] = "lazy.permute"(%arg0)
// CHECK-NEXT: %[[BACKWARD:.*]] = "lazy.dot"(%[[FORWARD]], %[[TURNED]])
// CHECK-NEXT: %[[FREE:.*]] = "lazy.after"(%arg0, %[[BACKWARD]]) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %[[NEW:.*]] = "lazy.sub"(%[[FREE]], %[[FORWARD]])
// CHECK-NEXT: return %[[NEW]], %[[BACKWARD]]
func.func @f(%w: tensor<4x4xf32> {lazy.dies, lazy.donated = 0 : i64}, %x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = "lazy.dot"(%x, %w) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "lazy.permute"(%w) {dims = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "lazy.dot"(%0, %1) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = "lazy.sub"(%w, %0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}
