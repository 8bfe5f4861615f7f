// What is a call already stays.
// RUN: lazymlir-opt %s --lazy-call-library="minimum-contraction=1 minimum-convolution=1" > %t
// RUN: lazymlir-opt %t --lazy-call-library="minimum-contraction=1 minimum-convolution=1" | diff %t -
func.func @f(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = "lazy.permute"(%w) {dims = array<i64: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = "lazy.dot"(%x, %0) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
