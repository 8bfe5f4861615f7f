// Functions of 16-bit floats compute in float32; others as they are.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @functions_widen
// CHECK: [[WIDE:%.*]] = stablehlo.convert %arg0 : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK-NEXT: [[ERF:%.*]] = chlo.erf [[WIDE]] : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT: stablehlo.convert [[ERF]] : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT: [[ERF32:%.*]] = chlo.erf %arg1
// CHECK-NEXT: stablehlo.exponential [[ERF32]]
// CHECK-NOT: stablehlo.convert
func.func @functions_widen(%x: tensor<4xbf16>, %y: tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf32>) {
  %0 = "lazy.erf"(%x) : (tensor<4xbf16>) -> tensor<4xbf16>
  %1 = "lazy.erf"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "lazy.exp"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %2 : tensor<4xbf16>, tensor<4xf32>
}
