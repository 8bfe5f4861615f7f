// Joins and slices follow, a slice's starts by their dimensions.
// RUN: lazymlir-opt %s --lazy-choose-layouts | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK: %[[LAST:.*]] = "lazy.permute"(%{{.*}}) {dims = array<i64: 0, 2, 3, 1>}
// CHECK: %[[OTHER:.*]] = "lazy.permute"(%arg0) {dims = array<i64: 0, 2, 3, 1>}
// CHECK: %[[JOINED:.*]] = "lazy.cat"(%[[LAST]], %[[OTHER]]) {dim = 3 : i64} : (tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x6xf32>
// CHECK: "lazy.slice"(%[[JOINED]], %arg3, %arg2) {sizes = array<i64: 2, 2, 5, 3>, starts = array<i64: 0, -1, 0, -1>, steps = array<i64: 1, 1, 1, 2>}
func.func @f(%x: tensor<2x3x4x5xf32>, %w: tensor<3x3x1x1xf32>, %c: tensor<i64>, %h: tensor<i64>) -> tensor<2x3x2x5xf32> {
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, groups_count = 1 : i64, batch_groups = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %1 = "lazy.cat"(%0, %x) {dim = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  %2 = "lazy.slice"(%1, %c, %h) {starts = array<i64: 0, -1, -1, 0>, sizes = array<i64: 2, 3, 2, 5>, steps = array<i64: 1, 2, 1, 1>} : (tensor<2x6x4x5xf32>, tensor<i64>, tensor<i64>) -> tensor<2x3x2x5xf32>
  return %2 : tensor<2x3x2x5xf32>
}
