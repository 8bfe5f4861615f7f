// The number of a scalar must be of its kind.
// RUN: lazymlir-opt %s --lazy-specialize-scalars --split-input-file --verify-diagnostics

func.func @f() -> tensor<f64> {
  // expected-error@+1 {{the value of a scalar of kind float cannot be 1 : i64}}
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "float", value = 1 : i64} : () -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @f() -> tensor<i64> {
  // expected-error@+1 {{the value of a scalar of kind index cannot be "one"}}
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "index", value = "one"} : () -> tensor<i64>
  return %0 : tensor<i64>
}
