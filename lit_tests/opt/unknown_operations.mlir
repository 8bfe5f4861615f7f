// Operations of other dialects are refused unless allowed; unknown operations of `lazy` always.
// RUN: not lazymlir-opt %s --split-input-file 2>&1 | filecheck %s
// RUN: not lazymlir-opt %s --split-input-file --allow-unregistered-dialect 2>&1 | filecheck %s --check-prefix=ALLOWED

// CHECK: unknown_operations.mlir:9:20: error: {{.*}}unregistered dialect
// ALLOWED: unregistered operation 'lazy.nothing' found in dialect ('lazy') that does not allow unknown operations
// ALLOWED: "other.operation"() : () -> ()
func.func @f() {
  "other.operation"() : () -> ()
  return
}

// -----

func.func @g() {
  "lazy.nothing"() : () -> ()
  return
}
