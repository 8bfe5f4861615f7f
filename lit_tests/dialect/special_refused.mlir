// Refused: Special functions.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @two_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@below {{lazy.zeta: operands differ: tensor<2xf32> and tensor<2xf64>}}
  %r = "lazy.zeta"(%x, %y) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @short_floats(%x: tensor<2xf16>) {
  // expected-error@below {{lazy.igamma: not defined on f16}}
  %r = "lazy.igamma"(%x, %x) : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return
}

// -----

func.func @integers(%x: tensor<2xi64>) {
  // expected-error@below {{lazy.igammac: not defined on i64}}
  %r = "lazy.igammac"(%x, %x) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @unknown_family(%x: tensor<2xf32>, %n: tensor<2xi64>) {
  // expected-error@below {{lazy.orthogonal_polynomial: family 'jacobi' is none of chebyshev_t, }}
  %r = "lazy.orthogonal_polynomial"(%x, %n) {family = "jacobi"} : (tensor<2xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @degree_of_floats(%x: tensor<2xf32>) {
  // expected-error@below {{lazy.orthogonal_polynomial: operands are tensor<2xf32> and tensor<2xf32>}}
  %r = "lazy.orthogonal_polynomial"(%x, %x) {family = "legendre_p"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @booleans(%x: tensor<2xi1>) {
  // expected-error@below {{lazy.gcd: operands are tensor<2xi1> and tensor<2xi1>}}
  %r = "lazy.gcd"(%x, %x) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}
