// -o writes the file, and leaves it alone where anything went wrong.
// RUN: lazymlir-opt %s -o %t
// RUN: filecheck %s < %t
// RUN: not lazymlir-opt %S/malformed_input.mlir -o %t
// RUN: filecheck %s < %t
// RUN: lazymlir-opt %s -o - | filecheck %s

// CHECK: func.func @f
func.func @f() {
  return
}
