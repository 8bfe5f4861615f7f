// Reductions whose results have the same order either way, windows and padding follow; other reductions read what is permuted back.
// RUN: lazymlir-opt %s --lazy-choose-layouts | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK: %[[LAST:.*]] = "lazy.permute"(%{{.*}}) {dims = array<i64: 0, 2, 3, 1>}
// CHECK: %[[FIRST:.*]] = "lazy.permute"(%[[LAST]]) {dims = array<i64: 0, 3, 1, 2>}
// CHECK: "lazy.sum"(%[[LAST]]) {dims = array<i64: 0, 1, 2>} : (tensor<2x4x5x3xf32>) -> tensor<3xf32>
// CHECK: "lazy.amax"(%[[LAST]]) {dims = array<i64: 3>} : (tensor<2x4x5x3xf32>) -> tensor<2x4x5xf32>
// CHECK: "lazy.sum"(%[[FIRST]]) {dims = array<i64: 3>} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4xf32>
// CHECK: "lazy.pad"(%[[LAST]], %{{.*}}) {high = array<i64: 0, 2, 0, 0>, interior = array<i64: 0, 0, 0, 0>, low = array<i64: 0, 0, 1, 0>}
// CHECK: "lazy.reduce_window"(%{{.*}}) {dilation = array<i64: 1, 1, 1, 1>, high = array<i64: 0, 0, 0, 0>, kind = "sum", low = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 3, 1>, window = array<i64: 1, 2, 3, 1>
func.func @f(%x: tensor<2x3x4x5xf32>, %w: tensor<3x3x1x1xf32>, %v: tensor<f32>) -> (tensor<3xf32>, tensor<2x4x5xf32>, tensor<2x3x4xf32>, tensor<2x3x3x2xf32>) {
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, groups_count = 1 : i64, batch_groups = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %1 = "lazy.sum"(%0) {dims = array<i64: 0, 2, 3>} : (tensor<2x3x4x5xf32>) -> tensor<3xf32>
  %2 = "lazy.amax"(%0) {dims = array<i64: 1>} : (tensor<2x3x4x5xf32>) -> tensor<2x4x5xf32>
  %3 = "lazy.sum"(%0) {dims = array<i64: 3>} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4xf32>
  %4 = "lazy.pad"(%0, %v) {low = array<i64: 0, 0, 0, 1>, high = array<i64: 0, 0, 2, 0>, interior = array<i64: 0, 0, 0, 0>} : (tensor<2x3x4x5xf32>, tensor<f32>) -> tensor<2x3x6x6xf32>
  %5 = "lazy.reduce_window"(%4) {kind = "sum", window = array<i64: 1, 1, 2, 3>, strides = array<i64: 1, 1, 2, 3>, low = array<i64: 0, 0, 0, 0>, high = array<i64: 0, 0, 0, 0>, x_dilation = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1, 1, 1>} : (tensor<2x3x6x6xf32>) -> tensor<2x3x3x2xf32>
  return %1, %2, %3, %5 : tensor<3xf32>, tensor<2x4x5xf32>, tensor<2x3x4xf32>, tensor<2x3x3x2xf32>
}
