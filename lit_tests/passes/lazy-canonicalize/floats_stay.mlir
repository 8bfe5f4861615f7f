// Must not fire: -0.0 + 0.0 is 0.0, 0.0 - 0.0 is no -0.0, NaN * 0 is NaN, inf - inf is NaN, NaN is not equal to itself.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @add(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.add"(%arg0, %0)
// CHECK-NEXT: return %1
func.func @add(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = "lazy.constant"() {value = 0.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.add"(%x, %zero) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @sub(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.sub"(%0, %arg0)
// CHECK-NEXT: return %1
func.func @sub(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = "lazy.constant"() {value = 0.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.sub"(%zero, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @sub_minus_zero(
// CHECK-NEXT: %0 = "lazy.constant"() {value = -0.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.sub"(%arg0, %0)
// CHECK-NEXT: return %1
func.func @sub_minus_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = "lazy.constant"() {value = -0.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.sub"(%x, %zero) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @mul(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 0.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.mul"(%arg0, %0)
// CHECK-NEXT: return %1
func.func @mul(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = "lazy.constant"() {value = 0.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.mul"(%x, %zero) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @mul_minus_one(
// CHECK-NEXT: %0 = "lazy.constant"() {value = -1.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.mul"(%arg0, %0)
// CHECK-NEXT: return %1
func.func @mul_minus_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %m = "lazy.constant"() {value = -1.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.mul"(%x, %m) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @left_division(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 1.000000e+00 : f64}
// CHECK-NEXT: %1 = "lazy.div"(%0, %arg0)
// CHECK-NEXT: return %1
func.func @left_division(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = "lazy.constant"() {value = 1.0 : f64} : () -> tensor<4xf32>
  %0 = "lazy.div"(%one, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @itself(
// CHECK-NEXT: %0 = "lazy.sub"(%arg0, %arg0)
// CHECK-NEXT: %1 = "lazy.eq"(%arg0, %arg0)
// CHECK-NEXT: return %0, %1
func.func @itself(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>) {
  %0 = "lazy.sub"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.eq"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1 : tensor<4xf32>, tensor<4xi1>
}
