// At most three dimensions are transformed at once, the last ones; what makes real numbers stands last and alone.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @last
// CHECK-NEXT: stablehlo.fft %arg0, type = FFT, length = [3, 4] : (tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
// CHECK-NEXT: return
func.func @last(%x: tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>> {
  %0 = "lazy.fft"(%x) {kind = "fft", dims = array<i64: 1, 2>, lengths = array<i64: 3, 4>} : (tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  return %0 : tensor<2x3x4xcomplex<f32>>
}

// CHECK-LABEL: func.func @four_real
// CHECK: stablehlo.fft {{.*}}, type = RFFT, length = [3, 4, 5] : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x3xcomplex<f32>>
// CHECK: stablehlo.transpose {{.*}}, dims = [1, 2, 3, 0]
// CHECK: stablehlo.fft {{.*}}, type = FFT, length = [2]
// CHECK: stablehlo.transpose {{.*}}, dims = [3, 0, 1, 2]
func.func @four_real(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x3xcomplex<f32>> {
  %0 = "lazy.fft"(%x) {kind = "rfft", dims = array<i64: 0, 1, 2, 3>, lengths = array<i64: 2, 3, 4, 5>} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x3xcomplex<f32>>
  return %0 : tensor<2x3x4x3xcomplex<f32>>
}

// CHECK-LABEL: func.func @back
// CHECK: stablehlo.transpose %arg0, dims = [1, 0]
// CHECK: stablehlo.fft {{.*}}, type = IFFT, length = [3]
// CHECK: stablehlo.fft {{.*}}, type = IRFFT, length = [6]
func.func @back(%x: tensor<3x4xcomplex<f64>>) -> tensor<3x6xf64> {
  %0 = "lazy.fft"(%x) {kind = "irfft", dims = array<i64: 0, 1>, lengths = array<i64: 3, 6>} : (tensor<3x4xcomplex<f64>>) -> tensor<3x6xf64>
  return %0 : tensor<3x6xf64>
}
