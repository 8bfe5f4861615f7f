// Writing one part of complex numbers keeps the other.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @real(
// CHECK-NEXT: %0 = "lazy.imag"(%arg0)
// CHECK-NEXT: %1 = "lazy.complex"(%arg1, %0)
// CHECK-NEXT: return %1
func.func @real(%x: tensor<4xcomplex<f32>>, %u: tensor<4xf32>) -> tensor<4xcomplex<f32>> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"real", []>]} : (tensor<4xcomplex<f32>>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @imag_of_row(
// CHECK-NEXT: %0 = "lazy.slice"(%arg0, %arg2) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>}
// CHECK-NEXT: %1 = "lazy.reshape"(%0) {shape = array<i64: 4>}
// CHECK-NEXT: %2 = "lazy.real"(%1)
// CHECK-NEXT: %3 = "lazy.complex"(%2, %arg1)
// CHECK-NEXT: %4 = "lazy.reshape"(%3) {shape = array<i64: 1, 4>}
// CHECK-NEXT: %5 = "lazy.update_slice"(%arg0, %4, %arg2) {starts = array<i64: -1, 0>}
// CHECK-NEXT: return %5
func.func @imag_of_row(%x: tensor<3x4xcomplex<f32>>, %u: tensor<4xf32>, %i: tensor<i64>) -> tensor<3x4xcomplex<f32>> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>, #lazy.view<"imag", []>]} : (tensor<3x4xcomplex<f32>>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xcomplex<f32>>
  return %0 : tensor<3x4xcomplex<f32>>
}
