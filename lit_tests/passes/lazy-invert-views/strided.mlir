// The last resort: any strides over the flat base.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @flat(
// CHECK-NEXT: %0 = "lazy.strided_update"(%arg0, %arg1, %arg2) {strides = array<i64: 5, 2>}
// CHECK-NEXT: return %0
func.func @flat(%x: tensor<12xf32>, %u: tensor<2x2xf32>, %i: tensor<i64>) -> tensor<12xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 2, 2>, array<i64: 5, 2>]>]} : (tensor<12xf32>, tensor<2x2xf32>, tensor<i64>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// CHECK-LABEL: func.func @diagonal(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg0) {shape = array<i64: 9>}
// CHECK-NEXT: %1 = "lazy.strided_update"(%0, %arg1, %arg2) {strides = array<i64: 4>}
// CHECK-NEXT: %2 = "lazy.reshape"(%1) {shape = array<i64: 3, 3>}
// CHECK-NEXT: return %2
func.func @diagonal(%x: tensor<3x3xf32>, %u: tensor<3xf32>, %i: tensor<i64>) -> tensor<3x3xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"reshape", [array<i64: 9>]>, #lazy.view<"strided", [array<i64: 3>, array<i64: 4>]>]} : (tensor<3x3xf32>, tensor<3xf32>, tensor<i64>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
