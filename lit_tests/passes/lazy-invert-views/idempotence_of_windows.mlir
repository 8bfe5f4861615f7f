// Running the pass twice is running it once, for windows of any strides too.
// RUN: lazymlir-opt %s --lazy-invert-views --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @every_second_of_every_fifth(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg2) {sizes = array<i64: 8>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: %1 = "lazy.constant"() {value = true}
// CHECK-NEXT: %2 = "lazy.constant"() {value = false}
// CHECK-NEXT: %3 = "lazy.pad"(%1, %2) {high = array<i64: 0, 0>, interior = array<i64: 0, 1>, low = array<i64: 0, 0>}
// CHECK-NEXT: %4 = "lazy.constant"() {value = false}
// CHECK-NEXT: %5 = "lazy.pad"(%3, %4) {high = array<i64: 0, 2>, interior = array<i64: 0, 0>, low = array<i64: 0, 0>}
// CHECK-NEXT: %6 = "lazy.reshape"(%5) {shape = array<i64: 10>}
// CHECK-NEXT: %7 = "lazy.constant"() {value = false}
// CHECK-NEXT: %8 = "lazy.pad"(%6, %7) {high = array<i64: -2>, interior = array<i64: 0>, low = array<i64: 0>}
// CHECK-NEXT: %9 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %10 = "lazy.pad"(%arg1, %9) {high = array<i64: 0, 0>, interior = array<i64: 0, 1>, low = array<i64: 0, 0>}
// CHECK-NEXT: %11 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %12 = "lazy.pad"(%10, %11) {high = array<i64: 0, 2>, interior = array<i64: 0, 0>, low = array<i64: 0, 0>}
// CHECK-NEXT: %13 = "lazy.reshape"(%12) {shape = array<i64: 10>}
// CHECK-NEXT: %14 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %15 = "lazy.pad"(%13, %14) {high = array<i64: -2>, interior = array<i64: 0>, low = array<i64: 0>}
// CHECK-NEXT: %16 = "lazy.where"(%8, %15, %0)
// CHECK-NEXT: %17 = "lazy.update_slice"(%arg0, %16, %arg2) {starts = array<i64: -1>}
// CHECK-NEXT: return %17
func.func @every_second_of_every_fifth(%x: tensor<12xf32>, %u: tensor<2x2xf32>, %i: tensor<i64>) -> tensor<12xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 2, 2>, array<i64: 5, 2>]>]} : (tensor<12xf32>, tensor<2x2xf32>, tensor<i64>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// CHECK-LABEL: func.func @scattered(
// CHECK-NEXT: %0 = "lazy.strided_update"(%arg0, %arg1, %arg2) {strides = array<i64: 60, 7>}
// CHECK-NEXT: return %0
func.func @scattered(%x: tensor<200xf32>, %u: tensor<3x2xf32>, %i: tensor<i64>) -> tensor<200xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 3, 2>, array<i64: 60, 7>]>]} : (tensor<200xf32>, tensor<3x2xf32>, tensor<i64>) -> tensor<200xf32>
  return %0 : tensor<200xf32>
}
