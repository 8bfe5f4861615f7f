// Casts whose detour loses nothing, and casts of constants.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @same(
// CHECK-NEXT: return %arg0
func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.cast"(%x) {dtype = f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @wider_and_back(
// CHECK-NEXT: return %arg0
func.func @wider_and_back(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = "lazy.cast"(%x) {dtype = f32} : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = "lazy.cast"(%0) {dtype = bf16} : (tensor<4xf32>) -> tensor<4xbf16>
  return %1 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @integer_by_way_of_float(
// CHECK-NEXT: return %arg0
func.func @integer_by_way_of_float(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "lazy.cast"(%x) {dtype = f64} : (tensor<4xi32>) -> tensor<4xf64>
  %1 = "lazy.cast"(%0) {dtype = i32} : (tensor<4xf64>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: func.func @boolean(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = i64}
// CHECK-NEXT: return %0
func.func @boolean(%x: tensor<4xi1>) -> tensor<4xi64> {
  %0 = "lazy.cast"(%x) {dtype = f32} : (tensor<4xi1>) -> tensor<4xf32>
  %1 = "lazy.cast"(%0) {dtype = i64} : (tensor<4xf32>) -> tensor<4xi64>
  return %1 : tensor<4xi64>
}

// CHECK-LABEL: func.func @wrap_twice(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = i8}
// CHECK-NEXT: return %0
func.func @wrap_twice(%x: tensor<4xi64>) -> tensor<4xi8> {
  %0 = "lazy.cast"(%x) {dtype = i32} : (tensor<4xi64>) -> tensor<4xi32>
  %1 = "lazy.cast"(%0) {dtype = i8} : (tensor<4xi32>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}

// CHECK-LABEL: func.func @signs(
// CHECK-NEXT: return %arg0
func.func @signs(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "lazy.cast"(%x) {dtype = ui32} : (tensor<4xi32>) -> tensor<4xui32>
  %1 = "lazy.cast"(%0) {dtype = i32} : (tensor<4xui32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: func.func @wider_first(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = f64}
// CHECK-NEXT: return %0
func.func @wider_first(%x: tensor<4xf16>) -> tensor<4xf64> {
  %0 = "lazy.cast"(%x) {dtype = f32} : (tensor<4xf16>) -> tensor<4xf32>
  %1 = "lazy.cast"(%0) {dtype = f64} : (tensor<4xf32>) -> tensor<4xf64>
  return %1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @to_boolean(
// CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = i1}
// CHECK-NEXT: return %0
func.func @to_boolean(%x: tensor<4xi8>) -> tensor<4xi1> {
  %0 = "lazy.cast"(%x) {dtype = i32} : (tensor<4xi8>) -> tensor<4xi32>
  %1 = "lazy.cast"(%0) {dtype = i1} : (tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: func.func @by_way_of_complex(
// CHECK-NEXT: return %arg0
func.func @by_way_of_complex(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.cast"(%x) {dtype = complex<f32>} : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %1 = "lazy.cast"(%0) {dtype = f32} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @of_constant(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 1.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.constant"() {value = 2 : i64}
// CHECK-NEXT: %2 = "lazy.constant"() {value = true}
// CHECK-NEXT: %3 = "lazy.constant"() {value = 44 : i64}
// CHECK-NEXT: %4 = "lazy.constant"() {value = 0.10000000149011612 : f64}
// CHECK-NEXT: return %0, %1, %2, %3, %4
func.func @of_constant() -> (tensor<f32>, tensor<i32>, tensor<i1>, tensor<i8>, tensor<f64>) {
  %c = "lazy.constant"() {value = 1 : i64} : () -> tensor<i64>
  %0 = "lazy.cast"(%c) {dtype = f32} : (tensor<i64>) -> tensor<f32>
  %h = "lazy.constant"() {value = 2.5 : f64} : () -> tensor<f32>
  %1 = "lazy.cast"(%h) {dtype = i32} : (tensor<f32>) -> tensor<i32>
  %n = "lazy.constant"() {value = 0x7FF8000000000000 : f64} : () -> tensor<f32>
  %2 = "lazy.cast"(%n) {dtype = i1} : (tensor<f32>) -> tensor<i1>
  %w = "lazy.constant"() {value = 300 : i64} : () -> tensor<i64>
  %3 = "lazy.cast"(%w) {dtype = i8} : (tensor<i64>) -> tensor<i8>
  %t = "lazy.constant"() {value = 0.1 : f64} : () -> tensor<f32>
  %4 = "lazy.cast"(%t) {dtype = f64} : (tensor<f32>) -> tensor<f64>
  return %0, %1, %2, %3, %4 : tensor<f32>, tensor<i32>, tensor<i1>, tensor<i8>, tensor<f64>
}
