// A part at fault is reported at its line of the whole file; the others are printed all the same.
// RUN: not lazymlir-opt %s --split-input-file 2>&1 | filecheck %s

// CHECK: split_input_file_errors.mlir:16:10: error: use of undeclared SSA value name
// CHECK-NEXT: {{^}}  return %missing : tensor<2xf32>
// CHECK-NEXT: {{^}}         ^
// CHECK: func.func @first
// CHECK-NOT: func.func @second
// CHECK: func.func @third
func.func @first() {
  return
}
// -----
// The second part.
func.func @second() -> tensor<2xf32> {
  return %missing : tensor<2xf32>
}
// -----
func.func @third() {
  return
}
