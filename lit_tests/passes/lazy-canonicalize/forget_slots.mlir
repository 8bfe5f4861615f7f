// Constants lose the slot that they came from, so that equal ones become one.
// RUN: lazymlir-opt %s --lazy-canonicalize --cse | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 1.000000e+00 : f64}
// CHECK-NEXT: return %0, %0
func.func @f() -> (tensor<f64>, tensor<f64>) {
  %0 = "lazy.constant"() {value = 1.0 : f64, slot = 0 : i64} : () -> tensor<f64>
  %1 = "lazy.constant"() {value = 1.0 : f64, slot = 1 : i64} : () -> tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}
