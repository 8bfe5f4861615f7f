// Refused: Conversions.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @cast(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.cast: index is no element type of the dialect}}
  %r = "lazy.cast"(%x) {dtype = index} : (tensor<2x3xf32>) -> tensor<2x3xindex>
  return
}

// -----

func.func @cast(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.cast: i4 is no element type of the dialect}}
  %r = "lazy.cast"(%x) {dtype = i4} : (tensor<2x3xf32>) -> tensor<2x3xi4>
  return
}

// -----

func.func @cast(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.cast: result type is tensor<2x3xf32>, but the operands give tensor<2x3xi64>}}
  %r = "lazy.cast"(%x) {dtype = i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @bitcast(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.bitcast: si32 is no element type of the dialect}}
  %r = "lazy.bitcast"(%x) {dtype = si32} : (tensor<2x3xf32>) -> tensor<2x3xsi32>
  return
}

// -----

func.func @bitcast(%x: tensor<f32>) {
  // expected-error@below {{lazy.bitcast: a 0-dim tensor of f32 cannot be read as i64: their sizes differ}}
  %r = "lazy.bitcast"(%x) {dtype = i64} : (tensor<f32>) -> tensor<i64>
  return
}

// -----

func.func @bitcast(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.bitcast: rows of 12 bytes do not divide into f64}}
  %r = "lazy.bitcast"(%x) {dtype = f64} : (tensor<2x3xf32>) -> tensor<2x1xf64>
  return
}
