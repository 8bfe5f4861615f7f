// Running the pass twice is running it once.
// RUN: lazymlir-opt %s --lazy-invert-views --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg2) {sizes = array<i64: 5>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: %1 = "lazy.constant"() {value = true}
// CHECK-NEXT: %2 = "lazy.constant"() {value = false}
// CHECK-NEXT: %3 = "lazy.pad"(%1, %2) {high = array<i64: 0>, interior = array<i64: 1>, low = array<i64: 0>}
// CHECK-NEXT: %4 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %5 = "lazy.pad"(%arg1, %4) {high = array<i64: 0>, interior = array<i64: 1>, low = array<i64: 0>}
// CHECK-NEXT: %6 = "lazy.where"(%3, %5, %0)
// CHECK-NEXT: %7 = "lazy.update_slice"(%arg0, %6, %arg2) {starts = array<i64: -1>}
// CHECK-NEXT: return %7
func.func @f(%x: tensor<9xf32>, %u: tensor<3xf32>, %i: tensor<i64>) -> tensor<9xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 3>, array<i64: 2>]>]} : (tensor<9xf32>, tensor<3xf32>, tensor<i64>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
