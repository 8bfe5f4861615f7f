// --lower runs the standard pipeline: what comes out is StableHLO alone, whatever else ran before or after.
// RUN: lazymlir-opt %s --lower | filecheck %s
// RUN: lazymlir-opt %s --cse --lower --canonicalize | filecheck %s

// CHECK-NOT: lazy.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.transpose
// CHECK: stablehlo.add
// CHECK-NOT: "lazy.
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "lazy.add"(%0, %0) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
