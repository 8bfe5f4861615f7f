// A small window is made of slices, behind a barrier that keeps their source from being computed for each.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @reduce_window_small
// CHECK: [[X:%.*]] = stablehlo.optimization_barrier %arg0
// CHECK-NEXT: [[A:%.*]] = stablehlo.slice [[X]] [0:3:2]
// CHECK-NEXT: [[B:%.*]] = stablehlo.slice [[X]] [1:4:2]
// CHECK-NEXT: stablehlo.add [[A]], [[B]]
// CHECK-NOT: stablehlo.reduce_window
func.func @reduce_window_small(%x: tensor<4xf32>) -> (tensor<2xf32>) {
  %0 = "lazy.reduce_window"(%x) {kind = "sum", window = array<i64: 2>, strides = array<i64: 2>, low = array<i64: 0>, high = array<i64: 0>, x_dilation = array<i64: 1>, dilation = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
