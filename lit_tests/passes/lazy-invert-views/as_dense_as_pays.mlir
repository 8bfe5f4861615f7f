// Up to 8 elements of the window for each one written, elements are chosen; in a longer window they are scattered.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @dense_enough(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg2) {sizes = array<i64: 31>, starts = array<i64: -1>, steps = array<i64: 1>}
// CHECK-NEXT: %1 = "lazy.constant"() {value = true}
// CHECK-NEXT: %2 = "lazy.constant"() {value = false}
// CHECK-NEXT: %3 = "lazy.pad"(%1, %2) {high = array<i64: 0>, interior = array<i64: 9>, low = array<i64: 0>}
// CHECK-NEXT: %4 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %5 = "lazy.pad"(%arg1, %4) {high = array<i64: 0>, interior = array<i64: 9>, low = array<i64: 0>}
// CHECK-NEXT: %6 = "lazy.where"(%3, %5, %0)
// CHECK-NEXT: %7 = "lazy.update_slice"(%arg0, %6, %arg2) {starts = array<i64: -1>}
// CHECK-NEXT: return %7
func.func @dense_enough(%x: tensor<64xf32>, %u: tensor<4xf32>, %i: tensor<i64>) -> tensor<64xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 4>, array<i64: 10>]>]} : (tensor<64xf32>, tensor<4xf32>, tensor<i64>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: func.func @one_step_too_far(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 0 : i64}
// CHECK-NEXT: %1 = "lazy.constant"() {value = 1 : i64}
// CHECK-NEXT: %2 = "lazy.mul"(%arg2, %1)
// CHECK-NEXT: %3 = "lazy.add"(%0, %2)
// CHECK-NEXT: %4 = "lazy.strided_update"(%arg0, %arg1, %3) {strides = array<i64: 11>}
// CHECK-NEXT: return %4
func.func @one_step_too_far(%x: tensor<64xf32>, %u: tensor<4xf32>, %i: tensor<i64>) -> tensor<64xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 4>, array<i64: 11>]>]} : (tensor<64xf32>, tensor<4xf32>, tensor<i64>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
