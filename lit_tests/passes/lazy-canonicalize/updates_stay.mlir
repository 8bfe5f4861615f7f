// Must not fire: another place, another size, another step, or a value that is needed elsewhere.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @another_place(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1, %arg3) {starts = array<i64: -1>}
// CHECK-NEXT: %1 = "lazy.slice"(%0, %arg4) {sizes = array<i64: 2>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: %2 = "lazy.update_slice"(%0, %arg2, %arg4) {starts = array<i64: -1>}
// CHECK-NEXT: return %1, %2
func.func @another_place(%x: tensor<5xf32>, %u: tensor<2xf32>, %v: tensor<2xf32>, %i: tensor<i64>, %j: tensor<i64>) -> (tensor<2xf32>, tensor<5xf32>) {
  %0 = "lazy.update_slice"(%x, %u, %i) {starts = array<i64: -1>} : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  %1 = "lazy.slice"(%0, %j) {starts = array<i64: -1>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<5xf32>, tensor<i64>) -> tensor<2xf32>
  %2 = "lazy.update_slice"(%0, %v, %j) {starts = array<i64: -1>} : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  return %1, %2 : tensor<2xf32>, tensor<5xf32>
}

// CHECK-LABEL: func.func @another_size(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1, %arg3) {starts = array<i64: -1>}
// CHECK-NEXT: %1 = "lazy.update_slice"(%0, %arg2, %arg3) {starts = array<i64: -1>}
// CHECK-NEXT: return %1
func.func @another_size(%x: tensor<5xf32>, %u: tensor<2xf32>, %v: tensor<1xf32>, %i: tensor<i64>) -> tensor<5xf32> {
  %0 = "lazy.update_slice"(%x, %u, %i) {starts = array<i64: -1>} : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  %1 = "lazy.update_slice"(%0, %v, %i) {starts = array<i64: -1>} : (tensor<5xf32>, tensor<1xf32>, tensor<i64>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// CHECK-LABEL: func.func @another_step(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1) {starts = array<i64: 1>}
// CHECK-NEXT: %1 = "lazy.slice"(%0) {sizes = array<i64: 2>, starts = array<i64: 1>, steps = array<i64: 2>}
// CHECK-NEXT: return %1
func.func @another_step(%x: tensor<5xf32>, %u: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "lazy.update_slice"(%x, %u) {starts = array<i64: 1>} : (tensor<5xf32>, tensor<2xf32>) -> tensor<5xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 1>, sizes = array<i64: 2>, steps = array<i64: 2>} : (tensor<5xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @needed(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1, %arg3) {starts = array<i64: -1>}
// CHECK-NEXT: %1 = "lazy.update_slice"(%0, %arg2, %arg3) {starts = array<i64: -1>}
// CHECK-NEXT: return %0, %1
func.func @needed(%x: tensor<5xf32>, %u: tensor<2xf32>, %v: tensor<2xf32>, %i: tensor<i64>) -> (tensor<5xf32>, tensor<5xf32>) {
  %0 = "lazy.update_slice"(%x, %u, %i) {starts = array<i64: -1>} : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  %1 = "lazy.update_slice"(%0, %v, %i) {starts = array<i64: -1>} : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  return %0, %1 : tensor<5xf32>, tensor<5xf32>
}
