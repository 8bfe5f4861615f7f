// A view of a splat constant is a constant.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 3.000000e+00 : f64}
// CHECK-NEXT: return %0
func.func @f(%i: tensor<i64>) -> tensor<1x2xf32> {
  %c = "lazy.constant"() {value = 3.0 : f64} : () -> tensor<f32>
  %0 = "lazy.expand"(%c) {shape = array<i64: 1, 4>} : (tensor<f32>) -> tensor<1x4xf32>
  %1 = "lazy.reshape"(%0) {shape = array<i64: 2, 2>} : (tensor<1x4xf32>) -> tensor<2x2xf32>
  %2 = "lazy.permute"(%1) {dims = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = "lazy.slice"(%2, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 2>, steps = array<i64: 1, 1>} : (tensor<2x2xf32>, tensor<i64>) -> tensor<1x2xf32>
  %4 = "lazy.flip"(%3) {dims = array<i64: 1>} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %4 : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @bitcast_stays(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 1.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.bitcast"(%0) {dtype = i32}
// CHECK-NEXT: return %1
func.func @bitcast_stays() -> tensor<2xi32> {
  %c = "lazy.constant"() {value = 1.0 : f64} : () -> tensor<2xf32>
  %0 = "lazy.bitcast"(%c) {dtype = i32} : (tensor<2xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
