// A scalar marked `general` is never specialised.
// RUN: lazymlir-opt %s --lazy-specialize-scalars | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.scalar"() {kind = "float", slot = 0 : i64}
// CHECK-NEXT: %1 = "lazy.scalar"() {kind = "int", slot = 1 : i64}
// CHECK-NEXT: return %0, %1
func.func @f() -> (tensor<f64>, tensor<i64>) {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "float", value = 1.0 : f64, general} : () -> tensor<f64>
  %1 = "lazy.scalar"() {slot = 1 : i64, kind = "int", value = 7 : i64, general} : () -> tensor<i64>
  return %0, %1 : tensor<f64>, tensor<i64>
}
