// Round trip: Reductions and scans.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @sum
func.func @sum(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x3xcomplex<f32>>, %arg2: tensor<2x3xf32>) {
  // CHECK-NEXT: %0 = "lazy.sum"(%arg0) {dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %0 = "lazy.sum"(%arg0) {dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  // CHECK-NEXT: %1 = "lazy.sum"(%arg1) {dims = array<i64: 0, 1>} : (tensor<2x3xcomplex<f32>>) -> tensor<complex<f32>>
  %1 = "lazy.sum"(%arg1) {dims = array<i64: 0, 1>} : (tensor<2x3xcomplex<f32>>) -> tensor<complex<f32>>
  // CHECK-NEXT: %2 = "lazy.sum"(%arg2) {dims = array<i64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "lazy.sum"(%arg2) {dims = array<i64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @prod
func.func @prod(%arg0: tensor<2x3x4xf32>) {
  // CHECK-NEXT: %0 = "lazy.prod"(%arg0) {dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %0 = "lazy.prod"(%arg0) {dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @amax
func.func @amax(%arg0: tensor<2x3x4xf32>, %arg1: tensor<0x3xi64>) {
  // CHECK-NEXT: %0 = "lazy.amax"(%arg0) {dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %0 = "lazy.amax"(%arg0) {dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  // CHECK-NEXT: %1 = "lazy.amax"(%arg1) {dims = array<i64: 0>} : (tensor<0x3xi64>) -> tensor<3xi64>
  %1 = "lazy.amax"(%arg1) {dims = array<i64: 0>} : (tensor<0x3xi64>) -> tensor<3xi64>
  return
}

// CHECK-LABEL: func.func @amin
func.func @amin(%arg0: tensor<2x3x4xf32>) {
  // CHECK-NEXT: %0 = "lazy.amin"(%arg0) {dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %0 = "lazy.amin"(%arg0) {dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @all
func.func @all(%arg0: tensor<2x3xi1>) {
  // CHECK-NEXT: %0 = "lazy.all"(%arg0) {dims = array<i64: 1>} : (tensor<2x3xi1>) -> tensor<2xi1>
  %0 = "lazy.all"(%arg0) {dims = array<i64: 1>} : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// CHECK-LABEL: func.func @any
func.func @any(%arg0: tensor<2x3xi1>) {
  // CHECK-NEXT: %0 = "lazy.any"(%arg0) {dims = array<i64: 1>} : (tensor<2x3xi1>) -> tensor<2xi1>
  %0 = "lazy.any"(%arg0) {dims = array<i64: 1>} : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// CHECK-LABEL: func.func @max
func.func @max(%arg0: tensor<2x3xbf16>, %arg1: tensor<2xi1>) {
  // CHECK-NEXT: %0:2 = "lazy.max"(%arg0) {dim = 1 : i64} : (tensor<2x3xbf16>) -> (tensor<2xbf16>, tensor<2xi64>)
  %0:2 = "lazy.max"(%arg0) {dim = 1 : i64} : (tensor<2x3xbf16>) -> (tensor<2xbf16>, tensor<2xi64>)
  // CHECK-NEXT: %1:2 = "lazy.max"(%arg1) {dim = 0 : i64} : (tensor<2xi1>) -> (tensor<i1>, tensor<i64>)
  %1:2 = "lazy.max"(%arg1) {dim = 0 : i64} : (tensor<2xi1>) -> (tensor<i1>, tensor<i64>)
  return
}

// CHECK-LABEL: func.func @min
func.func @min(%arg0: tensor<2x3xbf16>) {
  // CHECK-NEXT: %0:2 = "lazy.min"(%arg0) {dim = 1 : i64} : (tensor<2x3xbf16>) -> (tensor<2xbf16>, tensor<2xi64>)
  %0:2 = "lazy.min"(%arg0) {dim = 1 : i64} : (tensor<2x3xbf16>) -> (tensor<2xbf16>, tensor<2xi64>)
  return
}

// CHECK-LABEL: func.func @cumsum
func.func @cumsum(%arg0: tensor<2x3xf32>, %arg1: tensor<3xcomplex<f64>>) {
  // CHECK-NEXT: %0 = "lazy.cumsum"(%arg0) {dim = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = "lazy.cumsum"(%arg0) {dim = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %1 = "lazy.cumsum"(%arg1) {dim = 0 : i64} : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %1 = "lazy.cumsum"(%arg1) {dim = 0 : i64} : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @cumprod
func.func @cumprod(%arg0: tensor<2x3xf32>) {
  // CHECK-NEXT: %0 = "lazy.cumprod"(%arg0) {dim = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = "lazy.cumprod"(%arg0) {dim = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
