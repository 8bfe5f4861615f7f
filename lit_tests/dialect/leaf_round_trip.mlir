// Round trip: Leaves.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @leaf
func.func @leaf() {
  // CHECK-NEXT: %0 = "lazy.constant"() {value = 1.500000e+00 : f64} : () -> tensor<2x3xf32>
  %0 = "lazy.constant"() {value = 1.500000e+00 : f64} : () -> tensor<2x3xf32>
  // CHECK-NEXT: %1 = "lazy.constant"() {value = 7 : i64} : () -> tensor<4xi64>
  %1 = "lazy.constant"() {value = 7 : i64} : () -> tensor<4xi64>
  // CHECK-NEXT: %2 = "lazy.constant"() {value = 2 : i64} : () -> tensor<2xf32>
  %2 = "lazy.constant"() {value = 2 : i64} : () -> tensor<2xf32>
  // CHECK-NEXT: %3 = "lazy.constant"() {value = true} : () -> tensor<2xi1>
  %3 = "lazy.constant"() {value = true} : () -> tensor<2xi1>
  // CHECK-NEXT: %4 = "lazy.constant"() {value = 0x7FF0000000000000 : f64} : () -> tensor<f64>
  %4 = "lazy.constant"() {value = 0x7FF0000000000000 : f64} : () -> tensor<f64>
  // CHECK-NEXT: %5 = "lazy.constant"() {value = -0.000000e+00 : f64} : () -> tensor<0x2xbf16>
  %5 = "lazy.constant"() {value = -0.000000e+00 : f64} : () -> tensor<0x2xbf16>
  // CHECK-NEXT: %6 = "lazy.constant"() {value = [1.000000e+00, -2.000000e+00]} : () -> tensor<2xcomplex<f32>>
  %6 = "lazy.constant"() {value = [1.000000e+00, -2.000000e+00]} : () -> tensor<2xcomplex<f32>>
  // CHECK-NEXT: %7 = "lazy.scalar"() {kind = "float", slot = 0 : i64} : () -> tensor<f64>
  %7 = "lazy.scalar"() {kind = "float", slot = 0 : i64} : () -> tensor<f64>
  // CHECK-NEXT: %8 = "lazy.scalar"() {kind = "int", slot = 1 : i64} : () -> tensor<i64>
  %8 = "lazy.scalar"() {kind = "int", slot = 1 : i64} : () -> tensor<i64>
  // CHECK-NEXT: %9 = "lazy.scalar"() {kind = "complex", slot = 2 : i64} : () -> tensor<complex<f64>>
  %9 = "lazy.scalar"() {kind = "complex", slot = 2 : i64} : () -> tensor<complex<f64>>
  // CHECK-NEXT: %10 = "lazy.scalar"() {kind = "index", slot = 3 : i64} : () -> tensor<i64>
  %10 = "lazy.scalar"() {kind = "index", slot = 3 : i64} : () -> tensor<i64>
  // CHECK-NEXT: %11 = "lazy.scalar"() {kind = "key", slot = 4 : i64} : () -> tensor<i64>
  %11 = "lazy.scalar"() {kind = "key", slot = 4 : i64} : () -> tensor<i64>
  // CHECK-NEXT: %12 = "lazy.scalar"() {kind = "float", slot = 5 : i64, value = 1.000000e-01 : f64} : () -> tensor<f64>
  %12 = "lazy.scalar"() {kind = "float", slot = 5 : i64, value = 1.000000e-01 : f64} : () -> tensor<f64>
  // CHECK-NEXT: %13 = "lazy.iota"() {dim = 1 : i64} : () -> tensor<2x3xi64>
  %13 = "lazy.iota"() {dim = 1 : i64} : () -> tensor<2x3xi64>
  // CHECK-NEXT: %14 = "lazy.iota"() {dim = 0 : i64} : () -> tensor<5xbf16>
  %14 = "lazy.iota"() {dim = 0 : i64} : () -> tensor<5xbf16>
  // CHECK-NEXT: %15 = "lazy.count"() {value = 29 : i64} : () -> tensor<i64>
  %15 = "lazy.count"() {value = 29 : i64} : () -> tensor<i64>
  // CHECK-NEXT: %16 = "lazy.table"(%15) {kind = "float", slots = array<i64: 6, 8>} : (tensor<i64>) -> tensor<f64>
  %16 = "lazy.table"(%15) {kind = "float", slots = array<i64: 6, 8>} : (tensor<i64>) -> tensor<f64>
  return
}
