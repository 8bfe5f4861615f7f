// The exponent of a power becomes a constant where there is a shorter formula for that power.
// RUN: lazymlir-opt %s --lazy-specialize-scalars | filecheck %s

// CHECK-LABEL: func.func @square(
// CHECK-NEXT: %0 = "lazy.constant"() {slot = 3 : i64, value = 2.000000e+00 : f64}
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.scalar"() {slot = 3 : i64, kind = "float", value = 2.0 : f64} : () -> tensor<f64>
  %1 = "lazy.cast"(%0) {dtype = f32} : (tensor<f64>) -> tensor<f32>
  %2 = "lazy.pow_scalar"(%x, %1) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @cube_of_integers(
// CHECK-NEXT: %0 = "lazy.constant"() {slot = 0 : i64, value = 3 : i64}
func.func @cube_of_integers(%x: tensor<4xi64>) -> tensor<4xi64> {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "int", value = 3 : i64} : () -> tensor<i64>
  %1 = "lazy.pow_scalar"(%x, %0) : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  return %1 : tensor<4xi64>
}

// CHECK-LABEL: func.func @others(
// CHECK-NEXT: %0 = "lazy.scalar"() {kind = "float", slot = 0 : i64}
// CHECK-NEXT: %1 = "lazy.scalar"() {kind = "float", slot = 1 : i64}
// CHECK-NEXT: %2 = "lazy.scalar"() {kind = "float", slot = 2 : i64}
func.func @others(%x: tensor<f64>, %h: tensor<4xf16>) -> (tensor<f64>, tensor<f64>, tensor<4xf16>) {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "float", value = 2.5 : f64} : () -> tensor<f64>
  %1 = "lazy.scalar"() {slot = 1 : i64, kind = "float", value = 2.0 : f64} : () -> tensor<f64>
  %2 = "lazy.scalar"() {slot = 2 : i64, kind = "float", value = 0.5 : f64} : () -> tensor<f64>
  %3 = "lazy.pow_scalar"(%x, %0) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %4 = "lazy.pow_scalar"(%1, %x) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %5 = "lazy.cast"(%2) {dtype = f16} : (tensor<f64>) -> tensor<f16>
  %6 = "lazy.pow_scalar"(%h, %5) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return %3, %4, %6 : tensor<f64>, tensor<f64>, tensor<4xf16>
}
