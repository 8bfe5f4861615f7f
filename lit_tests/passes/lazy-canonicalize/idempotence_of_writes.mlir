// Running the pass twice is running it once, for writes and the reads beside them.
// RUN: lazymlir-opt %s --lazy-canonicalize --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @first_write_of_three(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg2, %arg5) {chain = [#lazy.view<"slice", [array<i64: 3>, array<i64: 1>]>]}
// CHECK-NEXT: %1 = "lazy.write_view"(%0, %arg3, %arg4) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]}
// CHECK-NEXT: return %1
func.func @first_write_of_three(%x: tensor<8xf32>, %u: tensor<2xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<8xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]} : (tensor<8xf32>, tensor<2xf32>, tensor<i64>) -> tensor<8xf32>
  %1 = "lazy.write_view"(%0, %v, %j) {chain = [#lazy.view<"slice", [array<i64: 3>, array<i64: 1>]>]} : (tensor<8xf32>, tensor<3xf32>, tensor<i64>) -> tensor<8xf32>
  %2 = "lazy.write_view"(%1, %w, %i) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]} : (tensor<8xf32>, tensor<2xf32>, tensor<i64>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
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
