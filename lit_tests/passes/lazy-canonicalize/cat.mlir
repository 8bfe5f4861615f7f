// Joining one part, or parts without elements, and a slice that falls into one part.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @one(
// CHECK-NEXT: return %arg0
func.func @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.cat"(%x) {dim = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @nothing_in_it(
// CHECK-NEXT: return %arg0
func.func @nothing_in_it(%x: tensor<2x0xf32>, %y: tensor<2x0xf32>) -> tensor<2x0xf32> {
  %0 = "lazy.cat"(%x, %y) {dim = 1 : i64} : (tensor<2x0xf32>, tensor<2x0xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// CHECK-LABEL: func.func @some_are_empty(
// CHECK-NEXT: %0 = "lazy.cat"(%arg2, %arg2) {dim = 0 : i64}
// CHECK-NEXT: return %arg0, %0
func.func @some_are_empty(%x: tensor<4xf32>, %e: tensor<0xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.cat"(%x, %e, %e) {dim = 0 : i64} : (tensor<4xf32>, tensor<0xf32>, tensor<0xf32>) -> tensor<4xf32>
  %1 = "lazy.cat"(%e, %y, %y) {dim = 0 : i64} : (tensor<0xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @slice_of_several(
// CHECK-NEXT: %0 = "lazy.slice"(%arg1) {sizes = array<i64: 3>, starts = array<i64: 1>, steps = array<i64: 1>}
// CHECK-NEXT: return %0
func.func @slice_of_several(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<3xf32> {
  %0 = "lazy.cat"(%x, %y, %y) {dim = 0 : i64} : (tensor<4xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<14xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 10>, sizes = array<i64: 3>, steps = array<i64: 1>} : (tensor<14xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0) {sizes = array<i64: 2>, starts = array<i64: 1>, steps = array<i64: 2>}
// CHECK-NEXT: return %arg1, %0
func.func @slice(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  %0 = "lazy.cat"(%x, %y) {dim = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 4>, sizes = array<i64: 4>, steps = array<i64: 1>} : (tensor<8xf32>) -> tensor<4xf32>
  %2 = "lazy.slice"(%0) {starts = array<i64: 1>, sizes = array<i64: 2>, steps = array<i64: 2>} : (tensor<8xf32>) -> tensor<2xf32>
  return %1, %2 : tensor<4xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @across_or_moving_stays(
// CHECK-NEXT: %0 = "lazy.cat"(%arg0, %arg1) {dim = 0 : i64}
// CHECK-NEXT: %1 = "lazy.slice"(%0) {sizes = array<i64: 2>, starts = array<i64: 3>, steps = array<i64: 1>}
// CHECK-NEXT: %2 = "lazy.slice"(%0, %arg2) {sizes = array<i64: 2>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: return %1, %2
func.func @across_or_moving_stays(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i64>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = "lazy.cat"(%x, %y) {dim = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 3>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<8xf32>) -> tensor<2xf32>
  %2 = "lazy.slice"(%0, %i) {starts = array<i64: -1>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<8xf32>, tensor<i64>) -> tensor<2xf32>
  return %1, %2 : tensor<2xf32>, tensor<2xf32>
}
