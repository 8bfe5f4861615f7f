// A write to a view that shows one element twice has no single value.
// RUN: lazymlir-opt %s --lazy-invert-views --split-input-file --verify-diagnostics

func.func @expand(%x: tensor<1x4xf32>, %u: tensor<3x4xf32>) -> tensor<1x4xf32> {
  // expected-error@+1 {{a write to a view that repeats elements (expand) has no single value; write to a copy of it}}
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"expand", [array<i64: 3, 4>]>]} : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

func.func @expand_in_a_longer_chain(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<4xf32> {
  // expected-error@+1 {{a write to a view that repeats elements (expand) has no single value}}
  %0 = "lazy.write_view"(%x, %u, %i, %j) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>, #lazy.view<"expand", [array<i64: 3, 2>]>, #lazy.view<"slice", [array<i64: 1, 2>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 2>]>]} : (tensor<4xf32>, tensor<2xf32>, tensor<i64>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @stride_zero(%x: tensor<4xf32>, %u: tensor<3x2xf32>, %i: tensor<i64>) -> tensor<4xf32> {
  // expected-error@+1 {{a write to a view that repeats elements (strided) has no single value}}
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 3, 2>, array<i64: 0, 1>]>]} : (tensor<4xf32>, tensor<3x2xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
