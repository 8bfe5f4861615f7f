// Where one moving window stands in another, the outer one is read once and written once.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg1) {shape = array<i64: 1, 2>}
// CHECK-NEXT: %1 = "lazy.slice"(%arg0, %arg2) {sizes = array<i64: 5, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: %2 = "lazy.update_slice"(%1, %0, %arg3, %arg4) {starts = array<i64: -1, -1>}
// CHECK-NEXT: %3 = "lazy.update_slice"(%arg0, %2, %arg2) {starts = array<i64: -1, 0>}
// CHECK-NEXT: return %3
func.func @f(%x: tensor<9x4xf32>, %u: tensor<2xf32>, %i: tensor<i64>, %j: tensor<i64>, %k: tensor<i64>) -> tensor<9x4xf32> {
  %0 = "lazy.write_view"(%x, %u, %i, %j, %k) {chain = [#lazy.view<"slice", [array<i64: 5, 4>, array<i64: 1, 1>]>, #lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>, #lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]} : (tensor<9x4xf32>, tensor<2xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}
