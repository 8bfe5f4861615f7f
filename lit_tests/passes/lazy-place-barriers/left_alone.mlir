// Small tensors, a single reader that reads twice, and what is no pointwise operation's.
// RUN: lazymlir-opt %s --lazy-place-barriers="minimum-elements=8 heavy-work=1 shared-work=1" | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NOT: lazy.optimization_barrier
func.func @f(%x: tensor<4xf32>, %y: tensor<2x8xf32>) -> (tensor<4xf32>, tensor<2x8xf32>, tensor<8xf32>) {
  %0 = "lazy.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.add"(%0, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "lazy.mul"(%1, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "lazy.exp"(%y) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %4 = "lazy.mul"(%3, %3) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %5 = "lazy.sum"(%4) {dims = array<i64: 0>} : (tensor<2x8xf32>) -> tensor<8xf32>
  %6 = "lazy.expand"(%5) {shape = array<i64: 2, 8>} : (tensor<8xf32>) -> tensor<2x8xf32>
  return %2, %6, %5 : tensor<4xf32>, tensor<2x8xf32>, tensor<8xf32>
}
