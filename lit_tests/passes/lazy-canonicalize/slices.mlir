// A slice of a slice is one slice where its starts are known, or only one of the two moves.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @static(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0) {sizes = array<i64: 3>, starts = array<i64: 5>, steps = array<i64: 4>}
// CHECK-NEXT: return %0
func.func @static(%x: tensor<20xf32>) -> tensor<3xf32> {
  %0 = "lazy.slice"(%x) {starts = array<i64: 3>, sizes = array<i64: 8>, steps = array<i64: 2>} : (tensor<20xf32>) -> tensor<8xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 1>, sizes = array<i64: 3>, steps = array<i64: 2>} : (tensor<8xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @inner_starts_at_zero(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg1) {sizes = array<i64: 3>, starts = array<i64: -1>, steps = array<i64: 4>}
// CHECK-NEXT: return %0
func.func @inner_starts_at_zero(%x: tensor<20xf32>, %i: tensor<i64>) -> tensor<3xf32> {
  %0 = "lazy.slice"(%x, %i) {starts = array<i64: -1>, sizes = array<i64: 8>, steps = array<i64: 2>} : (tensor<20xf32>, tensor<i64>) -> tensor<8xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 0>, sizes = array<i64: 3>, steps = array<i64: 2>} : (tensor<8xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @one_moves_in_each_dimension(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg1, %arg2) {sizes = array<i64: 1, 2>, starts = array<i64: -1, -1>, steps = array<i64: 1, 1>}
// CHECK-NEXT: return %0
func.func @one_moves_in_each_dimension(%x: tensor<5x6xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<1x2xf32> {
  %0 = "lazy.slice"(%x, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 6>, steps = array<i64: 1, 1>} : (tensor<5x6xf32>, tensor<i64>) -> tensor<1x6xf32>
  %1 = "lazy.slice"(%0, %j) {starts = array<i64: 0, -1>, sizes = array<i64: 1, 2>, steps = array<i64: 1, 1>} : (tensor<1x6xf32>, tensor<i64>) -> tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @whole(
// CHECK-NEXT: return %arg0
func.func @whole(%x: tensor<5xf32>, %i: tensor<i64>) -> tensor<5xf32> {
  %0 = "lazy.slice"(%x, %i) {starts = array<i64: -1>, sizes = array<i64: 5>, steps = array<i64: 1>} : (tensor<5xf32>, tensor<i64>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
