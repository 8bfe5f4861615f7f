// Operations that StableHLO has too change only their name.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @same_meaning
// CHECK: [[A:%.*]] = stablehlo.multiply %arg0, %arg1 : tensor<2x3xf32>
// CHECK-NEXT: [[B:%.*]] = stablehlo.round_nearest_even [[A]]
// CHECK-NEXT: [[C:%.*]] = stablehlo.negate [[B]]
// CHECK-NEXT: return [[C]]
func.func @same_meaning(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %0 = "lazy.mul"(%x, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "lazy.round"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "lazy.neg"(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
