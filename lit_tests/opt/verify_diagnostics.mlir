// Every way to say where a diagnostic is expected.
// RUN: lazymlir-opt %s --verify-diagnostics --split-input-file --transform-interpreter

func.func @line_offset(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{lazy.exp: result type is tensor<3xf32>}}
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @negative_offset(%x: tensor<2x3xf32>) {
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32>
  // expected-error@-1 {{but the operands give tensor<2x3xf32>}}
  return
}

// -----

func.func @above(%x: tensor<2x3xf32>) {
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32>
  // expected-error@above {{lazy.exp}}
  return
}

// -----

func.func @same_line(%x: tensor<2x3xf32>) {
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32> // expected-error {{lazy.exp}}
  return
}

// -----

func.func @regular_expression(%x: tensor<2x3xf32>) {
  // expected-error-re@below {{result type is {{tensor<[0-9]+xf32>}}, but}}
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @other_file(%x: tensor<2x3xf32>) {
  // expected-error@unknown {{result type is tensor<3xf32>}}
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32> loc("train.py":7:3)
  return
}

// -----

// Expectations may be stacked: each `below` passes over the others. Notes and remarks are diagnostics of their own.
// expected-note@below {{existing symbol definition}}
func.func @twice() {
  return
}
// expected-error@below {{redefinition of symbol named 'twice'}}
func.func @twice() {
  return
}

// -----

// expected-remark@below {{seen}}
// expected-remark@below {{seen again}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.debug.emit_remark_at %root, "seen" : !transform.any_op
    transform.debug.emit_remark_at %root, "seen again" : !transform.any_op
    transform.yield
  }
}
