// x ** 0 is 1 and x ** 1 is x; every other power of one number stays.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @simplified(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 1.000000e+00 : f64}
// CHECK-NEXT: return %0, %arg0, %arg1
func.func @simplified(%x: tensor<4xf32>, %n: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi64>) {
  %zero = "lazy.constant"() {value = -0.0 : f64} : () -> tensor<f32>
  %0 = "lazy.pow_scalar"(%x, %zero) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %one = "lazy.constant"() {value = 1.0 : f64} : () -> tensor<f32>
  %1 = "lazy.pow_scalar"(%x, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %unit = "lazy.constant"() {value = 1 : i64} : () -> tensor<i64>
  %2 = "lazy.pow_scalar"(%n, %unit) : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xi64>
}

// CHECK-LABEL: func.func @stays(
// CHECK-COUNT-2: "lazy.pow_scalar"
func.func @stays(%x: tensor<4xf32>, %e: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %two = "lazy.constant"() {value = 2.0 : f64} : () -> tensor<f32>
  %0 = "lazy.pow_scalar"(%x, %two) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = "lazy.pow_scalar"(%x, %e) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
