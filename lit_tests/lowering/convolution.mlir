// A convolution with strides, groups, a dilated weight and padding of both signs.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @convolution
// CHECK: stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]
// CHECK-SAME: stride = [2, 1]
// CHECK-SAME: pad = {{\[}}[1, 0], [-1, 1]]
// CHECK-SAME: rhs_dilate = [1, 2]
// CHECK-SAME: feature_group_count = 3
func.func @convolution(%x: tensor<2x6x8x8xf32>, %w: tensor<9x2x3x3xf32>) -> (tensor<2x9x4x4xf32>) {
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 2, 1>, low = array<i64: 1, -1>, high = array<i64: 0, 1>, x_dilation = array<i64: 1, 1>, weight_dilation = array<i64: 1, 2>, groups_count = 3 : i64, batch_groups = 1 : i64} : (tensor<2x6x8x8xf32>, tensor<9x2x3x3xf32>) -> tensor<2x9x4x4xf32>
  return %0 : tensor<2x9x4x4xf32>
}
