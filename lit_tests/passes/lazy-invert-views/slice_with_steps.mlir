// A slice with steps keeps the elements between: the update is spread over a dense window, which is then replaced.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @every_second(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg2) {sizes = array<i64: 5>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: %1 = "lazy.constant"() {value = true}
// CHECK-NEXT: %2 = "lazy.constant"() {value = false}
// CHECK-NEXT: %3 = "lazy.pad"(%1, %2) {high = array<i64: 0>, interior = array<i64: 1>, low = array<i64: 0>}
// CHECK-NEXT: %4 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %5 = "lazy.pad"(%arg1, %4) {high = array<i64: 0>, interior = array<i64: 1>, low = array<i64: 0>}
// CHECK-NEXT: %6 = "lazy.where"(%3, %5, %0)
// CHECK-NEXT: %7 = "lazy.update_slice"(%arg0, %6, %arg2) {starts = array<i64: -1>}
// CHECK-NEXT: return %7
func.func @every_second(%x: tensor<9xf32>, %u: tensor<3xf32>, %i: tensor<i64>) -> tensor<9xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 3>, array<i64: 2>]>]} : (tensor<9xf32>, tensor<3xf32>, tensor<i64>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// CHECK-LABEL: func.func @columns(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg2) {sizes = array<i64: 4, 7>, starts = array<i64: 0, -1>, steps = array<i64: 1, 1>}
// CHECK-NEXT: %1 = "lazy.constant"() {value = true}
// CHECK-NEXT: %2 = "lazy.constant"() {value = false}
// CHECK-NEXT: %3 = "lazy.pad"(%1, %2) {high = array<i64: 0, 0>, interior = array<i64: 0, 2>, low = array<i64: 0, 0>}
// CHECK-NEXT: %4 = "lazy.constant"() {value = 0 : i64}
// CHECK-NEXT: %5 = "lazy.pad"(%arg1, %4) {high = array<i64: 0, 0>, interior = array<i64: 0, 2>, low = array<i64: 0, 0>}
// CHECK-NEXT: %6 = "lazy.where"(%3, %5, %0)
// CHECK-NEXT: %7 = "lazy.update_slice"(%arg0, %6, %arg2) {starts = array<i64: 0, -1>}
// CHECK-NEXT: return %7
func.func @columns(%x: tensor<4x9xi32>, %u: tensor<4x3xi32>, %i: tensor<i64>) -> tensor<4x9xi32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 4, 3>, array<i64: 1, 3>]>]} : (tensor<4x9xi32>, tensor<4x3xi32>, tensor<i64>) -> tensor<4x9xi32>
  return %0 : tensor<4x9xi32>
}
