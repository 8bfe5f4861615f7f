// Reading as another type is undone by reading as the first one.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @same_size(
// CHECK-NEXT: %0 = "lazy.bitcast"(%arg1) {dtype = f32}
// CHECK-NEXT: return %0
func.func @same_size(%x: tensor<4xf32>, %u: tensor<4xi32>) -> tensor<4xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"bitcast", [i32]>]} : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @smaller(
// CHECK-NEXT: %0 = "lazy.bitcast"(%arg1) {dtype = f32}
// CHECK-NEXT: return %0
func.func @smaller(%x: tensor<4xf32>, %u: tensor<16xi8>) -> tensor<4xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"bitcast", [i8]>]} : (tensor<4xf32>, tensor<16xi8>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @slice_of_bytes(
// CHECK-NEXT: %0 = "lazy.bitcast"(%arg0) {dtype = i8}
// CHECK-NEXT: %1 = "lazy.update_slice"(%0, %arg1, %arg2) {starts = array<i64: -1>}
// CHECK-NEXT: %2 = "lazy.bitcast"(%1) {dtype = f32}
// CHECK-NEXT: return %2
func.func @slice_of_bytes(%x: tensor<4xf32>, %u: tensor<3xi8>, %i: tensor<i64>) -> tensor<4xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"bitcast", [i8]>, #lazy.view<"slice", [array<i64: 3>, array<i64: 1>]>]} : (tensor<4xf32>, tensor<3xi8>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @complex(
// CHECK-NEXT: %0 = "lazy.bitcast"(%arg1) {dtype = complex<f32>}
// CHECK-NEXT: return %0
func.func @complex(%x: tensor<4xcomplex<f32>>, %u: tensor<8xf32>) -> tensor<4xcomplex<f32>> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"bitcast", [f32]>]} : (tensor<4xcomplex<f32>>, tensor<8xf32>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
