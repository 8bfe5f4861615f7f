// What is in channels-last order already stays.
// RUN: lazymlir-opt %s --lazy-choose-layouts > %t
// RUN: lazymlir-opt %t --lazy-choose-layouts | diff %t -
func.func @f(%x: tensor<2x3x4x5xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32> {
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, groups_count = 1 : i64, batch_groups = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %1 = "lazy.tanh"(%0) : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %1 : tensor<2x3x4x5xf32>
}
