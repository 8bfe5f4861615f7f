// Operations with an operand that changes no bit vanish: x * 1, x / 1, x - 0.0, x + -0.0, x ** 1.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @mul(
// CHECK-NEXT: return %arg0
func.func @mul(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = "lazy.constant"() {value = 1.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.mul"(%one, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.mul"(%0, %one) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @div_and_pow(
// CHECK-NEXT: return %arg0, %arg1
func.func @div_and_pow(%x: tensor<4xf32>, %n: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %one = "lazy.constant"() {value = 1 : i64} : () -> tensor<4xf32>
  %0 = "lazy.div"(%x, %one) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.pow"(%0, %one) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %n1 = "lazy.constant"() {value = 1 : i64} : () -> tensor<4xi32>
  %2 = "lazy.div"(%n, %n1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1, %2 : tensor<4xf32>, tensor<4xi32>
}

// CHECK-LABEL: func.func @sub_and_add(
// CHECK-NEXT: return %arg0, %arg1
func.func @sub_and_add(%x: tensor<4xf32>, %z: tensor<4xcomplex<f32>>) -> (tensor<4xf32>, tensor<4xcomplex<f32>>) {
  %zero = "lazy.constant"() {value = 0.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.sub"(%x, %zero) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %minus = "lazy.constant"() {value = -0.0 : f64} : () -> tensor<4xf32>
  %1 = "lazy.add"(%minus, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z0 = "lazy.constant"() {value = 0 : i64} : () -> tensor<4xcomplex<f32>>
  %2 = "lazy.sub"(%z, %z0) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %1, %2 : tensor<4xf32>, tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @power_zero(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 1.000000e+00 : f64}
// CHECK-NEXT: return %0
func.func @power_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = "lazy.constant"() {value = 0.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.pow"(%x, %zero) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @subtract_from_minus_zero(
// CHECK-NEXT: %0 = "lazy.neg"(%arg0)
// CHECK-NEXT: return %0
func.func @subtract_from_minus_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = "lazy.constant"() {value = -0.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.sub"(%zero, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
