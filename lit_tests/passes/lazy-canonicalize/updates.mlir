// Updates of everything and of nothing, an update that a later one covers, and the read of what was just written.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @all_or_nothing(
// CHECK-NEXT: return %arg1, %arg0
func.func @all_or_nothing(%x: tensor<5xf32>, %u: tensor<5xf32>, %n: tensor<0xf32>, %i: tensor<i64>) -> (tensor<5xf32>, tensor<5xf32>) {
  %0 = "lazy.update_slice"(%x, %u, %i) {starts = array<i64: -1>} : (tensor<5xf32>, tensor<5xf32>, tensor<i64>) -> tensor<5xf32>
  %1 = "lazy.update_slice"(%x, %n) {starts = array<i64: 2>} : (tensor<5xf32>, tensor<0xf32>) -> tensor<5xf32>
  return %0, %1 : tensor<5xf32>, tensor<5xf32>
}

// CHECK-LABEL: func.func @covered(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg2, %arg3) {starts = array<i64: -1>}
// CHECK-NEXT: return %0
func.func @covered(%x: tensor<5xf32>, %u: tensor<2xf32>, %v: tensor<2xf32>, %i: tensor<i64>) -> tensor<5xf32> {
  %0 = "lazy.update_slice"(%x, %u, %i) {starts = array<i64: -1>} : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  %1 = "lazy.update_slice"(%0, %v, %i) {starts = array<i64: -1>} : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// CHECK-LABEL: func.func @read(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1, %arg2) {starts = array<i64: -1>}
// CHECK-NEXT: return %0, %arg1
func.func @read(%x: tensor<5xf32>, %u: tensor<2xf32>, %i: tensor<i64>) -> (tensor<5xf32>, tensor<2xf32>) {
  %0 = "lazy.update_slice"(%x, %u, %i) {starts = array<i64: -1>} : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  %1 = "lazy.slice"(%0, %i) {starts = array<i64: -1>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<5xf32>, tensor<i64>) -> tensor<2xf32>
  return %0, %1 : tensor<5xf32>, tensor<2xf32>
}
