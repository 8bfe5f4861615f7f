// Reading the view that was just written gives what was written, and writing back what was read does nothing.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @row(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg2) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: return %0, %arg1
func.func @row(%x: tensor<3x4xf32>, %u: tensor<4xf32>, %i: tensor<i64>) -> (tensor<3x4xf32>, tensor<4xf32>) {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %s1 = "lazy.slice"(%0, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %1 = "lazy.reshape"(%s1) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @in_place_twice(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg1) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: %1 = "lazy.reshape"(%0) {shape = array<i64: 4>}
// CHECK-NEXT: %2 = "lazy.exp"(%1)
// CHECK-NEXT: %3 = "lazy.tanh"(%2)
// CHECK-NEXT: %4 = "lazy.write_view"(%arg0, %3, %arg1) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: return %4
func.func @in_place_twice(%x: tensor<3x4xf32>, %i: tensor<i64>) -> tensor<3x4xf32> {
  %s1 = "lazy.slice"(%x, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %1 = "lazy.reshape"(%s1) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %2 = "lazy.exp"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "lazy.write_view"(%x, %2, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %s4 = "lazy.slice"(%3, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %4 = "lazy.reshape"(%s4) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %5 = "lazy.tanh"(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = "lazy.write_view"(%3, %5, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %6 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @known_start(
// CHECK-NEXT: return %arg1
func.func @known_start(%x: tensor<3x4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %c = "lazy.constant"() {value = 1 : i64} : () -> tensor<i64>
  %0 = "lazy.write_view"(%x, %u, %c) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %1 = "lazy.slice"(%0) {starts = array<i64: 1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %2 = "lazy.reshape"(%1) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @merged_steps(
// CHECK-NEXT: return %arg1
func.func @merged_steps(%x: tensor<3x4xf32>, %u: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"reshape", [array<i64: 12>]>, #lazy.view<"reshape", [array<i64: 3, 4>]>, #lazy.view<"permute", [array<i64: 1, 0>]>]} : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @strided(
// CHECK-NEXT: return %arg1
func.func @strided(%x: tensor<12xf32>, %u: tensor<2x2xf32>, %i: tensor<i64>) -> tensor<2x2xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 2, 2>, array<i64: 4, 2>]>]} : (tensor<12xf32>, tensor<2x2xf32>, tensor<i64>) -> tensor<12xf32>
  %1 = "lazy.strided"(%0, %i) {sizes = array<i64: 2, 2>, strides = array<i64: 4, 2>} : (tensor<12xf32>, tensor<i64>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @write_what_was_read(
// CHECK-NEXT: return %arg0
func.func @write_what_was_read(%x: tensor<3x4xf32>, %i: tensor<i64>) -> tensor<3x4xf32> {
  %s1 = "lazy.slice"(%x, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %1 = "lazy.reshape"(%s1) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %0 = "lazy.write_view"(%x, %1, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
