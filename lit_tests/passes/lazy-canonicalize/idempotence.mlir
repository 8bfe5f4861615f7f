// Running the pass twice is running it once.
// RUN: lazymlir-opt %s --pass-pipeline="builtin.module(lazy-canonicalize,lazy-canonicalize)" | filecheck %s

// CHECK-LABEL: func.func @algebra(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 1.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.exp"(%arg0)
// CHECK-NEXT: %2 = "lazy.add"(%1, %0)
// CHECK-NEXT: return %2
func.func @algebra(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %one = "lazy.constant"() {value = 1 : i64} : () -> tensor<i64>
  %0 = "lazy.cast"(%one) {dtype = f32} : (tensor<i64>) -> tensor<f32>
  %1 = "lazy.expand"(%0) {shape = array<i64: 2, 4>} : (tensor<f32>) -> tensor<2x4xf32>
  %2 = "lazy.mul"(%x, %1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = "lazy.permute"(%2) {dims = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %4 = "lazy.permute"(%3) {dims = array<i64: 1, 0>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %5 = "lazy.exp"(%4) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %6 = "lazy.add"(%5, %1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %6 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @writes(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg1) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: %1 = "lazy.reshape"(%0) {shape = array<i64: 4>}
// CHECK-NEXT: %2 = "lazy.exp"(%1)
// CHECK-NEXT: %3 = "lazy.write_view"(%arg0, %2, %arg1) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: %4 = "lazy.slice"(%3, %arg2) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: %5 = "lazy.reshape"(%4) {shape = array<i64: 4>}
// CHECK-NEXT: %6 = "lazy.add"(%2, %5)
// CHECK-NEXT: %7 = "lazy.write_view"(%3, %6, %arg1) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: return %7
func.func @writes(%x: tensor<3x4xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<3x4xf32> {
  %s1 = "lazy.slice"(%x, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %1 = "lazy.reshape"(%s1) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %2 = "lazy.exp"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "lazy.write_view"(%x, %2, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %s4 = "lazy.slice"(%3, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %4 = "lazy.reshape"(%s4) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %s5 = "lazy.slice"(%3, %j) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %5 = "lazy.reshape"(%s5) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %6 = "lazy.add"(%4, %5) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = "lazy.write_view"(%3, %6, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %7 : tensor<3x4xf32>
}
