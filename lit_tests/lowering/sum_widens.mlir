// Sums of 16-bit floats accumulate in float32, and start from a 0.0 that XLA cannot leave out; those of
// integers wrap around; a sum of integers over nothing is its operand.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @sum_widens
// CHECK: [[WIDE:%.*]] = stablehlo.convert %arg0 : (tensor<2x3xbf16>) -> tensor<2x3xf32>
// CHECK: [[SUM:%.*]] = stablehlo.reduce([[WIDE]] init: {{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK: stablehlo.optimization_barrier
// CHECK: [[STARTED:%.*]] = stablehlo.add [[SUM]]
// CHECK-NEXT: [[NARROW:%.*]] = stablehlo.convert [[STARTED]]
// CHECK: [[INTS:%.*]] = stablehlo.reduce(%arg1 init: {{.*}}) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xi8>
// CHECK-NEXT: return [[NARROW]], [[INTS]], %arg1
func.func @sum_widens(%x: tensor<2x3xbf16>, %y: tensor<2x3xi8>) -> (tensor<2xbf16>, tensor<i8>, tensor<2x3xi8>) {
  %0 = "lazy.sum"(%x) {dims = array<i64: 1>} : (tensor<2x3xbf16>) -> tensor<2xbf16>
  %1 = "lazy.sum"(%y) {dims = array<i64: 0, 1>} : (tensor<2x3xi8>) -> tensor<i8>
  %2 = "lazy.sum"(%y) {dims = array<i64>} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0, %1, %2 : tensor<2xbf16>, tensor<i8>, tensor<2x3xi8>
}
