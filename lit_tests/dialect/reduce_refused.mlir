// Refused: Reductions and scans.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @sum(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.sum: dims [0, 0] repeat}}
  %r = "lazy.sum"(%x) {dims = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @sum(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.sum: dims [2] are not all dimensions of tensor<2x3xf32>}}
  %r = "lazy.sum"(%x) {dims = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @amax(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.amax: dims [-1] are not all dimensions of tensor<2x3xf32>}}
  %r = "lazy.amax"(%x) {dims = array<i64: -1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @sum(%x: tensor<2xi1>) {
  // expected-error@below {{lazy.sum: not defined on i1}}
  %r = "lazy.sum"(%x) {dims = array<i64: 0>} : (tensor<2xi1>) -> tensor<i1>
  return
}

// -----

func.func @all(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.all: not defined on f32}}
  %r = "lazy.all"(%x) {dims = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @amin(%x: tensor<2xcomplex<f32>>) {
  // expected-error@below {{lazy.amin: not defined on complex<f32>}}
  %r = "lazy.amin"(%x) {dims = array<i64: 0>} : (tensor<2xcomplex<f32>>) -> tensor<complex<f32>>
  return
}

// -----

func.func @max(%x: tensor<2xcomplex<f32>>) {
  // expected-error@below {{lazy.max: not defined on complex<f32>}}
  %r:2 = "lazy.max"(%x) {dim = 0 : i64} : (tensor<2xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<i64>)
  return
}

// -----

func.func @max(%x: tensor<0x3xf32>) {
  // expected-error@below {{lazy.max: dimension 0 of tensor<0x3xf32> is empty}}
  %r:2 = "lazy.max"(%x) {dim = 0 : i64} : (tensor<0x3xf32>) -> (tensor<3xf32>, tensor<3xi64>)
  return
}

// -----

func.func @min(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.min: dims [5] are not all dimensions of tensor<2x3xf32>}}
  %r:2 = "lazy.min"(%x) {dim = 5 : i64} : (tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3xi64>)
  return
}

// -----

func.func @cumsum(%x: tensor<2xi1>) {
  // expected-error@below {{lazy.cumsum: not defined on i1}}
  %r = "lazy.cumsum"(%x) {dim = 0 : i64} : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @cumprod(%x: tensor<f32>) {
  // expected-error@below {{lazy.cumprod: dim 0 is no dimension of tensor<f32>}}
  %r = "lazy.cumprod"(%x) {dim = 0 : i64} : (tensor<f32>) -> tensor<f32>
  return
}
