// What jax writes is declared by the name of its template and its static arguments, once for each type; vectors that nothing
// reads are not asked for.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @linalg
// CHECK: call @eigh_1(%arg0) : (tensor<2x3x3xf32>) -> (tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
// CHECK-NEXT: call @eigh_2(%arg0)
// CHECK-NEXT: call @eigh_1(%arg1)
// CHECK-NEXT: call @triangular_solve_3(%arg0, %arg1)
// CHECK: func.func private @eigh_1(
// CHECK-SAME: lazy.static = {lower = true, vectors = false}, lazy.template = "eigh"
// CHECK: func.func private @eigh_2(
// CHECK-SAME: vectors = true
// CHECK: func.func private @triangular_solve_3(
// CHECK-SAME: lazy.static = {left = true, lower = false, transpose = "adjoint", unit = false}
func.func @linalg(%x: tensor<2x3x3xf32>, %y: tensor<2x3x3xf32>) -> (tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>) {
  %0:3 = "lazy.eigh"(%x) {lower = true} : (tensor<2x3x3xf32>) -> (tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
  %1:3 = "lazy.eigh"(%x) {lower = true} : (tensor<2x3x3xf32>) -> (tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
  %2:3 = "lazy.eigh"(%y) {lower = true} : (tensor<2x3x3xf32>) -> (tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
  %3 = "lazy.triangular_solve"(%x, %y) {left = true, lower = false, transpose = "adjoint", unit = false} : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0#0, %1#1, %2#0, %3 : tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>
}
