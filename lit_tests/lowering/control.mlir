// What is in regions is lowered; scalars in them come from the packed vector.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @branches(
// CHECK-SAME: %arg2: tensor<1xf64>
// CHECK: stablehlo.if
// CHECK: stablehlo.reshape %arg2
// CHECK: stablehlo.exponential %arg1
// CHECK-NOT: lazy.
func.func @branches(%p: tensor<i1>, %x: tensor<f64>) -> tensor<f64> {
  %0 = "stablehlo.if"(%p) ({
    %1 = "lazy.scalar"() {slot = 4 : i64, kind = "float"} : () -> tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }, {
    %1 = "lazy.exp"(%x) : (tensor<f64>) -> tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<i1>) -> tensor<f64>
  return %0 : tensor<f64>
}
