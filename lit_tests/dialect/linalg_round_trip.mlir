// Round trip: Linear algebra.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @linalg
func.func @linalg(%arg0: tensor<2x3x3xf32>, %arg1: tensor<2x5x3xf64>, %arg2: tensor<2x3xi32>, %arg3: tensor<3x3xcomplex<f32>>, %arg4: tensor<3x2xcomplex<f32>>, %arg5: tensor<5x3xf32>, %arg6: tensor<3xf32>, %arg7: tensor<2x5xf32>, %arg8: tensor<2x3x3xcomplex<f64>>, %arg9: tensor<5x3xcomplex<f32>>, %arg10: tensor<3x3xf32>) {
  // CHECK-NEXT: %0:2 = "lazy.cholesky"(%arg0) : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>)
  %0:2 = "lazy.cholesky"(%arg0) : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>)
  // CHECK-NEXT: %1:3 = "lazy.lu"(%arg1) : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xi32>, tensor<2x5xi32>)
  %1:3 = "lazy.lu"(%arg1) : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xi32>, tensor<2x5xi32>)
  // CHECK-NEXT: %2 = "lazy.pivot_order"(%arg2) {rows = 5 : i64} : (tensor<2x3xi32>) -> tensor<2x5xi32>
  %2 = "lazy.pivot_order"(%arg2) {rows = 5 : i64} : (tensor<2x3xi32>) -> tensor<2x5xi32>
  // CHECK-NEXT: %3 = "lazy.triangular_solve"(%arg3, %arg4) {left = true, lower = false, transpose = "adjoint", unit = true} : (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  %3 = "lazy.triangular_solve"(%arg3, %arg4) {left = true, lower = false, transpose = "adjoint", unit = true} : (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  // CHECK-NEXT: %4:2 = "lazy.geqrf"(%arg5) : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  %4:2 = "lazy.geqrf"(%arg5) : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  // CHECK-NEXT: %5 = "lazy.householder_product"(%arg5, %arg6) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  %5 = "lazy.householder_product"(%arg5, %arg6) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  // CHECK-NEXT: %6 = "lazy.ormqr"(%arg5, %arg6, %arg7) {adjoint = true, left = false} : (tensor<5x3xf32>, tensor<3xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  %6 = "lazy.ormqr"(%arg5, %arg6, %arg7) {adjoint = true, left = false} : (tensor<5x3xf32>, tensor<3xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  // CHECK-NEXT: %7:3 = "lazy.eigh"(%arg8) {lower = true} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  %7:3 = "lazy.eigh"(%arg8) {lower = true} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  // CHECK-NEXT: %8:4 = "lazy.svd"(%arg9) {full = true} : (tensor<5x3xcomplex<f32>>) -> (tensor<5x5xcomplex<f32>>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  %8:4 = "lazy.svd"(%arg9) {full = true} : (tensor<5x3xcomplex<f32>>) -> (tensor<5x5xcomplex<f32>>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  // CHECK-NEXT: %9:3 = "lazy.eig"(%arg10) : (tensor<3x3xf32>) -> (tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  %9:3 = "lazy.eig"(%arg10) : (tensor<3x3xf32>) -> (tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  // CHECK-NEXT: %10 = "lazy.matrix_exp"(%arg10) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %10 = "lazy.matrix_exp"(%arg10) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}
