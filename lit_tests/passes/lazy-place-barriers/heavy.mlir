// What a contraction reads through views is kept where it was made; what only few operations make is left to XLA.
// RUN: lazymlir-opt %s --lazy-place-barriers=minimum-elements=16 | filecheck %s

// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: %[[EXP:.*]] = "lazy.exp"(%arg0)
// CHECK-NEXT: %[[KEPT:.*]] = "lazy.optimization_barrier"(%[[EXP]]) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %[[TURNED:.*]] = "lazy.permute"(%[[KEPT]])
// CHECK-NEXT: %[[FLAT:.*]] = "lazy.reshape"(%[[TURNED]])
// CHECK-NEXT: "lazy.dot"(%[[FLAT]], %arg1)
func.func @chain(%x: tensor<4x4xf32>, %w: tensor<16x4xf32>) -> tensor<4xf32> {
  %0 = "lazy.exp"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "lazy.reshape"(%1) {shape = array<i64: 16>} : (tensor<4x4xf32>) -> tensor<16xf32>
  %3 = "lazy.dot"(%2, %w) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<16xf32>, tensor<16x4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: func.func @short(
// CHECK-NOT: lazy.optimization_barrier
func.func @short(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "lazy.add"(%x, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "lazy.dot"(%0, %w) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @convolution(
// CHECK-NEXT: %[[TANH:.*]] = "lazy.tanh"(%arg0)
// CHECK-NEXT: %[[KEPT:.*]] = "lazy.optimization_barrier"(%[[TANH]])
// CHECK-NEXT: "lazy.convolution"(%[[KEPT]], %arg1)
func.func @convolution(%x: tensor<1x2x8xf32>, %w: tensor<2x2x1xf32>) -> tensor<1x2x8xf32> {
  %0 = "lazy.tanh"(%x) : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %1 = "lazy.convolution"(%0, %w) {strides = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, x_dilation = array<i64: 1>, weight_dilation = array<i64: 1>, groups_count = 1 : i64, batch_groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<2x2x1xf32>) -> tensor<1x2x8xf32>
  return %1 : tensor<1x2x8xf32>
}
