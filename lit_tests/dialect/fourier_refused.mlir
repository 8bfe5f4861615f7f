// Refused: Fourier transforms.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @fft(%x: tensor<4xcomplex<f32>>) {
  // expected-error@below {{lazy.fft: kind 'dct' is none of fft, ifft, rfft, irfft}}
  %r = "lazy.fft"(%x) {dims = array<i64: 0>, kind = "dct", lengths = array<i64: 4>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft(%x: tensor<4xcomplex<f32>>) {
  // expected-error@below {{lazy.fft: dims [0, 0] do not fit tensor<4xcomplex<f32>>}}
  %r = "lazy.fft"(%x) {dims = array<i64: 0, 0>, kind = "fft", lengths = array<i64: 4, 4>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft(%x: tensor<4xcomplex<f32>>) {
  // expected-error@below {{lazy.fft: lengths [] do not fit dims [0]}}
  %r = "lazy.fft"(%x) {dims = array<i64: 0>, kind = "fft", lengths = array<i64>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft(%x: tensor<4xf32>) {
  // expected-error@below {{lazy.fft: fft is not defined on f32}}
  %r = "lazy.fft"(%x) {dims = array<i64: 0>, kind = "fft", lengths = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft(%x: tensor<4xf16>) {
  // expected-error@below {{lazy.fft: rfft is not defined on f16}}
  %r = "lazy.fft"(%x) {dims = array<i64: 0>, kind = "rfft", lengths = array<i64: 4>} : (tensor<4xf16>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @fft(%x: tensor<4xcomplex<f32>>) {
  // expected-error@below {{lazy.fft: tensor<4xcomplex<f32>> holds no irfft of lengths [8] along dims [0]}}
  %r = "lazy.fft"(%x) {dims = array<i64: 0>, kind = "irfft", lengths = array<i64: 8>} : (tensor<4xcomplex<f32>>) -> tensor<8xf32>
  return
}
