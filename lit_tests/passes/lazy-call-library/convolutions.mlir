// The dialect's one correlation is one of torch's three: a convolution, the gradient of its input, that of its weight.
// RUN: lazymlir-opt %s --lazy-call-library="minimum-contraction=1 minimum-convolution=1" | filecheck %s

// type, which gradient, rank, groups; offset, sizes and strides of input, weight and result; stride, padding, dilation, zeros
// CHECK-LABEL: func.func @forward(
// CHECK: stablehlo.custom_call @lazymlir_convolution(%arg0, %arg1)
// CHECK-SAME: 6, 0, 4, 1, 0, 2, 3, 8, 8, 192, 64, 8, 1, 0, 5, 3, 3, 3, 27, 9, 3, 1, 0, 2, 5, 4, 4, 80, 16, 4, 1, 2, 2, 1, 1, 1, 1, 0, 0>
func.func @forward(%x: tensor<2x3x8x8xf32>, %w: tensor<5x3x3x3xf32>) -> tensor<2x5x4x4xf32> {
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 2, 2>, low = array<i64: 1, 1>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, batch_groups = 1 : i64, groups_count = 1 : i64} : (tensor<2x3x8x8xf32>, tensor<5x3x3x3xf32>) -> tensor<2x5x4x4xf32>
  return %0 : tensor<2x5x4x4xf32>
}

// CHECK-LABEL: func.func @channels_last(
// CHECK: stablehlo.custom_call @lazymlir_convolution(%arg0, %arg1)
// CHECK-SAME: 6, 0, 4, 1, 0, 2, 3, 8, 8, 192, 1, 24, 3, 0, 5, 3, 1, 1, 3, 1, 1, 1, 0, 2, 5, 8, 8, 320, 1, 40, 5,
// CHECK-SAME: -> tensor<2x8x8x5xf32>
func.func @channels_last(%x: tensor<2x8x8x3xf32>, %w: tensor<5x3x1x1xf32>) -> tensor<2x8x8x5xf32> {
  %0 = "lazy.permute"(%x) {dims = array<i64: 0, 3, 1, 2>} : (tensor<2x8x8x3xf32>) -> tensor<2x3x8x8xf32>
  %1 = "lazy.convolution"(%0, %w) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, batch_groups = 1 : i64, groups_count = 1 : i64} : (tensor<2x3x8x8xf32>, tensor<5x3x1x1xf32>) -> tensor<2x5x8x8xf32>
  %2 = "lazy.permute"(%1) {dims = array<i64: 0, 2, 3, 1>} : (tensor<2x5x8x8xf32>) -> tensor<2x8x8x5xf32>
  return %2 : tensor<2x8x8x5xf32>
}

// The gradient is dilated by the stride, the weight has its channels exchanged and is mirrored: of gradient, input and weight.
// CHECK-LABEL: func.func @input_gradient(
// CHECK: stablehlo.custom_call @lazymlir_convolution_gradient(%arg0, %arg1)
// CHECK-SAME: 6, 0, 4, 1, 0, 2, 5, 4, 4, 80, 16, 4, 1, 0, 2, 3, 8, 8, 192, 64, 8, 1, 0, 5, 3, 3, 3, 27, 9, 3, 1, 2, 2, 1, 1, 1, 1, 0, 0>
func.func @input_gradient(%g: tensor<2x5x4x4xf32>, %w: tensor<5x3x3x3xf32>) -> tensor<2x3x8x8xf32> {
  %0 = "lazy.permute"(%w) {dims = array<i64: 1, 0, 2, 3>} : (tensor<5x3x3x3xf32>) -> tensor<3x5x3x3xf32>
  %1 = "lazy.flip"(%0) {dims = array<i64: 2, 3>} : (tensor<3x5x3x3xf32>) -> tensor<3x5x3x3xf32>
  %2 = "lazy.convolution"(%g, %1) {strides = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 2, 2>, x_dilation = array<i64: 2, 2>, weight_dilation = array<i64: 1, 1>, batch_groups = 1 : i64, groups_count = 1 : i64} : (tensor<2x5x4x4xf32>, tensor<3x5x3x3xf32>) -> tensor<2x3x8x8xf32>
  return %2 : tensor<2x3x8x8xf32>
}

// Batch and channels are exchanged in both operands, and in the result.
// CHECK-LABEL: func.func @weight_gradient(
// CHECK: stablehlo.custom_call @lazymlir_convolution_gradient(%arg1, %arg0)
// CHECK-SAME: 6, 1, 4, 1, 0, 2, 5, 4, 4, 80, 16, 4, 1, 0, 2, 3, 8, 8, 192, 64, 8, 1, 0, 5, 3, 3, 3, 27, 9, 3, 1, 2, 2, 1, 1, 1, 1, 0, 0>
// CHECK-SAME: -> tensor<5x3x3x3xf32>
func.func @weight_gradient(%x: tensor<2x3x8x8xf32>, %g: tensor<2x5x4x4xf32>) -> tensor<5x3x3x3xf32> {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0, 2, 3>} : (tensor<2x3x8x8xf32>) -> tensor<3x2x8x8xf32>
  %1 = "lazy.permute"(%g) {dims = array<i64: 1, 0, 2, 3>} : (tensor<2x5x4x4xf32>) -> tensor<5x2x4x4xf32>
  %2 = "lazy.convolution"(%0, %1) {strides = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 2, 2>, batch_groups = 1 : i64, groups_count = 1 : i64} : (tensor<3x2x8x8xf32>, tensor<5x2x4x4xf32>) -> tensor<3x5x3x3xf32>
  %3 = "lazy.permute"(%2) {dims = array<i64: 1, 0, 2, 3>} : (tensor<3x5x3x3xf32>) -> tensor<5x3x3x3xf32>
  return %3 : tensor<5x3x3x3xf32>
}
