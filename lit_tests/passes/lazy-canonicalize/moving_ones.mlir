// A permutation that moves dimensions of size 1 only, and an expansion that repeats nothing, are reshapes.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @permute(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg0) {shape = array<i64: 4, 1, 5, 1>}
// CHECK-NEXT: return %0
func.func @permute(%x: tensor<1x4x1x5xf32>) -> tensor<4x1x5x1xf32> {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0, 3, 2>} : (tensor<1x4x1x5xf32>) -> tensor<4x1x5x1xf32>
  return %0 : tensor<4x1x5x1xf32>
}

// CHECK-LABEL: func.func @expand(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg0) {shape = array<i64: 2, 2>}
// CHECK-NEXT: return %0
func.func @expand(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %0 = "lazy.expand"(%x) {shape = array<i64: 1, 1, 4>} : (tensor<4xf32>) -> tensor<1x1x4xf32>
  %1 = "lazy.reshape"(%0) {shape = array<i64: 2, 2>} : (tensor<1x1x4xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
