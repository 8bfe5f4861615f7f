// Padding and reversing that do nothing.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @pad(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 2.000000e+00 : f64}
// CHECK-NEXT: return %arg0, %0
func.func @pad(%x: tensor<4xf32>, %v: tensor<f32>) -> (tensor<4xf32>, tensor<5xf32>) {
  %0 = "lazy.pad"(%x, %v) {low = array<i64: 0>, high = array<i64: 0>, interior = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %c = "lazy.constant"() {value = 2.0 : f64} : () -> tensor<4xf32>
  %d = "lazy.constant"() {value = 2.0 : f64} : () -> tensor<f32>
  %1 = "lazy.pad"(%c, %d) {low = array<i64: 1>, high = array<i64: 0>, interior = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return %0, %1 : tensor<4xf32>, tensor<5xf32>
}

// CHECK-LABEL: func.func @flip(
// CHECK-NEXT: return %arg0
func.func @flip(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = "lazy.flip"(%x) {dims = array<i64: 0>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %1 = "lazy.flip"(%0) {dims = array<i64: 1>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = "lazy.flip"(%1) {dims = array<i64: 1>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %2 : tensor<1x4xf32>
}

// CHECK-LABEL: func.func @others_stay(
// CHECK-NEXT: %0 = "lazy.pad"(%arg0, %arg1) {high = array<i64: 0>, interior = array<i64: 1>, low = array<i64: 0>}
// CHECK-NEXT: %1 = "lazy.flip"(%arg0) {dims = array<i64: 0>}
// CHECK-NEXT: %2 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %3 = "lazy.constant"() {value = -0.000000e+00 : f64}
// CHECK-NEXT: %4 = "lazy.pad"(%2, %3) {high = array<i64: 0>, interior = array<i64: 0>, low = array<i64: 1>}
// CHECK-NEXT: return %0, %1, %4
func.func @others_stay(%x: tensor<4xf32>, %v: tensor<f32>) -> (tensor<7xf32>, tensor<4xf32>, tensor<5xf32>) {
  %0 = "lazy.pad"(%x, %v) {low = array<i64: 0>, high = array<i64: 0>, interior = array<i64: 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = "lazy.flip"(%x) {dims = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %z = "lazy.constant"() {value = 0.0 : f64} : () -> tensor<4xf32>
  %m = "lazy.constant"() {value = -0.0 : f64} : () -> tensor<f32>
  %2 = "lazy.pad"(%z, %m) {low = array<i64: 1>, high = array<i64: 0>, interior = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return %0, %1, %2 : tensor<7xf32>, tensor<4xf32>, tensor<5xf32>
}
