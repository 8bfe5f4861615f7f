// A view without elements changes nothing, whatever it is.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: return %arg0
func.func @slice(%x: tensor<4xf32>, %u: tensor<0xf32>, %i: tensor<i64>) -> tensor<4xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 0>, array<i64: 1>]>]} : (tensor<4xf32>, tensor<0xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @expand(
// CHECK-NEXT: return %arg0
func.func @expand(%x: tensor<1x0xf32>, %u: tensor<3x0xf32>) -> tensor<1x0xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"expand", [array<i64: 3, 0>]>]} : (tensor<1x0xf32>, tensor<3x0xf32>) -> tensor<1x0xf32>
  return %0 : tensor<1x0xf32>
}

// CHECK-LABEL: func.func @no_view(
// CHECK-NEXT: return %arg1
func.func @no_view(%x: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = []} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
