// Refused: Elementwise operations.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @floor(%x: tensor<2xi64>) {
  // expected-error@below {{lazy.floor: not defined on i64}}
  %r = "lazy.floor"(%x) : (tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @erf(%x: tensor<2xcomplex<f32>>) {
  // expected-error@below {{lazy.erf: not defined on complex<f32>}}
  %r = "lazy.erf"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @exp(%x: tensor<2xi64>) {
  // expected-error@below {{lazy.exp: not defined on i64}}
  %r = "lazy.exp"(%x) : (tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @neg(%x: tensor<2xi1>) {
  // expected-error@below {{lazy.neg: not defined on i1}}
  %r = "lazy.neg"(%x) : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @bitwise_not(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.bitwise_not: not defined on f32}}
  %r = "lazy.bitwise_not"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @popcount(%x: tensor<2xi1>) {
  // expected-error@below {{lazy.popcount: not defined on i1}}
  %r = "lazy.popcount"(%x) : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @exp(%x: tensor<2xf8E4M3FN>) {
  // expected-error@below {{lazy.exp: not defined on f8E4M3FN}}
  %r = "lazy.exp"(%x) : (tensor<2xf8E4M3FN>) -> tensor<2xf8E4M3FN>
  return
}

// -----

func.func @add(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error@below {{lazy.add: operands differ: tensor<2x3xf32> and tensor<3xf32>}}
  %r = "lazy.add"(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @add(%x: tensor<2x3xf32>, %y: tensor<2x3xf64>) {
  // expected-error@below {{lazy.add: operands differ: tensor<2x3xf32> and tensor<2x3xf64>}}
  %r = "lazy.add"(%x, %y) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @add(%x: tensor<2xi1>, %y: tensor<2xi1>) {
  // expected-error@below {{lazy.add: not defined on i1}}
  %r = "lazy.add"(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @maximum(%x: tensor<2xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) {
  // expected-error@below {{lazy.maximum: not defined on complex<f32>}}
  %r = "lazy.maximum"(%x, %y) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @fmod(%x: tensor<2xi1>, %y: tensor<2xi1>) {
  // expected-error@below {{lazy.fmod: not defined on i1}}
  %r = "lazy.fmod"(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @atan2(%x: tensor<2xi64>, %y: tensor<2xi64>) {
  // expected-error@below {{lazy.atan2: not defined on i64}}
  %r = "lazy.atan2"(%x, %y) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @bitwise_and(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.bitwise_and: not defined on f32}}
  %r = "lazy.bitwise_and"(%x, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @shift_left(%x: tensor<2xi1>, %y: tensor<2xi1>) {
  // expected-error@below {{lazy.shift_left: not defined on i1}}
  %r = "lazy.shift_left"(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @lt(%x: tensor<2xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) {
  // expected-error@below {{lazy.lt: not defined on complex<f32>}}
  %r = "lazy.lt"(%x, %y) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  return
}

// -----

func.func @eq(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.eq: result type is tensor<2x3xf32>, but the operands give tensor<2x3xi1>}}
  %r = "lazy.eq"(%x, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @abs(%x: tensor<2xi1>) {
  // expected-error@below {{lazy.abs: not defined on i1}}
  %r = "lazy.abs"(%x) : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @abs(%x: tensor<2xcomplex<f32>>) {
  // expected-error@below {{lazy.abs: result type is tensor<2xcomplex<f32>>, but the operands give tensor<2xf32>}}
  %r = "lazy.abs"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @is_finite(%x: tensor<2xi64>) {
  // expected-error@below {{lazy.is_finite: not defined on i64}}
  %r = "lazy.is_finite"(%x) : (tensor<2xi64>) -> tensor<2xi1>
  return
}

// -----

func.func @where(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %z: tensor<2x3xf32>) {
  // expected-error@below {{lazy.where: the condition must be i1, got f32}}
  %r = "lazy.where"(%x, %y, %z) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @where(%x: tensor<2x3xi1>, %y: tensor<2x3xf32>, %z: tensor<2x3xf64>) {
  // expected-error@below {{lazy.where: operands differ: tensor<2x3xf32> and tensor<2x3xf64>}}
  %r = "lazy.where"(%x, %y, %z) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @where(%x: tensor<3xi1>, %y: tensor<2x3xf32>, %z: tensor<2x3xf32>) {
  // expected-error@below {{lazy.where: the condition has shape (3,), the operands (2, 3)}}
  %r = "lazy.where"(%x, %y, %z) : (tensor<3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @complex(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@below {{lazy.complex: operands differ: tensor<2xf32> and tensor<2xf64>}}
  %r = "lazy.complex"(%x, %y) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @complex(%x: tensor<2xf16>, %y: tensor<2xf16>) {
  // expected-error@below {{lazy.complex: no complex type has parts of f16}}
  %r = "lazy.complex"(%x, %y) : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @real(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.real: not defined on f32}}
  %r = "lazy.real"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @imag(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.imag: not defined on f32}}
  %r = "lazy.imag"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pow_scalar(%x: tensor<2xi1>, %y: tensor<i1>) {
  // expected-error@below {{lazy.pow_scalar: not defined on i1}}
  %r = "lazy.pow_scalar"(%x, %y) : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  return
}

// -----

func.func @pow_scalar(%x: tensor<2xbf16>, %y: tensor<f32>) {
  // expected-error@below {{lazy.pow_scalar: the exponent must be tensor<bf16>, got tensor<f32>}}
  %r = "lazy.pow_scalar"(%x, %y) : (tensor<2xbf16>, tensor<f32>) -> tensor<2xbf16>
  return
}
