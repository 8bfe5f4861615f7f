// Round trip: Fourier transforms.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @fft
func.func @fft(%arg0: tensor<2x3xcomplex<f32>>, %arg1: tensor<4x5xf64>, %arg2: tensor<4x3xcomplex<f64>>) {
  // CHECK-NEXT: %0 = "lazy.fft"(%arg0) {dims = array<i64: 1, 0>, kind = "ifft", lengths = array<i64: 3, 2>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  %0 = "lazy.fft"(%arg0) {dims = array<i64: 1, 0>, kind = "ifft", lengths = array<i64: 3, 2>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  // CHECK-NEXT: %1 = "lazy.fft"(%arg1) {dims = array<i64: 0>, kind = "rfft", lengths = array<i64: 4>} : (tensor<4x5xf64>) -> tensor<3x5xcomplex<f64>>
  %1 = "lazy.fft"(%arg1) {dims = array<i64: 0>, kind = "rfft", lengths = array<i64: 4>} : (tensor<4x5xf64>) -> tensor<3x5xcomplex<f64>>
  // CHECK-NEXT: %2 = "lazy.fft"(%arg2) {dims = array<i64: 0, 1>, kind = "irfft", lengths = array<i64: 4, 5>} : (tensor<4x3xcomplex<f64>>) -> tensor<4x5xf64>
  %2 = "lazy.fft"(%arg2) {dims = array<i64: 0, 1>, kind = "irfft", lengths = array<i64: 4, 5>} : (tensor<4x3xcomplex<f64>>) -> tensor<4x5xf64>
  return
}
