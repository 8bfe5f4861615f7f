// Between convolutions pointwise operations are in channels-last order; what they read is made in it too, and arguments keep theirs.
// RUN: lazymlir-opt %s --lazy-choose-layouts | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %[[MADE:.*]] = "lazy.convolution"(%arg0, %arg1)
// CHECK-NEXT: %[[LAST:.*]] = "lazy.permute"(%[[MADE]]) {dims = array<i64: 0, 2, 3, 1>} : (tensor<2x3x4x5xf32>) -> tensor<2x4x5x3xf32>
// CHECK: %[[FLAT:.*]] = "lazy.reshape"(%arg2) {shape = array<i64: 1, 1, 1, 3>} : (tensor<1x3x1x1xf32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[BIAS:.*]] = "lazy.expand"(%[[FLAT]]) {shape = array<i64: 2, 4, 5, 3>}
// CHECK-NEXT: %[[SUM:.*]] = "lazy.add"(%[[LAST]], %[[BIAS]]) : (tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
// CHECK: %[[ZERO:.*]] = "lazy.constant"() {value = 0.000000e+00 : f64} : () -> tensor<2x4x5x3xf32>
// CHECK-NEXT: %[[RELU:.*]] = "lazy.maximum"(%[[SUM]], %[[ZERO]])
// CHECK-NEXT: %[[OTHER:.*]] = "lazy.permute"(%arg3) {dims = array<i64: 0, 2, 3, 1>}
// CHECK-NEXT: %[[RESIDUAL:.*]] = "lazy.add"(%[[RELU]], %[[OTHER]])
// CHECK-NEXT: %[[FIRST:.*]] = "lazy.permute"(%[[RESIDUAL]]) {dims = array<i64: 0, 3, 1, 2>} : (tensor<2x4x5x3xf32>) -> tensor<2x3x4x5xf32>
// CHECK-NEXT: %[[NEXT:.*]] = "lazy.convolution"(%[[FIRST]], %arg1)
// CHECK-NEXT: return %[[NEXT]], %[[FIRST]]
func.func @f(%x: tensor<2x3x4x5xf32>, %w: tensor<3x3x1x1xf32>, %b: tensor<1x3x1x1xf32>, %r: tensor<2x3x4x5xf32>) -> (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) {
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, groups_count = 1 : i64, batch_groups = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %1 = "lazy.expand"(%b) {shape = array<i64: 2, 3, 4, 5>} : (tensor<1x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %2 = "lazy.add"(%0, %1) : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %3 = "lazy.constant"() {value = 0.0 : f64} : () -> tensor<2x3x4x5xf32>
  %4 = "lazy.maximum"(%2, %3) : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %5 = "lazy.add"(%4, %r) : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %6 = "lazy.convolution"(%5, %w) {strides = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, groups_count = 1 : i64, batch_groups = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  return %6, %5 : tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>
}
