// Must not fire: only writes through views are expanded.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.permute"(%arg0) {dims = array<i64: 1, 0>}
// CHECK-NEXT: %1 = "lazy.update_slice"(%arg0, %arg1, %arg2) {starts = array<i64: -1, 0>}
// CHECK-NEXT: %2 = "lazy.slice"(%1, %arg2) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: return %0, %2
func.func @f(%x: tensor<3x4xf32>, %u: tensor<1x4xf32>, %i: tensor<i64>) -> (tensor<4x3xf32>, tensor<1x4xf32>) {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %1 = "lazy.update_slice"(%x, %u, %i) {starts = array<i64: -1, 0>} : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %2 = "lazy.slice"(%1, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  return %0, %2 : tensor<4x3xf32>, tensor<1x4xf32>
}
