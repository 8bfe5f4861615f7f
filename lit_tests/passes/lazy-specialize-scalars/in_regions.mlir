// Numbers in the regions of a conditional are specialised as others are.
// RUN: lazymlir-opt %s --lazy-specialize-scalars | filecheck %s

// CHECK-LABEL: func.func @branches(
// CHECK-NEXT: %0 = "stablehlo.if"(%arg0) ({
// CHECK-NEXT: %1 = "lazy.constant"() {slot = 3 : i64, value = 0.000000e+00 : f64}
// CHECK-NEXT: stablehlo.return %1
// CHECK-NEXT: }, {
// CHECK-NEXT: %1 = "lazy.scalar"() {kind = "float", slot = 4 : i64}
// CHECK-NEXT: stablehlo.return %1
func.func @branches(%p: tensor<i1>) -> tensor<f64> {
  %0 = "stablehlo.if"(%p) ({
    %1 = "lazy.scalar"() {slot = 3 : i64, kind = "float", value = 0.0 : f64} : () -> tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }, {
    %1 = "lazy.scalar"() {slot = 4 : i64, kind = "float", value = 0.5 : f64} : () -> tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<i1>) -> tensor<f64>
  return %0 : tensor<f64>
}
