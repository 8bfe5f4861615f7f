// A read of elements that a write does not touch passes it by; the write goes if nothing else needs it.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @other_rows(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0) {sizes = array<i64: 3, 4>, starts = array<i64: 3, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: return %0
func.func @other_rows(%x: tensor<8x4xf32>, %u: tensor<2x4xf32>) -> tensor<3x4xf32> {
  %c = "lazy.constant"() {value = 1 : i64} : () -> tensor<i64>
  %0 = "lazy.write_view"(%x, %u, %c) {chain = [#lazy.view<"slice", [array<i64: 2, 4>, array<i64: 1, 1>]>]} : (tensor<8x4xf32>, tensor<2x4xf32>, tensor<i64>) -> tensor<8x4xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 3, 0>, sizes = array<i64: 3, 4>, steps = array<i64: 1, 1>} : (tensor<8x4xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @other_columns_turned(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0) {sizes = array<i64: 4, 4>, starts = array<i64: 0, 0>, steps = array<i64: 1, 2>}
// CHECK-NEXT: %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0>}
// CHECK-NEXT: return %1
func.func @other_columns_turned(%x: tensor<4x8xf32>, %u: tensor<4x3xf32>) -> tensor<4x4xf32> {
  %c = "lazy.constant"() {value = 1 : i64} : () -> tensor<i64>
  %0 = "lazy.write_view"(%x, %u, %c) {chain = [#lazy.view<"slice", [array<i64: 4, 3>, array<i64: 1, 2>]>]} : (tensor<4x8xf32>, tensor<4x3xf32>, tensor<i64>) -> tensor<4x8xf32>
  %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %2 = "lazy.slice"(%1) {starts = array<i64: 0, 0>, sizes = array<i64: 4, 4>, steps = array<i64: 2, 1>} : (tensor<8x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @even_and_odd(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0) {sizes = array<i64: 4>, starts = array<i64: 0>, steps = array<i64: 2>}
// CHECK-NEXT: return %0
func.func @even_and_odd(%x: tensor<8xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %c = "lazy.constant"() {value = 1 : i64} : () -> tensor<i64>
  %0 = "lazy.write_view"(%x, %u, %c) {chain = [#lazy.view<"slice", [array<i64: 4>, array<i64: 2>]>]} : (tensor<8xf32>, tensor<4xf32>, tensor<i64>) -> tensor<8xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 0>, sizes = array<i64: 4>, steps = array<i64: 2>} : (tensor<8xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @other_part(
// CHECK-NEXT: %0 = "lazy.imag"(%arg0)
// CHECK-NEXT: return %0
func.func @other_part(%x: tensor<8xcomplex<f32>>, %u: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"real", []>]} : (tensor<8xcomplex<f32>>, tensor<8xf32>) -> tensor<8xcomplex<f32>>
  %1 = "lazy.imag"(%0) : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @update(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0) {sizes = array<i64: 3>, starts = array<i64: 3>, steps = array<i64: 1>}
// CHECK-NEXT: return %0
func.func @update(%x: tensor<8xf32>, %u: tensor<2xf32>) -> tensor<3xf32> {
  %0 = "lazy.update_slice"(%x, %u) {starts = array<i64: 1>} : (tensor<8xf32>, tensor<2xf32>) -> tensor<8xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 3>, sizes = array<i64: 3>, steps = array<i64: 1>} : (tensor<8xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
