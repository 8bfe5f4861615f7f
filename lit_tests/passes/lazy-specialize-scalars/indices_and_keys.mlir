// A slice start or a random key of 0 or 1 is no reason for a program of its own.
// RUN: lazymlir-opt %s --lazy-specialize-scalars | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.scalar"() {kind = "index", slot = 0 : i64}
// CHECK-NEXT: %1 = "lazy.scalar"() {kind = "key", slot = 1 : i64}
// CHECK-NEXT: return %0, %1
func.func @f() -> (tensor<i64>, tensor<i64>) {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "index", value = 0 : i64} : () -> tensor<i64>
  %1 = "lazy.scalar"() {slot = 1 : i64, kind = "key", value = 1 : i64} : () -> tensor<i64>
  return %0, %1 : tensor<i64>, tensor<i64>
}
