// Must not fire: another row, another view, or a view that shows an element twice.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @another_row(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg2) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: %1 = "lazy.slice"(%0, %arg3) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: %2 = "lazy.reshape"(%1) {shape = array<i64: 4>}
// CHECK-NEXT: return %2
func.func @another_row(%x: tensor<3x4xf32>, %u: tensor<4xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<4xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %s1 = "lazy.slice"(%0, %j) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %1 = "lazy.reshape"(%s1) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @another_view(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg2) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: %1 = "lazy.reshape"(%0) {shape = array<i64: 4, 3>}
// CHECK-NEXT: return %1
func.func @another_view(%x: tensor<3x4xf32>, %u: tensor<4xf32>, %i: tensor<i64>) -> tensor<4x3xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %1 = "lazy.reshape"(%0) {shape = array<i64: 4, 3>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @overlapping(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg2) {chain = [#lazy.view<"strided", [array<i64: 2, 2>, array<i64: 1, 1>]>]}
// CHECK-NEXT: %1 = "lazy.strided"(%0, %arg2) {sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>}
// CHECK-NEXT: return %1
func.func @overlapping(%x: tensor<12xf32>, %u: tensor<2x2xf32>, %i: tensor<i64>) -> tensor<2x2xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 2, 2>, array<i64: 1, 1>]>]} : (tensor<12xf32>, tensor<2x2xf32>, tensor<i64>) -> tensor<12xf32>
  %1 = "lazy.strided"(%0, %i) {sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>} : (tensor<12xf32>, tensor<i64>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @another_base(
// CHECK-NEXT: %0 = "lazy.slice"(%arg1, %arg2) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: %1 = "lazy.reshape"(%0) {shape = array<i64: 4>}
// CHECK-NEXT: %2 = "lazy.write_view"(%arg0, %1, %arg2) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: return %2
func.func @another_base(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>, %i: tensor<i64>) -> tensor<3x4xf32> {
  %s1 = "lazy.slice"(%y, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %1 = "lazy.reshape"(%s1) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %0 = "lazy.write_view"(%x, %1, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
