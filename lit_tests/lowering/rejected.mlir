// Types that StableHLO could not compute are rejected before any lowering.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo --verify-diagnostics --split-input-file

func.func @atan2_of_integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error@+1 {{lazy.atan2: not defined on i32}}
  %0 = "lazy.atan2"(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @fmod_of_booleans(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error@+1 {{lazy.fmod: not defined on i1}}
  %0 = "lazy.fmod"(%x, %x) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @both_kinds_of_groups(%x: tensor<2x4x4xf32>, %w: tensor<4x2x1xf32>) -> tensor<1x4x4xf32> {
  // expected-error@+1 {{2 groups and 2 batch groups: one must be 1}}
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, x_dilation = array<i64: 1>, weight_dilation = array<i64: 1>, groups_count = 2 : i64, batch_groups = 2 : i64} : (tensor<2x4x4xf32>, tensor<4x2x1xf32>) -> tensor<1x4x4xf32>
  return %0 : tensor<1x4x4xf32>
}
