// Round trip: Conversions between element types, all of them.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @cast
func.func @cast(%arg0: tensor<2xf32>, %arg1: tensor<complex<f32>>, %arg2: tensor<2x4xf32>, %arg3: tensor<f32>) {
  // CHECK-NEXT: %0 = "lazy.cast"(%arg0) {dtype = f16} : (tensor<2xf32>) -> tensor<2xf16>
  %0 = "lazy.cast"(%arg0) {dtype = f16} : (tensor<2xf32>) -> tensor<2xf16>
  // CHECK-NEXT: %1 = "lazy.cast"(%arg0) {dtype = bf16} : (tensor<2xf32>) -> tensor<2xbf16>
  %1 = "lazy.cast"(%arg0) {dtype = bf16} : (tensor<2xf32>) -> tensor<2xbf16>
  // CHECK-NEXT: %2 = "lazy.cast"(%arg0) {dtype = f32} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "lazy.cast"(%arg0) {dtype = f32} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %3 = "lazy.cast"(%arg0) {dtype = f64} : (tensor<2xf32>) -> tensor<2xf64>
  %3 = "lazy.cast"(%arg0) {dtype = f64} : (tensor<2xf32>) -> tensor<2xf64>
  // CHECK-NEXT: %4 = "lazy.cast"(%arg0) {dtype = i8} : (tensor<2xf32>) -> tensor<2xi8>
  %4 = "lazy.cast"(%arg0) {dtype = i8} : (tensor<2xf32>) -> tensor<2xi8>
  // CHECK-NEXT: %5 = "lazy.cast"(%arg0) {dtype = i16} : (tensor<2xf32>) -> tensor<2xi16>
  %5 = "lazy.cast"(%arg0) {dtype = i16} : (tensor<2xf32>) -> tensor<2xi16>
  // CHECK-NEXT: %6 = "lazy.cast"(%arg0) {dtype = i32} : (tensor<2xf32>) -> tensor<2xi32>
  %6 = "lazy.cast"(%arg0) {dtype = i32} : (tensor<2xf32>) -> tensor<2xi32>
  // CHECK-NEXT: %7 = "lazy.cast"(%arg0) {dtype = i64} : (tensor<2xf32>) -> tensor<2xi64>
  %7 = "lazy.cast"(%arg0) {dtype = i64} : (tensor<2xf32>) -> tensor<2xi64>
  // CHECK-NEXT: %8 = "lazy.cast"(%arg0) {dtype = ui8} : (tensor<2xf32>) -> tensor<2xui8>
  %8 = "lazy.cast"(%arg0) {dtype = ui8} : (tensor<2xf32>) -> tensor<2xui8>
  // CHECK-NEXT: %9 = "lazy.cast"(%arg0) {dtype = ui16} : (tensor<2xf32>) -> tensor<2xui16>
  %9 = "lazy.cast"(%arg0) {dtype = ui16} : (tensor<2xf32>) -> tensor<2xui16>
  // CHECK-NEXT: %10 = "lazy.cast"(%arg0) {dtype = ui32} : (tensor<2xf32>) -> tensor<2xui32>
  %10 = "lazy.cast"(%arg0) {dtype = ui32} : (tensor<2xf32>) -> tensor<2xui32>
  // CHECK-NEXT: %11 = "lazy.cast"(%arg0) {dtype = ui64} : (tensor<2xf32>) -> tensor<2xui64>
  %11 = "lazy.cast"(%arg0) {dtype = ui64} : (tensor<2xf32>) -> tensor<2xui64>
  // CHECK-NEXT: %12 = "lazy.cast"(%arg0) {dtype = complex<f32>} : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
  %12 = "lazy.cast"(%arg0) {dtype = complex<f32>} : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
  // CHECK-NEXT: %13 = "lazy.cast"(%arg0) {dtype = complex<f64>} : (tensor<2xf32>) -> tensor<2xcomplex<f64>>
  %13 = "lazy.cast"(%arg0) {dtype = complex<f64>} : (tensor<2xf32>) -> tensor<2xcomplex<f64>>
  // CHECK-NEXT: %14 = "lazy.cast"(%arg0) {dtype = i1} : (tensor<2xf32>) -> tensor<2xi1>
  %14 = "lazy.cast"(%arg0) {dtype = i1} : (tensor<2xf32>) -> tensor<2xi1>
  // CHECK-NEXT: %15 = "lazy.cast"(%arg1) {dtype = i1} : (tensor<complex<f32>>) -> tensor<i1>
  %15 = "lazy.cast"(%arg1) {dtype = i1} : (tensor<complex<f32>>) -> tensor<i1>
  // CHECK-NEXT: %16 = "lazy.bitcast"(%arg2) {dtype = i32} : (tensor<2x4xf32>) -> tensor<2x4xi32>
  %16 = "lazy.bitcast"(%arg2) {dtype = i32} : (tensor<2x4xf32>) -> tensor<2x4xi32>
  // CHECK-NEXT: %17 = "lazy.bitcast"(%arg2) {dtype = f64} : (tensor<2x4xf32>) -> tensor<2x2xf64>
  %17 = "lazy.bitcast"(%arg2) {dtype = f64} : (tensor<2x4xf32>) -> tensor<2x2xf64>
  // CHECK-NEXT: %18 = "lazy.bitcast"(%arg2) {dtype = ui8} : (tensor<2x4xf32>) -> tensor<2x16xui8>
  %18 = "lazy.bitcast"(%arg2) {dtype = ui8} : (tensor<2x4xf32>) -> tensor<2x16xui8>
  // CHECK-NEXT: %19 = "lazy.bitcast"(%arg3) {dtype = ui32} : (tensor<f32>) -> tensor<ui32>
  %19 = "lazy.bitcast"(%arg3) {dtype = ui32} : (tensor<f32>) -> tensor<ui32>
  return
}
