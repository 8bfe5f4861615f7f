// Refused: Writes through views.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x2xf32>) {
  // expected-error@below {{lazy.write_view: the view has type tensor<2x3xf32>, the update tensor<2x2xf32>}}
  %r = "lazy.write_view"(%x, %y) {chain = []} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: the view has type tensor<3x2xf32>, the update tensor<2x3xf32>}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) {
  // expected-error@below {{lazy.write_view: the chain takes 1 starts, got 0}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"slice", [array<i64: 1, 3>, array<i64: 1, 1>]>]} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %z: tensor<i64>) {
  // expected-error@below {{lazy.write_view: the chain takes 0 starts, got 1}}
  %r = "lazy.write_view"(%x, %y, %z) {chain = []} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>, %z: tensor<f32>) {
  // expected-error@below {{lazy.write_view: a start operand must be tensor<i64>}}
  %r = "lazy.write_view"(%x, %y, %z) {chain = [#lazy.view<"slice", [array<i64: 1, 3>, array<i64: 1, 1>]>]} : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: 'rotate' is no view step: expected one of permute, reshape, expand, bitcast, slice, strided, real, imag}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"rotate", [array<i64: 1>]>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: ('permute',) is no view step}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"permute", []>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: ('slice', (1, 3)) is no view step}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"slice", [array<i64: 1, 3>]>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: dims [0, 0] is not a permutation of rank 2}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"permute", [array<i64: 0, 0>]>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: 0 starts for rank 2}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"slice", [array<i64: 2, 3, 1>, array<i64: 1, 1, 1>]>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %z: tensor<i64>) {
  // expected-error@below {{lazy.write_view: dimension 0: the slice ends at 3, beyond size 2}}
  %r = "lazy.write_view"(%x, %y, %z) {chain = [#lazy.view<"slice", [array<i64: 3, 3>, array<i64: 1, 1>]>]} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2xf32>, %z: tensor<i64>) {
  // expected-error@below {{lazy.write_view: reads flat tensors only, got tensor<2x3xf32>}}
  %r = "lazy.write_view"(%x, %y, %z) {chain = [#lazy.view<"strided", [array<i64: 2>, array<i64: 1>]>]} : (tensor<2x3xf32>, tensor<2xf32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: not defined on f32}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"real", []>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: attribute 'chain' must be of kind array<#lazy.view>, got 3 : i64}}
  %r = "lazy.write_view"(%x, %y) {chain = 3 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: attribute 'chain' must be of kind array<#lazy.view>, got [1]}}
  %r = "lazy.write_view"(%x, %y) {chain = [1]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: attribute 'chain' must be of kind array<#lazy.view>, got [#lazy.view<"permute", [1]>]}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"permute", [1]>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: attribute 'chain' must be of kind array<#lazy.view>, got [#lazy.view<"permute", [f32]>]}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"permute", [f32]>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @write_view(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.write_view: attribute 'chain' must be of kind array<#lazy.view>, got [#lazy.view<"bitcast", [array<i64: 1>]>]}}
  %r = "lazy.write_view"(%x, %y) {chain = [#lazy.view<"bitcast", [array<i64: 1>]>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
