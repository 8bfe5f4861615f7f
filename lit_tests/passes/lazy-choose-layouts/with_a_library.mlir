// Where a library computes one of the convolutions, the other's order goes no farther.
// RUN: lazymlir-opt %s --lazy-call-library="minimum-convolution=100" --lazy-choose-layouts | filecheck %s

// CHECK: "lazy.convolution"
// CHECK-NEXT: "lazy.tanh"
// CHECK-NEXT: stablehlo.custom_call @lazymlir_convolution
// CHECK-NEXT: return
func.func @f(%x: tensor<1x1x4x4xf32>, %v: tensor<2x1x1x1xf32>, %w: tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32> {
  %0 = "lazy.convolution"(%x, %v) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, batch_groups = 1 : i64, groups_count = 1 : i64} : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = "lazy.tanh"(%0) : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = "lazy.convolution"(%1, %w) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, batch_groups = 1 : i64, groups_count = 1 : i64} : (tensor<1x2x4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32>
  return %2 : tensor<1x2x3x3xf32>
}
