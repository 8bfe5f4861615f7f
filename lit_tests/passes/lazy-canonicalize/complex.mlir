// A complex number from its own parts, and a part of a complex number.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @own_parts(
// CHECK-NEXT: return %arg0
func.func @own_parts(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = "lazy.real"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = "lazy.imag"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = "lazy.complex"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return %2 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @parts(
// CHECK-NEXT: return %arg0, %arg1
func.func @parts(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.complex"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %1 = "lazy.real"(%0) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = "lazy.imag"(%0) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @constants(
// CHECK-NEXT: %0 = "lazy.constant"() {value = [1.000000e+00, -0.000000e+00]}
// CHECK-NEXT: %1 = "lazy.constant"() {value = -0.000000e+00 : f64}
// CHECK-NEXT: return %0, %1
func.func @constants() -> (tensor<4xcomplex<f32>>, tensor<4xf32>) {
  %x = "lazy.constant"() {value = 1.0 : f64} : () -> tensor<4xf32>
  %y = "lazy.constant"() {value = -0.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.complex"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %1 = "lazy.imag"(%0) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0, %1 : tensor<4xcomplex<f32>>, tensor<4xf32>
}
