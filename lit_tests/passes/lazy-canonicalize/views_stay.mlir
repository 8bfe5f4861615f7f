// Must not fire: views that are no single view.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @flatten_of_permute(
// CHECK-NEXT: %0 = "lazy.permute"(%arg0) {dims = array<i64: 1, 0>}
// CHECK-NEXT: %1 = "lazy.reshape"(%0) {shape = array<i64: 6>}
// CHECK-NEXT: return %1
func.func @flatten_of_permute(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "lazy.reshape"(%0) {shape = array<i64: 6>} : (tensor<3x2xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// CHECK-LABEL: func.func @slice_of_permute(
// CHECK-NEXT: %0 = "lazy.permute"(%arg0) {dims = array<i64: 1, 0>}
// CHECK-NEXT: %1 = "lazy.slice"(%0) {sizes = array<i64: 2, 2>, starts = array<i64: 0, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: return %1
func.func @slice_of_permute(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 0, 0>, sizes = array<i64: 2, 2>, steps = array<i64: 1, 1>} : (tensor<3x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @reshape_of_expand(
// CHECK-NEXT: %0 = "lazy.expand"(%arg0) {shape = array<i64: 3, 4>}
// CHECK-NEXT: %1 = "lazy.reshape"(%0) {shape = array<i64: 12>}
// CHECK-NEXT: return %1
func.func @reshape_of_expand(%x: tensor<1x4xf32>) -> tensor<12xf32> {
  %0 = "lazy.expand"(%x) {shape = array<i64: 3, 4>} : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %1 = "lazy.reshape"(%0) {shape = array<i64: 12>} : (tensor<3x4xf32>) -> tensor<12xf32>
  return %1 : tensor<12xf32>
}

// CHECK-LABEL: func.func @expand_of_split(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg0) {shape = array<i64: 4, 1>}
// CHECK-NEXT: %1 = "lazy.expand"(%0) {shape = array<i64: 4, 4>}
// CHECK-NEXT: return %1
func.func @expand_of_split(%x: tensor<4xf32>) -> tensor<4x4xf32> {
  %0 = "lazy.reshape"(%x) {shape = array<i64: 4, 1>} : (tensor<4xf32>) -> tensor<4x1xf32>
  %1 = "lazy.expand"(%0) {shape = array<i64: 4, 4>} : (tensor<4x1xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
