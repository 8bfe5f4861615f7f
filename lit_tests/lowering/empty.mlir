// Where there are no elements there is nothing to compute.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @empty
// CHECK-NOT: stablehlo.reduce_window
// CHECK-NOT: stablehlo.gather
// CHECK: return %arg0
func.func @empty(%x: tensor<0x3xf32>, %y: tensor<4x0xf32>, %i: tensor<4x0xi64>, %s: tensor<i64>, %z: tensor<4xf32>) -> (tensor<0x3xf32>, tensor<4x0xf32>, tensor<0x2xf32>) {
  %0 = "lazy.cumsum"(%x) {dim = 0 : i64} : (tensor<0x3xf32>) -> tensor<0x3xf32>
  %1 = "lazy.gather"(%y, %i) {dim = 1 : i64} : (tensor<4x0xf32>, tensor<4x0xi64>) -> tensor<4x0xf32>
  %2 = "lazy.strided"(%z, %s) {sizes = array<i64: 0, 2>, strides = array<i64: 2, 1>} : (tensor<4xf32>, tensor<i64>) -> tensor<0x2xf32>
  return %0, %1, %2 : tensor<0x3xf32>, tensor<4x0xf32>, tensor<0x2xf32>
}
