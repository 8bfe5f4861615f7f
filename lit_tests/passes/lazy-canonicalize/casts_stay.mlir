// Must not fire: the detour loses something, or what the cast gives is not certain.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @narrower(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = bf16}
// CHECK-NEXT: %1 = "lazy.cast"(%0) {dtype = f32}
// CHECK-NEXT: return %1
func.func @narrower(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.cast"(%x) {dtype = bf16} : (tensor<4xf32>) -> tensor<4xbf16>
  %1 = "lazy.cast"(%0) {dtype = f32} : (tensor<4xbf16>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @halves(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = bf16}
// CHECK-NEXT: %1 = "lazy.cast"(%0) {dtype = f16}
// CHECK-NEXT: return %1
func.func @halves(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = "lazy.cast"(%x) {dtype = bf16} : (tensor<4xf16>) -> tensor<4xbf16>
  %1 = "lazy.cast"(%0) {dtype = f16} : (tensor<4xbf16>) -> tensor<4xf16>
  return %1 : tensor<4xf16>
}

// CHECK-LABEL: func.func @large_integers(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = f64}
// CHECK-NEXT: %1 = "lazy.cast"(%0) {dtype = i64}
// CHECK-NEXT: return %1
func.func @large_integers(%x: tensor<4xi64>) -> tensor<4xi64> {
  %0 = "lazy.cast"(%x) {dtype = f64} : (tensor<4xi64>) -> tensor<4xf64>
  %1 = "lazy.cast"(%0) {dtype = i64} : (tensor<4xf64>) -> tensor<4xi64>
  return %1 : tensor<4xi64>
}

// CHECK-LABEL: func.func @sign_lost(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = ui32}
// CHECK-NEXT: %1 = "lazy.cast"(%0) {dtype = i64}
// CHECK-NEXT: return %1
func.func @sign_lost(%x: tensor<4xi32>) -> tensor<4xi64> {
  %0 = "lazy.cast"(%x) {dtype = ui32} : (tensor<4xi32>) -> tensor<4xui32>
  %1 = "lazy.cast"(%0) {dtype = i64} : (tensor<4xui32>) -> tensor<4xi64>
  return %1 : tensor<4xi64>
}

// CHECK-LABEL: func.func @imaginary_part(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = f32}
// CHECK-NEXT: %1 = "lazy.cast"(%0) {dtype = complex<f32>}
// CHECK-NEXT: return %1
func.func @imaginary_part(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = "lazy.cast"(%x) {dtype = f32} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = "lazy.cast"(%0) {dtype = complex<f32>} : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @boolean_between(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = i1}
// CHECK-NEXT: %1 = "lazy.cast"(%0) {dtype = i32}
// CHECK-NEXT: return %1
func.func @boolean_between(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "lazy.cast"(%x) {dtype = i1} : (tensor<4xi32>) -> tensor<4xi1>
  %1 = "lazy.cast"(%0) {dtype = i32} : (tensor<4xi1>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: func.func @float_out_of_range(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = f32}
// CHECK-NEXT: %1 = "lazy.cast"(%0) {dtype = i8}
// CHECK-NEXT: return %1
func.func @float_out_of_range(%x: tensor<4xf16>) -> tensor<4xi8> {
  %0 = "lazy.cast"(%x) {dtype = f32} : (tensor<4xf16>) -> tensor<4xf32>
  %1 = "lazy.cast"(%0) {dtype = i8} : (tensor<4xf32>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}

// CHECK-LABEL: func.func @rounded_twice(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = f64}
// CHECK-NEXT: %1 = "lazy.cast"(%0) {dtype = bf16}
// CHECK-NEXT: return %1
func.func @rounded_twice(%x: tensor<4xi32>) -> tensor<4xbf16> {
  %0 = "lazy.cast"(%x) {dtype = f64} : (tensor<4xi32>) -> tensor<4xf64>
  %1 = "lazy.cast"(%0) {dtype = bf16} : (tensor<4xf64>) -> tensor<4xbf16>
  return %1 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @of_constant(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 0x7FF8000000000000 : f64}
// CHECK-NEXT: %1 = "lazy.cast"(%0) {dtype = i32}
// CHECK-NEXT: %2 = "lazy.constant"() {value = 3.000000e+02 : f64}
// CHECK-NEXT: %3 = "lazy.cast"(%2) {dtype = i8}
// CHECK-NEXT: %4 = "lazy.constant"() {value = 1.000000e-01 : f64}
// CHECK-NEXT: %5 = "lazy.cast"(%4) {dtype = bf16}
// CHECK-NEXT: return %1, %3, %5
func.func @of_constant() -> (tensor<i32>, tensor<i8>, tensor<bf16>) {
  %n = "lazy.constant"() {value = 0x7FF8000000000000 : f64} : () -> tensor<f32>
  %0 = "lazy.cast"(%n) {dtype = i32} : (tensor<f32>) -> tensor<i32>
  %h = "lazy.constant"() {value = 300.0 : f64} : () -> tensor<f32>
  %1 = "lazy.cast"(%h) {dtype = i8} : (tensor<f32>) -> tensor<i8>
  %t = "lazy.constant"() {value = 0.1 : f64} : () -> tensor<f64>
  %2 = "lazy.cast"(%t) {dtype = bf16} : (tensor<f64>) -> tensor<bf16>
  return %0, %1, %2 : tensor<i32>, tensor<i8>, tensor<bf16>
}
