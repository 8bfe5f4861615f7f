// Must not fire: (inf + 0i) * (1 + 0i) has a NaN part.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @mul_and_div(
// CHECK-NEXT: %0 = "lazy.constant"() {value = [1.000000e+00, 0.000000e+00]}
// CHECK-NEXT: %1 = "lazy.mul"(%arg0, %0)
// CHECK-NEXT: %2 = "lazy.div"(%1, %0)
// CHECK-NEXT: return %2
func.func @mul_and_div(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %one = "lazy.constant"() {value = 1 : i64} : () -> tensor<4xcomplex<f32>>
  %0 = "lazy.mul"(%x, %one) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = "lazy.div"(%0, %one) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @pow(
// CHECK-NEXT: %0 = "lazy.constant"() {value = [0.000000e+00, 0.000000e+00]}
// CHECK-NEXT: %1 = "lazy.pow"(%arg0, %0)
// CHECK-NEXT: return %1
func.func @pow(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %zero = "lazy.constant"() {value = 0 : i64} : () -> tensor<4xcomplex<f32>>
  %0 = "lazy.pow"(%x, %zero) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @abs(
// CHECK-NEXT: %0 = "lazy.neg"(%arg0)
// CHECK-NEXT: %1 = "lazy.abs"(%0)
// CHECK-NEXT: return %1
func.func @abs(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %0 = "lazy.neg"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = "lazy.abs"(%0) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @parts_of_two(
// CHECK-NEXT: %0 = "lazy.real"(%arg0)
// CHECK-NEXT: %1 = "lazy.imag"(%arg1)
// CHECK-NEXT: %2 = "lazy.complex"(%0, %1)
// CHECK-NEXT: return %2
func.func @parts_of_two(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = "lazy.real"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = "lazy.imag"(%y) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = "lazy.complex"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return %2 : tensor<4xcomplex<f32>>
}
