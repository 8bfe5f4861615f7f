// An expansion that only adds dimensions of size 1 has an inverse.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg1) {shape = array<i64: 4>}
// CHECK-NEXT: return %0
func.func @f(%x: tensor<4xf32>, %u: tensor<1x4xf32>) -> tensor<4xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"expand", [array<i64: 1, 4>]>]} : (tensor<4xf32>, tensor<1x4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
