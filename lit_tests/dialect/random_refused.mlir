// Refused: Random bits.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @random_bits(%x: tensor<2xi64>) {
  // expected-error@below {{lazy.random_bits: the key must be tensor<i64>, got tensor<2xi64>}}
  %r = "lazy.random_bits"(%x) : (tensor<2xi64>) -> tensor<2xui32>
  return
}

// -----

func.func @random_bits(%x: tensor<i64>) {
  // expected-error@below {{lazy.random_bits: bits come as ui32 or ui64, not as i32}}
  %r = "lazy.random_bits"(%x) : (tensor<i64>) -> tensor<2xi32>
  return
}
