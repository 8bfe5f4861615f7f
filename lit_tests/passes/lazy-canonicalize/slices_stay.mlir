// Must not fire: the start of the whole would have to be computed.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @both_move(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg1) {sizes = array<i64: 8>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: %1 = "lazy.slice"(%0, %arg2) {sizes = array<i64: 3>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: return %1
func.func @both_move(%x: tensor<20xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<3xf32> {
  %0 = "lazy.slice"(%x, %i) {starts = array<i64: -1>, sizes = array<i64: 8>, steps = array<i64: 1>} : (tensor<20xf32>, tensor<i64>) -> tensor<8xf32>
  %1 = "lazy.slice"(%0, %j) {starts = array<i64: -1>, sizes = array<i64: 3>, steps = array<i64: 1>} : (tensor<8xf32>, tensor<i64>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @moves_by_steps(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0) {sizes = array<i64: 8>, starts = array<i64: 0>, steps = array<i64: 2>}
// CHECK-NEXT: %1 = "lazy.slice"(%0, %arg1) {sizes = array<i64: 3>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: return %1
func.func @moves_by_steps(%x: tensor<20xf32>, %i: tensor<i64>) -> tensor<3xf32> {
  %0 = "lazy.slice"(%x) {starts = array<i64: 0>, sizes = array<i64: 8>, steps = array<i64: 2>} : (tensor<20xf32>) -> tensor<8xf32>
  %1 = "lazy.slice"(%0, %i) {starts = array<i64: -1>, sizes = array<i64: 3>, steps = array<i64: 1>} : (tensor<8xf32>, tensor<i64>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
