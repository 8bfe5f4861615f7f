// An update at an operand's place; an update of everything is the update itself.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @update_slice
// CHECK: [[ZERO:%.*]] = stablehlo.constant dense<0> : tensor<i64>
// CHECK-NEXT: [[NEW:%.*]] = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, [[ZERO]]
// CHECK-NEXT: return [[NEW]], %arg0
func.func @update_slice(%x: tensor<4x6xf32>, %u: tensor<1x6xf32>, %i: tensor<i64>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %0 = "lazy.update_slice"(%x, %u, %i) {starts = array<i64: -1, 0>} : (tensor<4x6xf32>, tensor<1x6xf32>, tensor<i64>) -> tensor<4x6xf32>
  %1 = "lazy.update_slice"(%0, %x) {starts = array<i64: 0, 0>} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4x6xf32>
}
