// Refused: Checks.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @no_booleans(%x: tensor<2xi64>) {
  // expected-error@below {{lazy.check: a check is booleans, at least one, not tensor<2xi64>}}
  %r = "lazy.check"(%x, %x) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @told_of_another_shape(%x: tensor<2xi1>, %y: tensor<3xi64>) {
  // expected-error@below {{lazy.check: what tensor<2xi1> tells must be i64 of its shape, not tensor<3xi64>}}
  %r = "lazy.check"(%x, %y) : (tensor<2xi1>, tensor<3xi64>) -> tensor<2xi64>
  return
}
