// Random bits are Threefry's, from the key and counter 0.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @random_bits
// CHECK: [[KEY:%.*]] = stablehlo.bitcast_convert %arg0 : (tensor<i64>) -> tensor<ui64>
// CHECK: [[STATE:%.*]] = stablehlo.concatenate
// CHECK: stablehlo.rng_bit_generator [[STATE]], algorithm = THREE_FRY
func.func @random_bits(%k: tensor<i64>) -> (tensor<2x3xui32>) {
  %0 = "lazy.random_bits"(%k) : (tensor<i64>) -> tensor<2x3xui32>
  return %0 : tensor<2x3xui32>
}
