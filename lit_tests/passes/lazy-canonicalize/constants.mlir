// One spelling for one constant, and exact operations on constants.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @spelling(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 1.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.constant"() {value = 44 : i64}
// CHECK-NEXT: %2 = "lazy.constant"() {value = true}
// CHECK-NEXT: %3 = "lazy.constant"() {value = 1.000000e-01 : f64}
// CHECK-NEXT: %4 = "lazy.constant"() {value = -1 : i64}
// CHECK-NEXT: return %0, %1, %2, %3, %4
func.func @spelling() -> (tensor<4xf32>, tensor<4xi8>, tensor<4xi1>, tensor<4xf32>, tensor<4xui64>) {
  %0 = "lazy.constant"() {value = 1 : i64} : () -> tensor<4xf32>
  %1 = "lazy.constant"() {value = 300 : i64} : () -> tensor<4xi8>
  %2 = "lazy.constant"() {value = 1 : i64} : () -> tensor<4xi1>
  %3 = "lazy.constant"() {value = 0.1 : f64} : () -> tensor<4xf32>
  %4 = "lazy.constant"() {value = -1 : i64} : () -> tensor<4xui64>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xi8>, tensor<4xi1>, tensor<4xf32>, tensor<4xui64>
}

// CHECK-LABEL: func.func @unary(
// CHECK-NEXT: %0 = "lazy.constant"() {value = -0.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %2 = "lazy.constant"() {value = -128 : i64}
// CHECK-NEXT: %3 = "lazy.constant"() {value = false}
// CHECK-NEXT: return %0, %1, %2, %3
func.func @unary() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi8>, tensor<4xi1>) {
  %z = "lazy.constant"() {value = 0.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.neg"(%z) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.abs"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %m = "lazy.constant"() {value = -128 : i64} : () -> tensor<4xi8>
  %2 = "lazy.neg"(%m) : (tensor<4xi8>) -> tensor<4xi8>
  %t = "lazy.constant"() {value = true} : () -> tensor<4xi1>
  %3 = "lazy.bitwise_not"(%t) : (tensor<4xi1>) -> tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xi8>, tensor<4xi1>
}

// CHECK-LABEL: func.func @rounded_ones_stay(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 2.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.exp"(%0)
// CHECK-NEXT: %2 = "lazy.add"(%0, %0)
// CHECK-NEXT: return %1, %2
func.func @rounded_ones_stay() -> (tensor<4xf32>, tensor<4xf32>) {
  %x = "lazy.constant"() {value = 2.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
