// Each element of the window wins where it is larger than the best so far, or NaN.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @max_pool_indices
// CHECK: [[LOWEST:%.*]] = stablehlo.broadcast_in_dim
// CHECK: [[A:%.*]] = stablehlo.slice {{.*}} [0:1, 0:3:2]
// CHECK-NEXT: [[GT:%.*]] = stablehlo.compare GT, [[A]], [[LOWEST]]
// CHECK-NEXT: [[NAN:%.*]] = stablehlo.compare NE, [[A]], [[A]]
// CHECK-NEXT: [[WINS:%.*]] = stablehlo.or [[GT]], [[NAN]]
// CHECK-NEXT: [[BEST:%.*]] = stablehlo.select [[WINS]], [[A]], [[LOWEST]]
// CHECK: [[B:%.*]] = stablehlo.slice {{.*}} [0:1, 1:4:2]
// CHECK-NEXT: stablehlo.compare GT, [[B]], [[BEST]]
// CHECK: stablehlo.convert {{.*}} : (tensor<1x2xi32>) -> tensor<1x2xi64>
// CHECK-NOT: stablehlo.clamp
func.func @max_pool_indices(%x: tensor<1x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xi64>) {
  %0:2 = "lazy.max_pool"(%x) {window = array<i64: 2>, strides = array<i64: 2>, low = array<i64: 0>, high = array<i64: 0>, dilation = array<i64: 1>} : (tensor<1x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xi64>)
  return %0#0, %0#1 : tensor<1x2xf32>, tensor<1x2xi64>
}
