// The last resort: a window that the elements hardly fill, or one whose strides may show an element twice.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @diagonal(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 0 : i64}
// CHECK-NEXT: %1 = "lazy.constant"() {value = 0 : i64}
// CHECK-NEXT: %2 = "lazy.constant"() {value = 1 : i64}
// CHECK-NEXT: %3 = "lazy.mul"(%1, %2)
// CHECK-NEXT: %4 = "lazy.add"(%0, %3)
// CHECK-NEXT: %5 = "lazy.reshape"(%arg0) {shape = array<i64: 4096>}
// CHECK-NEXT: %6 = "lazy.strided_update"(%5, %arg1, %4) {strides = array<i64: 65>}
// CHECK-NEXT: %7 = "lazy.reshape"(%6) {shape = array<i64: 64, 64>}
// CHECK-NEXT: return %7
func.func @diagonal(%x: tensor<64x64xf32>, %u: tensor<64xf32>, %i: tensor<i64>) -> tensor<64x64xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"reshape", [array<i64: 4096>]>, #lazy.view<"slice", [array<i64: 64>, array<i64: 65>]>]} : (tensor<64x64xf32>, tensor<64xf32>, tensor<i64>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: func.func @few_rows_and_columns(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 0 : i64}
// CHECK-NEXT: %1 = "lazy.constant"() {value = 64 : i64}
// CHECK-NEXT: %2 = "lazy.mul"(%arg2, %1)
// CHECK-NEXT: %3 = "lazy.add"(%0, %2)
// CHECK-NEXT: %4 = "lazy.constant"() {value = 1 : i64}
// CHECK-NEXT: %5 = "lazy.mul"(%arg3, %4)
// CHECK-NEXT: %6 = "lazy.add"(%3, %5)
// CHECK-NEXT: %7 = "lazy.reshape"(%arg0) {shape = array<i64: 4096>}
// CHECK-NEXT: %8 = "lazy.strided_update"(%7, %arg1, %6) {strides = array<i64: 320, 7>}
// CHECK-NEXT: %9 = "lazy.reshape"(%8) {shape = array<i64: 64, 64>}
// CHECK-NEXT: return %9
func.func @few_rows_and_columns(%x: tensor<64x64xf32>, %u: tensor<3x4xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<64x64xf32> {
  %0 = "lazy.write_view"(%x, %u, %i, %j) {chain = [#lazy.view<"slice", [array<i64: 3, 4>, array<i64: 5, 7>]>]} : (tensor<64x64xf32>, tensor<3x4xf32>, tensor<i64>, tensor<i64>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: func.func @far_apart(
// CHECK-NEXT: %0 = "lazy.strided_update"(%arg0, %arg1, %arg2) {strides = array<i64: 60, 7>}
// CHECK-NEXT: return %0
func.func @far_apart(%x: tensor<200xf32>, %u: tensor<3x2xf32>, %i: tensor<i64>) -> tensor<200xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 3, 2>, array<i64: 60, 7>]>]} : (tensor<200xf32>, tensor<3x2xf32>, tensor<i64>) -> tensor<200xf32>
  return %0 : tensor<200xf32>
}

// CHECK-LABEL: func.func @interleaved(
// CHECK-NEXT: %0 = "lazy.strided_update"(%arg0, %arg1, %arg2) {strides = array<i64: 3, 2>}
// CHECK-NEXT: return %0
func.func @interleaved(%x: tensor<20xf32>, %u: tensor<2x3xf32>, %i: tensor<i64>) -> tensor<20xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 2, 3>, array<i64: 3, 2>]>]} : (tensor<20xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<20xf32>
  return %0 : tensor<20xf32>
}

// CHECK-LABEL: func.func @unfold(
// CHECK-NEXT: %0 = "lazy.strided_update"(%arg0, %arg1, %arg2) {strides = array<i64: 1, 1>}
// CHECK-NEXT: return %0
func.func @unfold(%x: tensor<12xf32>, %u: tensor<3x2xf32>, %i: tensor<i64>) -> tensor<12xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 3, 2>, array<i64: 1, 1>]>]} : (tensor<12xf32>, tensor<3x2xf32>, tensor<i64>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}
