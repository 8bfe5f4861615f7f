// Permutations of what a convolution reads and gives are part of its dimension numbers.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo --canonicalize | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK: stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[i, o, 0, 1]->[b, 0, 1, f]
func.func @f(%x: tensor<2x4x5x3xf32>, %w: tensor<3x6x1x1xf32>) -> tensor<2x4x5x6xf32> {
  %0 = "lazy.permute"(%x) {dims = array<i64: 0, 3, 1, 2>} : (tensor<2x4x5x3xf32>) -> tensor<2x3x4x5xf32>
  %1 = "lazy.permute"(%w) {dims = array<i64: 1, 0, 2, 3>} : (tensor<3x6x1x1xf32>) -> tensor<6x3x1x1xf32>
  %2 = "lazy.convolution"(%0, %1) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, groups_count = 1 : i64, batch_groups = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<6x3x1x1xf32>) -> tensor<2x6x4x5xf32>
  %3 = "lazy.permute"(%2) {dims = array<i64: 0, 2, 3, 1>} : (tensor<2x6x4x5xf32>) -> tensor<2x4x5x6xf32>
  return %3 : tensor<2x4x5x6xf32>
}
