// Refused: Rules that hold for every operation: operand counts, kinds of attributes, types.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @add(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.add: takes 2 operands, got 1}}
  %r = "lazy.add"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @add(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %z: tensor<2x3xf32>) {
  // expected-error@below {{lazy.add: takes 2 operands, got 3}}
  %r = "lazy.add"(%x, %y, %z) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @slice() {
  // expected-error@below {{lazy.slice: takes at least 1 operands, got 0}}
  %r = "lazy.slice"() {sizes = array<i64>, starts = array<i64>, steps = array<i64>} : () -> tensor<2x3xf32>
  return
}

// -----

func.func @permute(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.permute: attribute 'dims' (array<i64>) is missing}}
  %r = "lazy.permute"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @permute(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.permute: attribute 'dims' must be of kind array<i64>, got 1 : i64}}
  %r = "lazy.permute"(%x) {dims = 1 : i64} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @permute(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.permute: attribute 'dims' must be of kind array<i64>, got array<i32: 1, 0>}}
  %r = "lazy.permute"(%x) {dims = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @cumsum(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.cumsum: attribute 'dim' must be of kind i64, got array<i64: 0>}}
  %r = "lazy.cumsum"(%x) {dim = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @cast(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.cast: attribute 'dtype' must be of kind type, got "f32"}}
  %r = "lazy.cast"(%x) {dtype = "f32"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @scalar() {
  // expected-error@below {{lazy.scalar: attribute 'kind' must be of kind string, got f64}}
  %r = "lazy.scalar"() {slot = 0 : i64, kind = f64} : () -> tensor<f64>
  return
}

// -----

func.func @sort(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.sort: attribute 'descending' must be of kind bool, got "yes"}}
  %r:2 = "lazy.sort"(%x) {dim = 0 : i64, descending = "yes"} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return
}

// -----

func.func @constant() {
  // expected-error@below {{lazy.constant: attribute 'value' must be of kind number, got "1"}}
  %r = "lazy.constant"() {value = "1"} : () -> tensor<2x3xf32>
  return
}

// -----

func.func @exp(%x: f32) {
  // expected-error@below {{lazy.exp: f32 is no ranked tensor}}
  %r = "lazy.exp"(%x) : (f32) -> f32
  return
}

// -----

func.func @exp(%x: tensor<*xf32>) {
  // expected-error@below {{lazy.exp: tensor<*xf32> is no ranked tensor}}
  %r = "lazy.exp"(%x) : (tensor<*xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @exp(%x: tensor<?x3xf32>) {
  // expected-error@below {{lazy.exp: tensor<?x3xf32> has a dynamic dimension; lazy has static shapes only}}
  %r = "lazy.exp"(%x) : (tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @exp(%x: vector<2xf32>) {
  // expected-error@below {{lazy.exp: vector<2xf32> is no ranked tensor}}
  %r = "lazy.exp"(%x) : (vector<2xf32>) -> vector<2xf32>
  return
}

// -----

func.func @exp(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.exp: result type is tensor<3x2xf32>, but the operands give tensor<2x3xf32>}}
  %r = "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @exp(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.exp: result type is tensor<2x3xf64>, but the operands give tensor<2x3xf32>}}
  %r = "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

// -----

func.func @max(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.max: result type is tensor<3xf32>, tensor<3xi32>, but the operands give tensor<3xf32>, tensor<3xi64>}}
  %r:2 = "lazy.max"(%x) {dim = 0 : i64} : (tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  return
}
