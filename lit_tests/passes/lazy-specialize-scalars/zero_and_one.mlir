// Numbers that are 0 or 1 become constants, which keep the slot that they came from.
// RUN: lazymlir-opt %s --lazy-specialize-scalars | filecheck %s

// CHECK-LABEL: func.func @floats(
// CHECK-NEXT: %0 = "lazy.constant"() {slot = 3 : i64, value = 0.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.constant"() {slot = 4 : i64, value = 1.000000e+00 : f64}
// CHECK-NEXT: return %0, %1
func.func @floats() -> (tensor<f64>, tensor<f64>) {
  %0 = "lazy.scalar"() {slot = 3 : i64, kind = "float", value = 0.0 : f64} : () -> tensor<f64>
  %1 = "lazy.scalar"() {slot = 4 : i64, kind = "float", value = 1.0 : f64} : () -> tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}

// CHECK-LABEL: func.func @integers(
// CHECK-NEXT: %0 = "lazy.constant"() {slot = 0 : i64, value = 0 : i64}
// CHECK-NEXT: %1 = "lazy.constant"() {slot = 1 : i64, value = 1 : i64}
// CHECK-NEXT: return %0, %1
func.func @integers() -> (tensor<i64>, tensor<i64>) {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "int", value = 0 : i64} : () -> tensor<i64>
  %1 = "lazy.scalar"() {slot = 1 : i64, kind = "int", value = 1 : i64} : () -> tensor<i64>
  return %0, %1 : tensor<i64>, tensor<i64>
}

// CHECK-LABEL: func.func @complex(
// CHECK-NEXT: %0 = "lazy.constant"() {slot = 0 : i64, value = [0.000000e+00, 0.000000e+00]}
// CHECK-NEXT: %1 = "lazy.constant"() {slot = 1 : i64, value = [1.000000e+00, 0.000000e+00]}
// CHECK-NEXT: return %0, %1
func.func @complex() -> (tensor<complex<f64>>, tensor<complex<f64>>) {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "complex", value = [0.0, 0.0]} : () -> tensor<complex<f64>>
  %1 = "lazy.scalar"() {slot = 1 : i64, kind = "complex", value = [1.0, 0.0]} : () -> tensor<complex<f64>>
  return %0, %1 : tensor<complex<f64>>, tensor<complex<f64>>
}
