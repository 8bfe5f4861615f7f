// Refused: Operations that move elements.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @permute(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.permute: dims [1, 1] is not a permutation of rank 2}}
  %r = "lazy.permute"(%x) {dims = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @permute(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.permute: dims [0] is not a permutation of rank 2}}
  %r = "lazy.permute"(%x) {dims = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.reshape: tensor<2x3xf32> has 6 elements, shape [2, 4] has 8}}
  %r = "lazy.reshape"(%x) {shape = array<i64: 2, 4>} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @reshape(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.reshape: result type is tensor<2x3xf32>, but the operands give tensor<-2x-3xf32>}}
  %r = "lazy.reshape"(%x) {shape = array<i64: -2, -3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @expand(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.expand: shape [3] has fewer dimensions than tensor<2x3xf32>}}
  %r = "lazy.expand"(%x) {shape = array<i64: 3>} : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @expand(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.expand: tensor<2x3xf32> does not expand to shape [4, 3]}}
  %r = "lazy.expand"(%x) {shape = array<i64: 4, 3>} : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @slice(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.slice: 1 starts for rank 2}}
  %r = "lazy.slice"(%x) {sizes = array<i64: 2, 3>, starts = array<i64: 0>, steps = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @slice(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.slice: 1 dynamic starts, but 0 start operands}}
  %r = "lazy.slice"(%x) {sizes = array<i64: 1, 3>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @slice(%x: tensor<2x3xf32>, %y: tensor<i64>) {
  // expected-error@below {{lazy.slice: 0 dynamic starts, but 1 start operands}}
  %r = "lazy.slice"(%x, %y) {sizes = array<i64: 1, 3>, starts = array<i64: 0, 0>, steps = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<i64>) -> tensor<1x3xf32>
  return
}

// -----

func.func @slice(%x: tensor<2x3xf32>, %y: tensor<i32>) {
  // expected-error@below {{lazy.slice: a start operand must be tensor<i64>}}
  %r = "lazy.slice"(%x, %y) {sizes = array<i64: 1, 3>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<i32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @slice(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.slice: sizes [2] and steps [1, 1] must have rank 2}}
  %r = "lazy.slice"(%x) {sizes = array<i64: 2>, starts = array<i64: 0, 0>, steps = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @slice(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.slice: sizes [2, 3] and steps [1] must have rank 2}}
  %r = "lazy.slice"(%x) {sizes = array<i64: 2, 3>, starts = array<i64: 0, 0>, steps = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @slice(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.slice: dimension 1: size 3 and step 0 must be at least 0 and 1}}
  %r = "lazy.slice"(%x) {sizes = array<i64: 2, 3>, starts = array<i64: 0, 0>, steps = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @slice(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.slice: dimension 1: the slice ends at 4, beyond size 3}}
  %r = "lazy.slice"(%x) {sizes = array<i64: 2, 3>, starts = array<i64: 0, 1>, steps = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @slice(%x: tensor<2x3xf32>, %y: tensor<i64>) {
  // expected-error@below {{lazy.slice: dimension 1: the slice ends at 4, beyond size 3}}
  %r = "lazy.slice"(%x, %y) {sizes = array<i64: 2, 2>, starts = array<i64: 0, -1>, steps = array<i64: 1, 3>} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @slice(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.slice: starts [-2, 0] must not be negative, but for -1}}
  %r = "lazy.slice"(%x) {sizes = array<i64: 1, 3>, starts = array<i64: -2, 0>, steps = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @update_slice(%x: tensor<2x3xf32>, %y: tensor<1xf32>) {
  // expected-error@below {{lazy.update_slice: the update is tensor<1xf32>, the operand tensor<2x3xf32>}}
  %r = "lazy.update_slice"(%x, %y) {starts = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @update_slice(%x: tensor<2x3xf32>, %y: tensor<1x1xf64>) {
  // expected-error@below {{lazy.update_slice: the update is tensor<1x1xf64>, the operand tensor<2x3xf32>}}
  %r = "lazy.update_slice"(%x, %y) {starts = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<1x1xf64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @update_slice(%x: tensor<2x3xf32>, %y: tensor<2x2xf32>) {
  // expected-error@below {{lazy.update_slice: dimension 1: the update ends at 4, beyond size 3}}
  %r = "lazy.update_slice"(%x, %y) {starts = array<i64: 0, 2>} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @update_slice(%x: tensor<2x3xf32>, %y: tensor<2x2xf32>) {
  // expected-error@below {{lazy.update_slice: 1 dynamic starts, but 0 start operands}}
  %r = "lazy.update_slice"(%x, %y) {starts = array<i64: 0, -1>} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad(%x: tensor<2x3xf32>, %y: tensor<f64>) {
  // expected-error@below {{lazy.pad: the padding value is tensor<f64>, wanted tensor<f32>}}
  %r = "lazy.pad"(%x, %y) {high = array<i64: 0, 0>, interior = array<i64: 0, 0>, low = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<f64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad(%x: tensor<2x3xf32>, %y: tensor<f32>) {
  // expected-error@below {{lazy.pad: low, high and interior must have rank 2}}
  %r = "lazy.pad"(%x, %y) {high = array<i64: 0, 0>, interior = array<i64: 0, 0>, low = array<i64: 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad(%x: tensor<2x3xf32>, %y: tensor<f32>) {
  // expected-error@below {{lazy.pad: interior [0, -1] has a negative count}}
  %r = "lazy.pad"(%x, %y) {high = array<i64: 0, 0>, interior = array<i64: 0, -1>, low = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad(%x: tensor<2x3xf32>, %y: tensor<f32>) {
  // expected-error@below {{lazy.pad: padding [-2, 0], [-1, 0] crops tensor<2x3xf32> to less than nothing}}
  %r = "lazy.pad"(%x, %y) {high = array<i64: -1, 0>, interior = array<i64: 0, 0>, low = array<i64: -2, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @cat() {
  // expected-error@below {{lazy.cat: takes at least 1 operands, got 0}}
  %r = "lazy.cat"() {dim = 0 : i64} : () -> tensor<2x3xf32>
  return
}

// -----

func.func @cat(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.cat: dim 2 is no dimension of tensor<2x3xf32>}}
  %r = "lazy.cat"(%x, %y) {dim = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @cat(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@below {{lazy.cat: tensor<2x4xf32> and tensor<2x3xf32> differ elsewhere than in dimension 0}}
  %r = "lazy.cat"(%x, %y) {dim = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @cat(%x: tensor<2x3xf32>, %y: tensor<2x3xf64>) {
  // expected-error@below {{lazy.cat: tensor<2x3xf64> and tensor<2x3xf32> differ elsewhere than in dimension 0}}
  %r = "lazy.cat"(%x, %y) {dim = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @flip(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.flip: dims [0, 0] do not fit tensor<2x3xf32>}}
  %r = "lazy.flip"(%x) {dims = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @flip(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.flip: dims [2] do not fit tensor<2x3xf32>}}
  %r = "lazy.flip"(%x) {dims = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @strided(%x: tensor<2x3xf32>, %y: tensor<i64>) {
  // expected-error@below {{lazy.strided: reads flat tensors only, got tensor<2x3xf32>}}
  %r = "lazy.strided"(%x, %y) {sizes = array<i64: 2>, strides = array<i64: 1>} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2xf32>
  return
}

// -----

func.func @strided(%x: tensor<6xf32>, %y: tensor<i32>) {
  // expected-error@below {{lazy.strided: the start must be tensor<i64>, got tensor<i32>}}
  %r = "lazy.strided"(%x, %y) {sizes = array<i64: 2>, strides = array<i64: 1>} : (tensor<6xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @strided(%x: tensor<6xf32>, %y: tensor<i64>) {
  // expected-error@below {{lazy.strided: sizes [2] and strides [1, 1] differ in length}}
  %r = "lazy.strided"(%x, %y) {sizes = array<i64: 2>, strides = array<i64: 1, 1>} : (tensor<6xf32>, tensor<i64>) -> tensor<2xf32>
  return
}

// -----

func.func @strided(%x: tensor<6xf32>, %y: tensor<i64>) {
  // expected-error@below {{lazy.strided: strides [-1] must not be negative}}
  %r = "lazy.strided"(%x, %y) {sizes = array<i64: 2>, strides = array<i64: -1>} : (tensor<6xf32>, tensor<i64>) -> tensor<2xf32>
  return
}

// -----

func.func @strided_update(%x: tensor<2x3xf32>, %y: tensor<2xf32>, %z: tensor<i64>) {
  // expected-error@below {{lazy.strided_update: updates flat tensors of one type only, got tensor<2x3xf32> and tensor<2xf32>}}
  %r = "lazy.strided_update"(%x, %y, %z) {strides = array<i64: 1>} : (tensor<2x3xf32>, tensor<2xf32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @strided_update(%x: tensor<6xf32>, %y: tensor<2xf64>, %z: tensor<i64>) {
  // expected-error@below {{lazy.strided_update: updates flat tensors of one type only, got tensor<6xf32> and tensor<2xf64>}}
  %r = "lazy.strided_update"(%x, %y, %z) {strides = array<i64: 1>} : (tensor<6xf32>, tensor<2xf64>, tensor<i64>) -> tensor<6xf32>
  return
}

// -----

func.func @strided_update(%x: tensor<6xf32>, %y: tensor<2xf32>, %z: tensor<i32>) {
  // expected-error@below {{lazy.strided_update: the start must be tensor<i64>, got tensor<i32>}}
  %r = "lazy.strided_update"(%x, %y, %z) {strides = array<i64: 1>} : (tensor<6xf32>, tensor<2xf32>, tensor<i32>) -> tensor<6xf32>
  return
}

// -----

func.func @strided_update(%x: tensor<6xf32>, %y: tensor<2xf32>, %z: tensor<i64>) {
  // expected-error@below {{lazy.strided_update: 2 strides for tensor<2xf32>}}
  %r = "lazy.strided_update"(%x, %y, %z) {strides = array<i64: 1, 1>} : (tensor<6xf32>, tensor<2xf32>, tensor<i64>) -> tensor<6xf32>
  return
}
