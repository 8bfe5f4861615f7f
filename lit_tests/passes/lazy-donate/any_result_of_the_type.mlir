// What is left goes to any result of its type, in order, each once.
// RUN: lazymlir-opt %s --lazy-donate | filecheck %s

// CHECK-LABEL: func.func @f(%arg0: tensor<2x4xf32> {lazy.dies, lazy.donated = 0 : i64}, %arg1: tensor<2x4xf32> {lazy.dies, lazy.donated = 2 : i64}, %arg2: tensor<2x4xf32> {lazy.dies}, %arg3: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<f32>, tensor<2x4xf32>)
// CHECK-NEXT: %0 = "lazy.expand"(%arg3) {shape = array<i64: 2, 4>}
// CHECK-NEXT: %1 = "lazy.sum"(%arg3) {dims = array<i64: 0>}
// CHECK-NEXT: %2 = "lazy.expand"(%1) {shape = array<i64: 2, 4>}
// CHECK-NEXT: return %0, %1, %2
func.func @f(%x: tensor<2x4xf32> {lazy.dies}, %y: tensor<2x4xf32> {lazy.dies}, %z: tensor<2x4xf32> {lazy.dies}, %v: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<f32>, tensor<2x4xf32>) {
  %0 = "lazy.expand"(%v) {shape = array<i64: 2, 4>} : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = "lazy.sum"(%v) {dims = array<i64: 0>} : (tensor<4xf32>) -> tensor<f32>
  %2 = "lazy.expand"(%1) {shape = array<i64: 2, 4>} : (tensor<f32>) -> tensor<2x4xf32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<f32>, tensor<2x4xf32>
}
