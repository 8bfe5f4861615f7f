// Without a convolution, or where nothing follows one that goes either way, nothing changes.
// RUN: lazymlir-opt %s --lazy-choose-layouts | filecheck %s
// CHECK-NOT: lazy.permute

func.func @none(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = "lazy.tanh"(%x) : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

func.func @returned(%x: tensor<2x3x4x5xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<2x60xf32> {
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, groups_count = 1 : i64, batch_groups = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %1 = "lazy.reshape"(%0) {shape = array<i64: 2, 60>} : (tensor<2x3x4x5xf32>) -> tensor<2x60xf32>
  return %1 : tensor<2x60xf32>
}
