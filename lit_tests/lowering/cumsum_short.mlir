// A short scan is one window that reaches back over everything.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @cumsum_short
// CHECK: "stablehlo.reduce_window"(%arg0
// CHECK-SAME: padding = dense<{{\[}}[0, 0], [8, 0]]>
// CHECK-SAME: window_dimensions = array<i64: 1, 9>
// CHECK: stablehlo.add
// CHECK-NOT: stablehlo.pad
func.func @cumsum_short(%x: tensor<2x9xf32>) -> (tensor<2x9xf32>) {
  %0 = "lazy.cumsum"(%x) {dim = 1 : i64} : (tensor<2x9xf32>) -> tensor<2x9xf32>
  return %0 : tensor<2x9xf32>
}
