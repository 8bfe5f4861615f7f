// Strides of which each steps over all that the smaller ones reach: the update is spread over the window, largest stride first.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

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

// CHECK-LABEL: func.func @turned(
// CHECK-NEXT: %0 = "lazy.permute"(%arg1) {dims = array<i64: 1, 0>}
// CHECK-NEXT: %1 = "lazy.slice"(%arg0, %arg2) {sizes = array<i64: 8>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: %2 = "lazy.constant"() {value = true}
// CHECK-NEXT: %3 = "lazy.constant"() {value = false}
// CHECK-NEXT: %4 = "lazy.pad"(%2, %3) {high = array<i64: 0, 0>, interior = array<i64: 0, 1>, low = array<i64: 0, 0>}
// CHECK-NEXT: %5 = "lazy.constant"() {value = false}
// CHECK-NEXT: %6 = "lazy.pad"(%4, %5) {high = array<i64: 0, 2>, interior = array<i64: 0, 0>, low = array<i64: 0, 0>}
// CHECK-NEXT: %7 = "lazy.reshape"(%6) {shape = array<i64: 10>}
// CHECK-NEXT: %8 = "lazy.constant"() {value = false}
// CHECK-NEXT: %9 = "lazy.pad"(%7, %8) {high = array<i64: -2>, interior = array<i64: 0>, low = array<i64: 0>}
// CHECK-NEXT: %10 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %11 = "lazy.pad"(%0, %10) {high = array<i64: 0, 0>, interior = array<i64: 0, 1>, low = array<i64: 0, 0>}
// CHECK-NEXT: %12 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %13 = "lazy.pad"(%11, %12) {high = array<i64: 0, 2>, interior = array<i64: 0, 0>, low = array<i64: 0, 0>}
// CHECK-NEXT: %14 = "lazy.reshape"(%13) {shape = array<i64: 10>}
// CHECK-NEXT: %15 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %16 = "lazy.pad"(%14, %15) {high = array<i64: -2>, interior = array<i64: 0>, low = array<i64: 0>}
// CHECK-NEXT: %17 = "lazy.where"(%9, %16, %1)
// CHECK-NEXT: %18 = "lazy.update_slice"(%arg0, %17, %arg2) {starts = array<i64: -1>}
// CHECK-NEXT: return %18
func.func @turned(%x: tensor<12xf32>, %u: tensor<2x2xf32>, %i: tensor<i64>) -> tensor<12xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 2, 2>, array<i64: 2, 5>]>]} : (tensor<12xf32>, tensor<2x2xf32>, tensor<i64>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// CHECK-LABEL: func.func @from_end_to_end(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg0) {shape = array<i64: 9>}
// CHECK-NEXT: %1 = "lazy.constant"() {value = true}
// CHECK-NEXT: %2 = "lazy.constant"() {value = false}
// CHECK-NEXT: %3 = "lazy.pad"(%1, %2) {high = array<i64: 0>, interior = array<i64: 3>, low = array<i64: 0>}
// CHECK-NEXT: %4 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %5 = "lazy.pad"(%arg1, %4) {high = array<i64: 0>, interior = array<i64: 3>, low = array<i64: 0>}
// CHECK-NEXT: %6 = "lazy.where"(%3, %5, %0)
// CHECK-NEXT: %7 = "lazy.reshape"(%6) {shape = array<i64: 3, 3>}
// CHECK-NEXT: return %7
func.func @from_end_to_end(%x: tensor<3x3xf32>, %u: tensor<3xf32>, %i: tensor<i64>) -> tensor<3x3xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"reshape", [array<i64: 9>]>, #lazy.view<"strided", [array<i64: 3>, array<i64: 4>]>]} : (tensor<3x3xf32>, tensor<3xf32>, tensor<i64>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
