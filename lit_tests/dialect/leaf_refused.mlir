// Refused: Leaves.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @constant() {
  // expected-error@below {{lazy.constant: a complex value cannot fill tensor<2x3xf32>}}
  %r = "lazy.constant"() {value = [1.000000e+00, 2.000000e+00]} : () -> tensor<2x3xf32>
  return
}

// -----

func.func @constant() {
  // expected-error@below {{lazy.constant: a float value cannot fill tensor<2xi64>}}
  %r = "lazy.constant"() {value = 1.500000e+00 : f64} : () -> tensor<2xi64>
  return
}

// -----

func.func @scalar() {
  // expected-error@below {{lazy.scalar: kind 'text' is none of float, int, complex, index, key}}
  %r = "lazy.scalar"() {kind = "text", slot = 0 : i64} : () -> tensor<f64>
  return
}

// -----

func.func @scalar() {
  // expected-error@below {{lazy.scalar: slot -1 is negative}}
  %r = "lazy.scalar"() {kind = "float", slot = -1 : i64} : () -> tensor<f64>
  return
}

// -----

func.func @scalar() {
  // expected-error@below {{lazy.scalar: result type is tensor<f32>, but the operands give tensor<f64>}}
  %r = "lazy.scalar"() {kind = "float", slot = 0 : i64} : () -> tensor<f32>
  return
}

// -----

func.func @iota() {
  // expected-error@below {{lazy.iota: dim 2 is no dimension of tensor<2x3xi64>}}
  %r = "lazy.iota"() {dim = 2 : i64} : () -> tensor<2x3xi64>
  return
}

// -----

func.func @iota() {
  // expected-error@below {{lazy.iota: dim -1 is no dimension of tensor<2x3xi64>}}
  %r = "lazy.iota"() {dim = -1 : i64} : () -> tensor<2x3xi64>
  return
}

// -----

func.func @iota() {
  // expected-error@below {{lazy.iota: cannot count in i1}}
  %r = "lazy.iota"() {dim = 0 : i64} : () -> tensor<2xi1>
  return
}

// -----

func.func @iota() {
  // expected-error@below {{lazy.iota: cannot count in complex<f32>}}
  %r = "lazy.iota"() {dim = 0 : i64} : () -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @table(%i: tensor<i64>) {
  // expected-error@below {{lazy.table: there are no slots}}
  %r = "lazy.table"(%i) {kind = "float", slots = array<i64>} : (tensor<i64>) -> tensor<f64>
  return
}

// -----

func.func @table(%i: tensor<i32>) {
  // expected-error@below {{lazy.table: the index must be tensor<i64>, got tensor<i32>}}
  %r = "lazy.table"(%i) {kind = "float", slots = array<i64: 1, 2>} : (tensor<i32>) -> tensor<f64>
  return
}

// -----

func.func @table(%i: tensor<i64>) {
  // expected-error@below {{lazy.table: slot -2 is negative}}
  %r = "lazy.table"(%i) {kind = "float", slots = array<i64: 1, -2>} : (tensor<i64>) -> tensor<f64>
  return
}
