// Places that nobody reads are not computed.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @max_pool_values
// CHECK: [[A:%.*]] = stablehlo.slice {{.*}} [0:1, 0:3:2]
// CHECK-NEXT: [[B:%.*]] = stablehlo.slice {{.*}} [0:1, 1:4:2]
// CHECK-NEXT: [[MAX:%.*]] = stablehlo.maximum [[A]], [[B]]
// CHECK-NOT: stablehlo.compare
// CHECK: return [[MAX]]
func.func @max_pool_values(%x: tensor<1x4xf32>) -> (tensor<1x2xf32>) {
  %0:2 = "lazy.max_pool"(%x) {window = array<i64: 2>, strides = array<i64: 2>, low = array<i64: 0>, high = array<i64: 0>, dilation = array<i64: 1>} : (tensor<1x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xi64>)
  return %0#0 : tensor<1x2xf32>
}
