// A write in the body of a loop is expanded where it stands.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @body(
// CHECK: stablehlo.while
// CHECK: do {
// CHECK-NEXT: %1 = "lazy.permute"(%arg2) {dims = array<i64: 1, 0>}
// CHECK-NEXT: stablehlo.return %iterArg, %1
func.func @body(%p: tensor<i1>, %x: tensor<2x3xf32>, %u: tensor<3x2xf32>) -> tensor<2x3xf32> {
  %0:2 = "stablehlo.while"(%p, %x) ({
  ^bb0(%a: tensor<i1>, %b: tensor<2x3xf32>):
    stablehlo.return %a : tensor<i1>
  }, {
  ^bb0(%a: tensor<i1>, %b: tensor<2x3xf32>):
    %1 = "lazy.write_view"(%b, %u) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>]} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
    stablehlo.return %a, %1 : tensor<i1>, tensor<2x3xf32>
  }) : (tensor<i1>, tensor<2x3xf32>) -> (tensor<i1>, tensor<2x3xf32>)
  return %0#1 : tensor<2x3xf32>
}
