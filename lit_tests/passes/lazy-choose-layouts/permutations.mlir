// A permutation of what is there in channels-last order is one of that; a convolution that only permutations read is left.
// RUN: lazymlir-opt %s --lazy-choose-layouts | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK: %[[TANH:.*]] = "lazy.tanh"(%{{.*}}) : (tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
// CHECK: %[[SWAPPED:.*]] = "lazy.permute"(%[[TANH]]) {dims = array<i64: 3, 0, 1, 2>} : (tensor<2x4x5x3xf32>) -> tensor<3x2x4x5xf32>
// CHECK-NEXT: %[[GRADIENT:.*]] = "lazy.convolution"(%[[SWAPPED]], %[[SWAPPED]])
// CHECK-NEXT: %[[TURNED:.*]] = "lazy.permute"(%[[GRADIENT]]) {dims = array<i64: 1, 0, 2, 3>}
// CHECK-NEXT: return %[[TURNED]]
func.func @f(%x: tensor<2x3x4x5xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<3x3x1x1xf32> {
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, groups_count = 1 : i64, batch_groups = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %1 = "lazy.tanh"(%0) : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %2 = "lazy.permute"(%1) {dims = array<i64: 1, 0, 2, 3>} : (tensor<2x3x4x5xf32>) -> tensor<3x2x4x5xf32>
  %3 = "lazy.convolution"(%2, %2) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, groups_count = 1 : i64, batch_groups = 1 : i64} : (tensor<3x2x4x5xf32>, tensor<3x2x4x5xf32>) -> tensor<3x3x1x1xf32>
  %4 = "lazy.permute"(%3) {dims = array<i64: 1, 0, 2, 3>} : (tensor<3x3x1x1xf32>) -> tensor<3x3x1x1xf32>
  return %4 : tensor<3x3x1x1xf32>
}
