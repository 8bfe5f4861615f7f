// A fault in a recorded graph is reported at the user's line.
// RUN: not lazymlir-opt %s --split-input-file 2>&1 | filecheck %s

// CHECK: train.py:31:7: error: lazy.exp: result type is tensor<3xf32>
func.func @recorded(%x: tensor<2x3xf32>) {
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32> loc("train.py":31:7)
  return
}

// -----

// CHECK: model.py:4:1: error: lazy.exp
func.func @inlined(%x: tensor<2x3xf32>) {
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32> loc(callsite("forward"("model.py":4:1) at "train.py":31:7))
  return
}

// -----

// CHECK: user_locations.mlir: error: lazy.exp
func.func @nowhere(%x: tensor<2x3xf32>) {
  "lazy.exp"(%x) : (tensor<2x3xf32>) -> tensor<3xf32> loc(unknown)
  return
}
