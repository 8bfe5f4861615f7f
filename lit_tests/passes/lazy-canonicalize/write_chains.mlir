// The chain of a write is brought to its normal form: slices of the base first.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @row_and_column(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg2, %arg3) {chain = [#lazy.view<"slice", [array<i64: 1, 1>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64>]>]}
// CHECK-NEXT: return %0
func.func @row_and_column(%x: tensor<3x4xf32>, %u: tensor<f32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<3x4xf32> {
  %0 = "lazy.write_view"(%x, %u, %i, %j) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>, #lazy.view<"slice", [array<i64: 1>, array<i64: 1>]>, #lazy.view<"reshape", [array<i64>]>]} : (tensor<3x4xf32>, tensor<f32>, tensor<i64>, tensor<i64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @slice_of_permute(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg2) {chain = [#lazy.view<"slice", [array<i64: 3, 2>, array<i64: 1, 1>]>, #lazy.view<"permute", [array<i64: 1, 0>]>]}
// CHECK-NEXT: return %0
func.func @slice_of_permute(%x: tensor<3x4xf32>, %u: tensor<2x3xf32>, %i: tensor<i64>) -> tensor<3x4xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>, #lazy.view<"slice", [array<i64: 2, 3>, array<i64: 1, 1>]>]} : (tensor<3x4xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @whole(
// CHECK-NEXT: return %arg1
func.func @whole(%x: tensor<3x4xf32>, %u: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>, #lazy.view<"permute", [array<i64: 1, 0>]>]} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT: return %arg0
func.func @nothing(%x: tensor<3x4xf32>, %u: tensor<0x4xf32>, %i: tensor<i64>) -> tensor<3x4xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 0, 4>, array<i64: 1, 1>]>]} : (tensor<3x4xf32>, tensor<0x4xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
