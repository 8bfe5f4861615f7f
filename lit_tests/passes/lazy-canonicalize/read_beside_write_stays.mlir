// Must not fire: reads that touch what was written, or may.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @touching(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 1 : i64}
// CHECK-NEXT: %1 = "lazy.write_view"(%arg0, %arg1, %0) {chain = [#lazy.view<"slice", [array<i64: 2, 4>, array<i64: 1, 1>]>]}
// CHECK-NEXT: %2 = "lazy.slice"(%1) {sizes = array<i64: 3, 4>, starts = array<i64: 2, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: return %2
func.func @touching(%x: tensor<8x4xf32>, %u: tensor<2x4xf32>) -> tensor<3x4xf32> {
  %c = "lazy.constant"() {value = 1 : i64} : () -> tensor<i64>
  %0 = "lazy.write_view"(%x, %u, %c) {chain = [#lazy.view<"slice", [array<i64: 2, 4>, array<i64: 1, 1>]>]} : (tensor<8x4xf32>, tensor<2x4xf32>, tensor<i64>) -> tensor<8x4xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 2, 0>, sizes = array<i64: 3, 4>, steps = array<i64: 1, 1>} : (tensor<8x4xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @unknown_starts(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg2) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]}
// CHECK-NEXT: %1 = "lazy.slice"(%0) {sizes = array<i64: 2>, starts = array<i64: 6>, steps = array<i64: 1>}
// CHECK-NEXT: return %1
func.func @unknown_starts(%x: tensor<8xf32>, %u: tensor<2xf32>, %i: tensor<i64>) -> tensor<2xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]} : (tensor<8xf32>, tensor<2xf32>, tensor<i64>) -> tensor<8xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 6>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<8xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @steps_that_meet(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 1 : i64}
// CHECK-NEXT: %1 = "lazy.write_view"(%arg0, %arg1, %0) {chain = [#lazy.view<"slice", [array<i64: 4>, array<i64: 3>]>]}
// CHECK-NEXT: %2 = "lazy.slice"(%1) {sizes = array<i64: 3>, starts = array<i64: 0>, steps = array<i64: 2>}
// CHECK-NEXT: return %2
func.func @steps_that_meet(%x: tensor<12xf32>, %u: tensor<4xf32>) -> tensor<3xf32> {
  %c = "lazy.constant"() {value = 1 : i64} : () -> tensor<i64>
  %0 = "lazy.write_view"(%x, %u, %c) {chain = [#lazy.view<"slice", [array<i64: 4>, array<i64: 3>]>]} : (tensor<12xf32>, tensor<4xf32>, tensor<i64>) -> tensor<12xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 0>, sizes = array<i64: 3>, steps = array<i64: 2>} : (tensor<12xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @same_part(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg2) {chain = [#lazy.view<"real", []>, #lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]}
// CHECK-NEXT: %1 = "lazy.real"(%0)
// CHECK-NEXT: return %1
func.func @same_part(%x: tensor<8xcomplex<f32>>, %u: tensor<2xf32>, %i: tensor<i64>) -> tensor<8xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"real", []>, #lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]} : (tensor<8xcomplex<f32>>, tensor<2xf32>, tensor<i64>) -> tensor<8xcomplex<f32>>
  %1 = "lazy.real"(%0) : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @updates_touching(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1) {starts = array<i64: 1>}
// CHECK-NEXT: %1 = "lazy.slice"(%0) {sizes = array<i64: 3>, starts = array<i64: 2>, steps = array<i64: 1>}
// CHECK-NEXT: return %1
func.func @updates_touching(%x: tensor<8xf32>, %u: tensor<2xf32>) -> tensor<3xf32> {
  %0 = "lazy.update_slice"(%x, %u) {starts = array<i64: 1>} : (tensor<8xf32>, tensor<2xf32>) -> tensor<8xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 2>, sizes = array<i64: 3>, steps = array<i64: 1>} : (tensor<8xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
