// Operations that undo themselves, or that do nothing the second time.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @neg(
// CHECK-NEXT: %0 = "lazy.neg"(%arg0)
// CHECK-NEXT: return %arg0, %0
func.func @neg(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.neg"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "lazy.neg"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @bitwise_not(
// CHECK-NEXT: return %arg0
func.func @bitwise_not(%x: tensor<4xi1>) -> tensor<4xi1> {
  %0 = "lazy.bitwise_not"(%x) : (tensor<4xi1>) -> tensor<4xi1>
  %1 = "lazy.bitwise_not"(%0) : (tensor<4xi1>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: func.func @abs(
// CHECK-NEXT: %0 = "lazy.abs"(%arg0)
// CHECK-NEXT: return %0
func.func @abs(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.abs"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "lazy.abs"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @different_ones_stay(
// CHECK-NEXT: %0 = "lazy.bitwise_not"(%arg0)
// CHECK-NEXT: %1 = "lazy.neg"(%0)
// CHECK-NEXT: return %1
func.func @different_ones_stay(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "lazy.bitwise_not"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = "lazy.neg"(%0) : (tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
