// The maximum of floats is spelled out, since XLA:CPU drops NaN from a plain one; integers keep the plain one.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @amax_keeps_nan
// CHECK: stablehlo.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: stablehlo.reduce(%arg0
// CHECK-NEXT: reducer([[L:%.*]]: tensor<f32>, [[R:%.*]]: tensor<f32>)
// CHECK-NEXT: [[NAN:%.*]] = stablehlo.compare NE, [[L]], [[L]]
// CHECK-NEXT: [[GE:%.*]] = stablehlo.compare GE, [[L]], [[R]]
// CHECK-NEXT: [[WINS:%.*]] = stablehlo.or [[GE]], [[NAN]]
// CHECK-NEXT: stablehlo.select [[WINS]], [[L]], [[R]]
// CHECK: stablehlo.constant dense<-2147483648> : tensor<i32>
// CHECK-NEXT: stablehlo.reduce(%arg1 init: {{.*}}) applies stablehlo.maximum
func.func @amax_keeps_nan(%x: tensor<2x3xf32>, %y: tensor<2x3xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = "lazy.amax"(%x) {dims = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  %1 = "lazy.amax"(%y) {dims = array<i64: 1>} : (tensor<2x3xi32>) -> tensor<2xi32>
  return %0, %1 : tensor<2xf32>, tensor<2xi32>
}
