// A ratio of sizes is a dimension of its own; complex numbers are pairs.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @bitcast
// CHECK: [[PAIRS:%.*]] = stablehlo.reshape %arg0 : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
// CHECK-NEXT: stablehlo.bitcast_convert [[PAIRS]] : (tensor<2x2x2xf32>) -> tensor<2x2xf64>
// CHECK-NEXT: [[HALVES:%.*]] = stablehlo.bitcast_convert %arg0 : (tensor<2x4xf32>) -> tensor<2x4x2xi16>
// CHECK-NEXT: stablehlo.reshape [[HALVES]] : (tensor<2x4x2xi16>) -> tensor<2x8xi16>
// CHECK-DAG: stablehlo.real %arg1
// CHECK-DAG: stablehlo.imag %arg1
// CHECK: [[PARTS:%.*]] = stablehlo.concatenate {{.*}}, dim = 1
// CHECK-NEXT: stablehlo.reshape [[PARTS]] : (tensor<3x2xf32>) -> tensor<6xf32>
func.func @bitcast(%x: tensor<2x4xf32>, %c: tensor<3xcomplex<f32>>) -> (tensor<2x2xf64>, tensor<2x8xi16>, tensor<6xf32>) {
  %0 = "lazy.bitcast"(%x) {dtype = f64} : (tensor<2x4xf32>) -> tensor<2x2xf64>
  %1 = "lazy.bitcast"(%x) {dtype = i16} : (tensor<2x4xf32>) -> tensor<2x8xi16>
  %2 = "lazy.bitcast"(%c) {dtype = f32} : (tensor<3xcomplex<f32>>) -> tensor<6xf32>
  return %0, %1, %2 : tensor<2x2xf64>, tensor<2x8xi16>, tensor<6xf32>
}
