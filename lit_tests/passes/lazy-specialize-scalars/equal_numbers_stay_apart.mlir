// Scalars of equal value (a learning rate that equals the momentum) never become one.
// RUN: lazymlir-opt %s --lazy-specialize-scalars --cse | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.scalar"() {kind = "float", slot = 0 : i64}
// CHECK-NEXT: %1 = "lazy.scalar"() {kind = "float", slot = 1 : i64}
// CHECK-NEXT: %2 = "lazy.constant"() {slot = 2 : i64, value = 1.000000e+00 : f64}
// CHECK-NEXT: %3 = "lazy.constant"() {slot = 3 : i64, value = 1.000000e+00 : f64}
// CHECK-NEXT: return %0, %1, %2, %3
func.func @f() -> (tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>) {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "float", value = 0.9 : f64} : () -> tensor<f64>
  %1 = "lazy.scalar"() {slot = 1 : i64, kind = "float", value = 0.9 : f64} : () -> tensor<f64>
  %2 = "lazy.scalar"() {slot = 2 : i64, kind = "float", value = 1.0 : f64} : () -> tensor<f64>
  %3 = "lazy.scalar"() {slot = 3 : i64, kind = "float", value = 1.0 : f64} : () -> tensor<f64>
  return %0, %1, %2, %3 : tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>
}
