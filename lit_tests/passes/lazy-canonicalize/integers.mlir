// Integers wrap around and have no NaN, so that more holds for them.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @zero(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 0 : i64}
// CHECK-NEXT: %1 = "lazy.neg"(%arg0)
// CHECK-NEXT: return %arg0, %0, %1
func.func @zero(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %z = "lazy.constant"() {value = 0 : i64} : () -> tensor<4xi32>
  %0 = "lazy.add"(%x, %z) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = "lazy.mul"(%x, %z) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = "lazy.sub"(%z, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: func.func @bits(
// CHECK-NEXT: %0 = "lazy.constant"() {value = -1 : i64}
// CHECK-NEXT: return %arg0, %0
func.func @bits(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %z = "lazy.constant"() {value = 0 : i64} : () -> tensor<4xi32>
  %m = "lazy.constant"() {value = -1 : i64} : () -> tensor<4xi32>
  %0 = "lazy.bitwise_and"(%x, %m) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = "lazy.bitwise_or"(%0, %z) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = "lazy.bitwise_xor"(%z, %1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %3 = "lazy.shift_left"(%2, %z) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %4 = "lazy.bitwise_or"(%x, %m) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %3, %4 : tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: func.func @unsigned_bits(
// CHECK-NEXT: return %arg0
func.func @unsigned_bits(%x: tensor<4xui8>) -> tensor<4xui8> {
  %m = "lazy.constant"() {value = 255 : i64} : () -> tensor<4xui8>
  %0 = "lazy.bitwise_and"(%x, %m) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// CHECK-LABEL: func.func @itself(
// CHECK-NEXT: %0 = "lazy.constant"() {value = 0 : i64}
// CHECK-NEXT: %1 = "lazy.constant"() {value = true}
// CHECK-NEXT: return %0, %1, %arg1, %arg0
func.func @itself(%x: tensor<4xi32>, %p: tensor<4xi1>) -> (tensor<4xi32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi32>) {
  %0 = "lazy.sub"(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = "lazy.le"(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = "lazy.bitwise_and"(%p, %p) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %3 = "lazy.maximum"(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi32>
}
