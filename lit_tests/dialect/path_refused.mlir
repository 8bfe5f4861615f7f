// Refused: Sums over paths.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @path_sums(%x: tensor<2x7xf32>, %skips: tensor<2x7xi1>) {
  // expected-error@below {{lazy.path_sums: not defined on tensor<2x7xf32>}}
  %r = "lazy.path_sums"(%x, %x, %skips) : (tensor<2x7xf32>, tensor<2x7xf32>, tensor<2x7xi1>) -> tensor<2x7xf32>
  return
}

// -----

func.func @path_sums(%x: tensor<5x2x7xf32>, %start: tensor<4x2x7xf32>, %skips: tensor<2x7xi1>) {
  // expected-error@below {{lazy.path_sums: start is tensor<4x2x7xf32>, x is tensor<5x2x7xf32>}}
  %r = "lazy.path_sums"(%x, %start, %skips) : (tensor<5x2x7xf32>, tensor<4x2x7xf32>, tensor<2x7xi1>) -> tensor<5x2x7xf32>
  return
}

// -----

func.func @path_sums(%x: tensor<5x2x7xf32>, %skips: tensor<7xi1>) {
  // expected-error@below {{lazy.path_sums: skips is tensor<7xi1>, where tensor<2x7xi1> is wanted}}
  %r = "lazy.path_sums"(%x, %x, %skips) : (tensor<5x2x7xf32>, tensor<5x2x7xf32>, tensor<7xi1>) -> tensor<5x2x7xf32>
  return
}
