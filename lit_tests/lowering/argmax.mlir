// The place of the maximum is the smallest count where an element equals it or is NaN.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @argmax
// CHECK: [[MAX:%.*]] = stablehlo.reduce(%arg0
// CHECK: [[SPREAD:%.*]] = stablehlo.broadcast_in_dim [[MAX]], dims = [0]
// CHECK-NEXT: [[EQ:%.*]] = stablehlo.compare EQ, %arg0, [[SPREAD]]
// CHECK-NEXT: [[NAN:%.*]] = stablehlo.compare NE, %arg0, %arg0
// CHECK-NEXT: [[HIT:%.*]] = stablehlo.or [[EQ]], [[NAN]]
// CHECK-NEXT: [[COUNT:%.*]] = stablehlo.iota dim = 1 : tensor<2x3xi32>
// CHECK: [[PLACE:%.*]] = stablehlo.select [[HIT]], [[COUNT]]
// CHECK: [[FIRST:%.*]] = stablehlo.reduce([[PLACE]] init: {{.*}}) applies stablehlo.minimum
// CHECK-NEXT: stablehlo.convert [[FIRST]] : (tensor<2xi32>) -> tensor<2xi64>
func.func @argmax(%x: tensor<2x3xf32>) -> (tensor<2xi64>) {
  %0:2 = "lazy.max"(%x) {dim = 1 : i64} : (tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  return %0#1 : tensor<2xi64>
}
