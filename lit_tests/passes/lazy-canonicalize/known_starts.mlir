// A start that is a constant becomes part of the operation.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg1) {sizes = array<i64: 2, 2>, starts = array<i64: -1, 2>, steps = array<i64: 1, 1>}
// CHECK-NEXT: return %0
func.func @slice(%x: tensor<5x6xf32>, %i: tensor<i64>) -> tensor<2x2xf32> {
  %c = "lazy.constant"() {value = 2 : i64} : () -> tensor<i64>
  %0 = "lazy.slice"(%x, %i, %c) {starts = array<i64: -1, -1>, sizes = array<i64: 2, 2>, steps = array<i64: 1, 1>} : (tensor<5x6xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @update(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1, %arg2) {starts = array<i64: 2, -1>}
// CHECK-NEXT: return %0
func.func @update(%x: tensor<5x6xf32>, %u: tensor<2x2xf32>, %i: tensor<i64>) -> tensor<5x6xf32> {
  %c = "lazy.constant"() {value = 2 : i64} : () -> tensor<i64>
  %0 = "lazy.update_slice"(%x, %u, %c, %i) {starts = array<i64: -1, -1>} : (tensor<5x6xf32>, tensor<2x2xf32>, tensor<i64>, tensor<i64>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

// CHECK-LABEL: func.func @only_one_place(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1, %arg3) {starts = array<i64: 0, -1>}
// CHECK-NEXT: %1 = "lazy.slice"(%arg0, %arg3) {sizes = array<i64: 3, 1>, starts = array<i64: 0, -1>, steps = array<i64: 2, 1>}
// CHECK-NEXT: return %0, %1
func.func @only_one_place(%x: tensor<5x6xf32>, %u: tensor<5x2xf32>, %i: tensor<i64>, %j: tensor<i64>) -> (tensor<5x6xf32>, tensor<3x1xf32>) {
  %0 = "lazy.update_slice"(%x, %u, %i, %j) {starts = array<i64: -1, -1>} : (tensor<5x6xf32>, tensor<5x2xf32>, tensor<i64>, tensor<i64>) -> tensor<5x6xf32>
  %1 = "lazy.slice"(%x, %i, %j) {starts = array<i64: -1, -1>, sizes = array<i64: 3, 1>, steps = array<i64: 2, 1>} : (tensor<5x6xf32>, tensor<i64>, tensor<i64>) -> tensor<3x1xf32>
  return %0, %1 : tensor<5x6xf32>, tensor<3x1xf32>
}

// CHECK-LABEL: func.func @out_of_range_stays(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 4 : i64}
// CHECK-NEXT: %1 = "lazy.slice"(%arg0, %0) {sizes = array<i64: 2>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: return %1
func.func @out_of_range_stays(%x: tensor<5xf32>) -> tensor<2xf32> {
  %c = "lazy.constant"() {value = 4 : i64} : () -> tensor<i64>
  %0 = "lazy.slice"(%x, %c) {starts = array<i64: -1>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<5xf32>, tensor<i64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
