// Round trip: Writes through each kind of view step, alone and in a chain.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @view
func.func @view(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<3x2xf32>, %arg3: tensor<6xf32>, %arg4: tensor<3x1xf32>,
    %arg5: tensor<3x4xf32>, %arg6: tensor<2x3xi32>, %arg7: tensor<5x6xf32>, %arg8: tensor<2x6xf32>, %arg9: tensor<i64>,
    %arg10: tensor<i64>, %arg11: tensor<10xf32>, %arg12: tensor<2xcomplex<f32>>, %arg13: tensor<2xf32>, %arg14: tensor<4x6xf32>,
    %arg15: tensor<6x2xf32>, %arg16: tensor<3xf32>) {
  // CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1) {chain = []} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = "lazy.write_view"(%arg0, %arg1) {chain = []} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %1 = "lazy.write_view"(%arg0, %arg2) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>]} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  %1 = "lazy.write_view"(%arg0, %arg2) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>]} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %2 = "lazy.write_view"(%arg0, %arg3) {chain = [#lazy.view<"reshape", [array<i64: 6>]>]} : (tensor<2x3xf32>, tensor<6xf32>) -> tensor<2x3xf32>
  %2 = "lazy.write_view"(%arg0, %arg3) {chain = [#lazy.view<"reshape", [array<i64: 6>]>]} : (tensor<2x3xf32>, tensor<6xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %3 = "lazy.write_view"(%arg4, %arg5) {chain = [#lazy.view<"expand", [array<i64: 3, 4>]>]} : (tensor<3x1xf32>, tensor<3x4xf32>) -> tensor<3x1xf32>
  %3 = "lazy.write_view"(%arg4, %arg5) {chain = [#lazy.view<"expand", [array<i64: 3, 4>]>]} : (tensor<3x1xf32>, tensor<3x4xf32>) -> tensor<3x1xf32>
  // CHECK-NEXT: %4 = "lazy.write_view"(%arg0, %arg6) {chain = [#lazy.view<"bitcast", [i32]>]} : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  %4 = "lazy.write_view"(%arg0, %arg6) {chain = [#lazy.view<"bitcast", [i32]>]} : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %5 = "lazy.write_view"(%arg7, %arg8, %arg9) {chain = [#lazy.view<"slice", [array<i64: 2, 6>, array<i64: 2, 1>]>]} : (tensor<5x6xf32>, tensor<2x6xf32>, tensor<i64>) -> tensor<5x6xf32>
  %5 = "lazy.write_view"(%arg7, %arg8, %arg9) {chain = [#lazy.view<"slice", [array<i64: 2, 6>, array<i64: 2, 1>]>]} : (tensor<5x6xf32>, tensor<2x6xf32>, tensor<i64>) -> tensor<5x6xf32>
  // CHECK-NEXT: %6 = "lazy.write_view"(%arg7, %arg0, %arg9, %arg10) {chain = [#lazy.view<"slice", [array<i64: 2, 3>, array<i64: 1, 1>]>]} : (tensor<5x6xf32>, tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<5x6xf32>
  %6 = "lazy.write_view"(%arg7, %arg0, %arg9, %arg10) {chain = [#lazy.view<"slice", [array<i64: 2, 3>, array<i64: 1, 1>]>]} : (tensor<5x6xf32>, tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<5x6xf32>
  // CHECK-NEXT: %7 = "lazy.write_view"(%arg11, %arg0, %arg9) {chain = [#lazy.view<"strided", [array<i64: 2, 3>, array<i64: 4, 1>]>]} : (tensor<10xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<10xf32>
  %7 = "lazy.write_view"(%arg11, %arg0, %arg9) {chain = [#lazy.view<"strided", [array<i64: 2, 3>, array<i64: 4, 1>]>]} : (tensor<10xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<10xf32>
  // CHECK-NEXT: %8 = "lazy.write_view"(%arg12, %arg13) {chain = [#lazy.view<"real", []>]} : (tensor<2xcomplex<f32>>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  %8 = "lazy.write_view"(%arg12, %arg13) {chain = [#lazy.view<"real", []>]} : (tensor<2xcomplex<f32>>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  // CHECK-NEXT: %9 = "lazy.write_view"(%arg12, %arg13) {chain = [#lazy.view<"imag", []>]} : (tensor<2xcomplex<f32>>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  %9 = "lazy.write_view"(%arg12, %arg13) {chain = [#lazy.view<"imag", []>]} : (tensor<2xcomplex<f32>>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  // CHECK-NEXT: %10 = "lazy.write_view"(%arg14, %arg15, %arg9) {chain = [#lazy.view<"slice", [array<i64: 2, 6>, array<i64: 1, 1>]>, #lazy.view<"permute", [array<i64: 1, 0>]>]} : (tensor<4x6xf32>, tensor<6x2xf32>, tensor<i64>) -> tensor<4x6xf32>
  %10 = "lazy.write_view"(%arg14, %arg15, %arg9) {chain = [#lazy.view<"slice", [array<i64: 2, 6>, array<i64: 1, 1>]>, #lazy.view<"permute", [array<i64: 1, 0>]>]} : (tensor<4x6xf32>, tensor<6x2xf32>, tensor<i64>) -> tensor<4x6xf32>
  // CHECK-NEXT: %11 = "lazy.write_view"(%arg14, %arg16, %arg9, %arg10) {chain = [#lazy.view<"reshape", [array<i64: 24>]>, #lazy.view<"slice", [array<i64: 12>, array<i64: 1>]>, #lazy.view<"strided", [array<i64: 3>, array<i64: 5>]>]} : (tensor<4x6xf32>, tensor<3xf32>, tensor<i64>, tensor<i64>) -> tensor<4x6xf32>
  %11 = "lazy.write_view"(%arg14, %arg16, %arg9, %arg10) {chain = [#lazy.view<"reshape", [array<i64: 24>]>, #lazy.view<"slice", [array<i64: 12>, array<i64: 1>]>, #lazy.view<"strided", [array<i64: 3>, array<i64: 5>]>]} : (tensor<4x6xf32>, tensor<3xf32>, tensor<i64>, tensor<i64>) -> tensor<4x6xf32>
  return
}
