// Any other number becomes a parameter, and leaves no trace in the text; -0.0 is not 0.
// RUN: lazymlir-opt %s --lazy-specialize-scalars | filecheck %s

// CHECK-LABEL: func.func @floats(
// CHECK-NEXT: %0 = "lazy.scalar"() {kind = "float", slot = 0 : i64}
// CHECK-NEXT: %1 = "lazy.scalar"() {kind = "float", slot = 1 : i64}
// CHECK-NEXT: %2 = "lazy.scalar"() {kind = "float", slot = 2 : i64}
// CHECK-NEXT: return %0, %1, %2
func.func @floats() -> (tensor<f64>, tensor<f64>, tensor<f64>) {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "float", value = 0.9 : f64} : () -> tensor<f64>
  %1 = "lazy.scalar"() {slot = 1 : i64, kind = "float", value = -0.0 : f64} : () -> tensor<f64>
  %2 = "lazy.scalar"() {slot = 2 : i64, kind = "float", value = 0x7FF8000000000000 : f64} : () -> tensor<f64>
  return %0, %1, %2 : tensor<f64>, tensor<f64>, tensor<f64>
}

// CHECK-LABEL: func.func @integers(
// CHECK-NEXT: %0 = "lazy.scalar"() {kind = "int", slot = 0 : i64}
// CHECK-NEXT: %1 = "lazy.scalar"() {kind = "int", slot = 1 : i64}
// CHECK-NEXT: return %0, %1
func.func @integers() -> (tensor<i64>, tensor<i64>) {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "int", value = -1 : i64} : () -> tensor<i64>
  %1 = "lazy.scalar"() {slot = 1 : i64, kind = "int", value = 2 : i64} : () -> tensor<i64>
  return %0, %1 : tensor<i64>, tensor<i64>
}

// CHECK-LABEL: func.func @complex(
// CHECK-NEXT: %0 = "lazy.scalar"() {kind = "complex", slot = 0 : i64}
// CHECK-NEXT: %1 = "lazy.scalar"() {kind = "complex", slot = 1 : i64}
// CHECK-NEXT: %2 = "lazy.scalar"() {kind = "complex", slot = 2 : i64}
// CHECK-NEXT: return %0, %1, %2
func.func @complex() -> (tensor<complex<f64>>, tensor<complex<f64>>, tensor<complex<f64>>) {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "complex", value = [0.0, -0.0]} : () -> tensor<complex<f64>>
  %1 = "lazy.scalar"() {slot = 1 : i64, kind = "complex", value = [-0.0, 0.0]} : () -> tensor<complex<f64>>
  %2 = "lazy.scalar"() {slot = 2 : i64, kind = "complex", value = [1.0, 1.0]} : () -> tensor<complex<f64>>
  return %0, %1, %2 : tensor<complex<f64>>, tensor<complex<f64>>, tensor<complex<f64>>
}

// CHECK-LABEL: func.func @no_number_known(
// CHECK-NEXT: %0 = "lazy.scalar"() {kind = "float", slot = 0 : i64}
// CHECK-NEXT: return %0
func.func @no_number_known() -> tensor<f64> {
  %0 = "lazy.scalar"() {slot = 0 : i64, kind = "float"} : () -> tensor<f64>
  return %0 : tensor<f64>
}
