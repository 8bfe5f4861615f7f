// Refused: Linear algebra.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @cholesky(%x: tensor<3x2xf32>) {
  // expected-error@below {{lazy.cholesky: tensor<3x2xf32> holds no square matrices}}
  %r:2 = "lazy.cholesky"(%x) : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<i32>)
  return
}

// -----

func.func @matrix_exp(%x: tensor<3x3xf16>) {
  // expected-error@below {{lazy.matrix_exp: operand is tensor<3x3xf16>}}
  %r = "lazy.matrix_exp"(%x) : (tensor<3x3xf16>) -> tensor<3x3xf16>
  return
}

// -----

func.func @geqrf(%x: tensor<0x3xf32>) {
  // expected-error@below {{lazy.geqrf: operand is tensor<0x3xf32>}}
  %r:2 = "lazy.geqrf"(%x) : (tensor<0x3xf32>) -> (tensor<0x3xf32>, tensor<0xf32>)
  return
}

// -----

func.func @pivot_order(%x: tensor<3xi32>) {
  // expected-error@below {{lazy.pivot_order: pivots are tensor<3xi32>, of 2 rows}}
  %r = "lazy.pivot_order"(%x) {rows = 2 : i64} : (tensor<3xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @triangular_solve(%x: tensor<3x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.triangular_solve: tensor<3x3xf32> does not fit tensor<2x3xf32>}}
  %r = "lazy.triangular_solve"(%x, %y) {left = true, lower = true, transpose = "none", unit = false} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @triangular_solve(%x: tensor<3x3xf32>) {
  // expected-error@below {{lazy.triangular_solve: transpose 'both' is none of none, transpose, adjoint}}
  %r = "lazy.triangular_solve"(%x, %x) {left = true, lower = true, transpose = "both", unit = false} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @householder_product(%x: tensor<3x5xf32>, %y: tensor<2xf32>) {
  // expected-error@below {{lazy.householder_product: tensor<3x5xf32> has more columns than rows}}
  %r = "lazy.householder_product"(%x, %y) : (tensor<3x5xf32>, tensor<2xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @ormqr(%x: tensor<5x3xf32>, %y: tensor<4xf32>) {
  // expected-error@below {{lazy.ormqr: 4 scales for tensor<5x3xf32>}}
  %r = "lazy.ormqr"(%x, %y, %x) {adjoint = true, left = true} : (tensor<5x3xf32>, tensor<4xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @triangular_solve(%x: tensor<3x3xf32>, %y: tensor<2x3x3xf32>) {
  // expected-error@below {{lazy.triangular_solve: operands are tensor<3x3xf32> and tensor<2x3x3xf32>}}
  %r = "lazy.triangular_solve"(%x, %y) {left = true, lower = true, transpose = "none", unit = false} : (tensor<3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return
}

// -----

func.func @householder_product(%x: tensor<5x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.householder_product: scales are tensor<2x3xf32>, reflectors tensor<5x3xf32>}}
  %r = "lazy.householder_product"(%x, %y) : (tensor<5x3xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @ormqr(%x: tensor<5x3xf32>, %y: tensor<3xf32>, %z: tensor<5x3xf64>) {
  // expected-error@below {{lazy.ormqr: operands are tensor<5x3xf32> and tensor<5x3xf64>}}
  %r = "lazy.ormqr"(%x, %y, %z) {adjoint = true, left = true} : (tensor<5x3xf32>, tensor<3xf32>, tensor<5x3xf64>) -> tensor<5x3xf64>
  return
}

// -----

func.func @ormqr(%x: tensor<5x3xf32>, %y: tensor<3xf32>, %z: tensor<5x3xf32>) {
  // expected-error@below {{lazy.ormqr: tensor<5x3xf32> does not fit tensor<5x3xf32>}}
  %r = "lazy.ormqr"(%x, %y, %z) {adjoint = true, left = false} : (tensor<5x3xf32>, tensor<3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return
}
