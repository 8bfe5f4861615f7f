// Products of 16-bit floats have a float32 result, then rounded.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @dot
// CHECK: [[WIDE:%.*]] = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
// CHECK-SAME: -> tensor<5x2x4xf32>
// CHECK-NEXT: stablehlo.convert [[WIDE]] : (tensor<5x2x4xf32>) -> tensor<5x2x4xbf16>
// CHECK-NEXT: stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0]
// CHECK-NOT: stablehlo.convert
func.func @dot(%x: tensor<5x2x3xbf16>, %y: tensor<5x3x4xbf16>, %a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> (tensor<5x2x4xbf16>, tensor<2x4xf32>) {
  %0 = "lazy.dot"(%x, %y) {x_batch = array<i64: 0>, y_batch = array<i64: 0>, x_contract = array<i64: 2>, y_contract = array<i64: 1>} : (tensor<5x2x3xbf16>, tensor<5x3x4xbf16>) -> tensor<5x2x4xbf16>
  %1 = "lazy.dot"(%a, %b) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<5x2x4xbf16>, tensor<2x4xf32>
}
