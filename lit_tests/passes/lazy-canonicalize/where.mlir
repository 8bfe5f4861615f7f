// A choice that is known.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @constant(
// CHECK-NEXT: return %arg0, %arg1
func.func @constant(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %t = "lazy.constant"() {value = true} : () -> tensor<4xi1>
  %0 = "lazy.where"(%t, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %f = "lazy.constant"() {value = false} : () -> tensor<4xi1>
  %1 = "lazy.where"(%f, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @same(
// CHECK-NEXT: return %arg1
func.func @same(%p: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.where"(%p, %x, %x) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @negated(
// CHECK-NEXT: %0 = "lazy.where"(%arg0, %arg2, %arg1)
// CHECK-NEXT: return %0
func.func @negated(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %n = "lazy.bitwise_not"(%p) : (tensor<4xi1>) -> tensor<4xi1>
  %0 = "lazy.where"(%n, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @open_stays(
// CHECK-NEXT: %0 = "lazy.where"(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %0
func.func @open_stays(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.where"(%p, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
