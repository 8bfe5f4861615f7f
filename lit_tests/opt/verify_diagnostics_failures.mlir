// What does not match is an error, either way round.
// RUN: not lazymlir-opt %s --verify-diagnostics --split-input-file 2>&1 | filecheck %s

// CHECK: failures.mlir:6:3: error: unexpected error: lazy.exp: result type is tensor<3xf32>
func.func @unexpected(%x: tensor<2x3xf32>) {
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

// CHECK: failures.mlir:14:6: error: expected error "never said" was not produced
func.func @not_produced() {
  // expected-error@below {{never said}}
  return
}

// -----

// CHECK: failures.mlir:24:3: error: unexpected error: lazy.exp
// CHECK: failures.mlir:23:6: error: expected warning "lazy.exp" was not produced
func.func @other_severity(%x: tensor<2x3xf32>) {
  // expected-warning@below {{lazy.exp}}
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

// CHECK: failures.mlir:33:6: error: expected error "lazy.exp" was not produced
func.func @counted_once(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.exp}}
  // expected-error@below {{lazy.exp}}
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

// CHECK: failures.mlir:42:6: error: {{.*}}is wrong: no expectation: write
func.func @malformed() {
  // expected-error@below {one brace}
  return
}
