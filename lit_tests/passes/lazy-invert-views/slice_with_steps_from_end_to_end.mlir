// A window as long as the base is the base: it needs no start and no update of a part.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.constant"() {value = true}
// CHECK-NEXT: %1 = "lazy.constant"() {value = false}
// CHECK-NEXT: %2 = "lazy.pad"(%0, %1) {high = array<i64: 0>, interior = array<i64: 1>, low = array<i64: 0>}
// CHECK-NEXT: %3 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %4 = "lazy.pad"(%arg1, %3) {high = array<i64: 0>, interior = array<i64: 1>, low = array<i64: 0>}
// CHECK-NEXT: %5 = "lazy.where"(%2, %4, %arg0)
// CHECK-NEXT: return %5
func.func @f(%x: tensor<5xf32>, %u: tensor<3xf32>, %i: tensor<i64>) -> tensor<5xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 3>, array<i64: 2>]>]} : (tensor<5xf32>, tensor<3xf32>, tensor<i64>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-LABEL: func.func @one_dimension(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg2) {sizes = array<i64: 2, 5>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: %1 = "lazy.constant"() {value = true}
// CHECK-NEXT: %2 = "lazy.constant"() {value = false}
// CHECK-NEXT: %3 = "lazy.pad"(%1, %2) {high = array<i64: 0, 0>, interior = array<i64: 0, 1>, low = array<i64: 0, 0>}
// CHECK-NEXT: %4 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %5 = "lazy.pad"(%arg1, %4) {high = array<i64: 0, 0>, interior = array<i64: 0, 1>, low = array<i64: 0, 0>}
// CHECK-NEXT: %6 = "lazy.where"(%3, %5, %0)
// CHECK-NEXT: %7 = "lazy.update_slice"(%arg0, %6, %arg2) {starts = array<i64: -1, 0>}
// CHECK-NEXT: return %7
func.func @one_dimension(%x: tensor<4x5xf32>, %u: tensor<2x3xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<4x5xf32> {
  %0 = "lazy.write_view"(%x, %u, %i, %j) {chain = [#lazy.view<"slice", [array<i64: 2, 3>, array<i64: 1, 2>]>]} : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
