// What is behind a barrier gets no other.
// RUN: lazymlir-opt %s --lazy-place-barriers="minimum-elements=4" > %t
// RUN: lazymlir-opt %t --lazy-place-barriers="minimum-elements=4" | diff %t -
func.func @f(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = "lazy.exp"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "lazy.dot"(%0, %w) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "lazy.tanh"(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = "lazy.erf"(%2) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = "lazy.sqrt"(%3) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = "lazy.mul"(%4, %0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>
}
