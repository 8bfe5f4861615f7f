// A slice becomes an update in its place: dimensions kept whole start at 0, the others at the start operands.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @row(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1, %arg2) {starts = array<i64: -1, 0>}
// CHECK-NEXT: return %0
func.func @row(%x: tensor<5x6xf32>, %u: tensor<1x6xf32>, %i: tensor<i64>) -> tensor<5x6xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 6>, array<i64: 1, 1>]>]} : (tensor<5x6xf32>, tensor<1x6xf32>, tensor<i64>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

// CHECK-LABEL: func.func @box(
// CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1, %arg2, %arg3) {starts = array<i64: -1, -1>}
// CHECK-NEXT: return %0
func.func @box(%x: tensor<5x6xf32>, %u: tensor<2x3xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<5x6xf32> {
  %0 = "lazy.write_view"(%x, %u, %i, %j) {chain = [#lazy.view<"slice", [array<i64: 2, 3>, array<i64: 1, 1>]>]} : (tensor<5x6xf32>, tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

// CHECK-LABEL: func.func @select(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg1) {shape = array<i64: 1, 6>}
// CHECK-NEXT: %1 = "lazy.update_slice"(%arg0, %0, %arg2) {starts = array<i64: -1, 0>}
// CHECK-NEXT: return %1
func.func @select(%x: tensor<5x6xf32>, %u: tensor<6xf32>, %i: tensor<i64>) -> tensor<5x6xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 6>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 6>]>]} : (tensor<5x6xf32>, tensor<6xf32>, tensor<i64>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

// CHECK-LABEL: func.func @row_and_column(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg1) {shape = array<i64: 1, 1>}
// CHECK-NEXT: %1 = "lazy.update_slice"(%arg0, %0, %arg2, %arg3) {starts = array<i64: -1, -1>}
// CHECK-NEXT: return %1
func.func @row_and_column(%x: tensor<5x6xf32>, %u: tensor<f32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<5x6xf32> {
  %0 = "lazy.write_view"(%x, %u, %i, %j) {chain = [#lazy.view<"slice", [array<i64: 1, 6>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 6>]>, #lazy.view<"slice", [array<i64: 1>, array<i64: 1>]>, #lazy.view<"reshape", [array<i64>]>]} : (tensor<5x6xf32>, tensor<f32>, tensor<i64>, tensor<i64>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

// CHECK-LABEL: func.func @slice_of_permute(
// CHECK-NEXT: %0 = "lazy.permute"(%arg1) {dims = array<i64: 1, 0>}
// CHECK-NEXT: %1 = "lazy.update_slice"(%arg0, %0, %arg2) {starts = array<i64: -1, 0>}
// CHECK-NEXT: return %1
func.func @slice_of_permute(%x: tensor<5x6xf32>, %u: tensor<6x2xf32>, %i: tensor<i64>) -> tensor<5x6xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>, #lazy.view<"slice", [array<i64: 6, 2>, array<i64: 1, 1>]>]} : (tensor<5x6xf32>, tensor<6x2xf32>, tensor<i64>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
