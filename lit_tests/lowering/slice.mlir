// Known starts make a static slice; a start operand a dynamic one of the whole span, then the steps.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @slice
// CHECK: stablehlo.slice %arg0 [1:3, 0:5:2]
// CHECK-NEXT: [[ONE:%.*]] = stablehlo.constant dense<1> : tensor<i64>
// CHECK-NEXT: [[SPAN:%.*]] = stablehlo.dynamic_slice %arg0, %arg1, [[ONE]], sizes = [3, 3]
// CHECK-NEXT: stablehlo.slice [[SPAN]] [0:3:2, 0:3]
func.func @slice(%x: tensor<4x6xf32>, %i: tensor<i64>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = "lazy.slice"(%x) {starts = array<i64: 1, 0>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 2>} : (tensor<4x6xf32>) -> tensor<2x3xf32>
  %1 = "lazy.slice"(%x, %i) {starts = array<i64: -1, 1>, sizes = array<i64: 2, 3>, steps = array<i64: 2, 1>} : (tensor<4x6xf32>, tensor<i64>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
