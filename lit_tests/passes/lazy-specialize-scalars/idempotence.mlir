// Running the pass twice is running it once.
// RUN: lazymlir-opt %s --lazy-specialize-scalars --lazy-specialize-scalars | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.constant"() {slot = 0 : i64, value = 1.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.scalar"() {kind = "float", slot = 1 : i64}
// CHECK-NEXT: return %0, %1
func.func @f() -> (tensor<f64>, tensor<f64>) {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "float", value = 1.0 : f64} : () -> tensor<f64>
  %1 = "lazy.scalar"() {slot = 1 : i64, kind = "float", value = 2.0 : f64} : () -> tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}
