// Refused: Computed places, and sorting.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @gather(%x: tensor<2x3xf32>, %y: tensor<2x1xi64>) {
  // expected-error@below {{lazy.gather: dim 2 is no dimension of tensor<2x3xf32>}}
  %r = "lazy.gather"(%x, %y) {dim = 2 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2x1xf32>
  return
}

// -----

func.func @gather(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) {
  // expected-error@below {{lazy.gather: index tensor<2x1xf32> does not fit tensor<2x3xf32>}}
  %r = "lazy.gather"(%x, %y) {dim = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @gather(%x: tensor<2x3xf32>, %y: tensor<2xi64>) {
  // expected-error@below {{lazy.gather: index tensor<2xi64> does not fit tensor<2x3xf32>}}
  %r = "lazy.gather"(%x, %y) {dim = 1 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather(%x: tensor<2x3xf32>, %y: tensor<3x1xi64>) {
  // expected-error@below {{lazy.gather: index tensor<3x1xi64> is larger than tensor<2x3xf32> elsewhere than in dimension 1}}
  %r = "lazy.gather"(%x, %y) {dim = 1 : i64} : (tensor<2x3xf32>, tensor<3x1xi64>) -> tensor<3x1xf32>
  return
}

// -----

func.func @scatter(%x: tensor<2x3xf32>, %y: tensor<2x1xi64>, %z: tensor<2x2xf32>) {
  // expected-error@below {{lazy.scatter: update tensor<2x2xf32> does not fit index tensor<2x1xi64>}}
  %r = "lazy.scatter"(%x, %y, %z) {dim = 1 : i64, kind = "set"} : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<2x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @scatter(%x: tensor<2x3xf32>, %y: tensor<2x1xi64>, %z: tensor<2x1xf64>) {
  // expected-error@below {{lazy.scatter: update tensor<2x1xf64> does not fit index tensor<2x1xi64>}}
  %r = "lazy.scatter"(%x, %y, %z) {dim = 1 : i64, kind = "set"} : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<2x1xf64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @scatter(%x: tensor<2x3xf32>, %y: tensor<2x1xi64>, %z: tensor<2x1xf32>) {
  // expected-error@below {{lazy.scatter: kind 'mean' is none of set, add, mul, amax, amin}}
  %r = "lazy.scatter"(%x, %y, %z) {dim = 1 : i64, kind = "mean"} : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @index(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.index: 0 indices for dims []}}
  %r = "lazy.index"(%x) {dims = array<i64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @index(%x: tensor<2x3xf32>, %y: tensor<4xi64>) {
  // expected-error@below {{lazy.index: 1 indices for dims [0, 1]}}
  %r = "lazy.index"(%x, %y) {dims = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @index(%x: tensor<2x3xf32>, %y: tensor<4xi64>, %z: tensor<4xi64>) {
  // expected-error@below {{lazy.index: dims [0, 0] do not fit tensor<2x3xf32>}}
  %r = "lazy.index"(%x, %y, %z) {dims = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @index(%x: tensor<2x3xf32>, %y: tensor<4xi64>) {
  // expected-error@below {{lazy.index: dims [2] do not fit tensor<2x3xf32>}}
  %r = "lazy.index"(%x, %y) {dims = array<i64: 2>} : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @index(%x: tensor<2x3xf32>, %y: tensor<4xf32>) {
  // expected-error@below {{lazy.index: indices must be integers of one shape}}
  %r = "lazy.index"(%x, %y) {dims = array<i64: 0>} : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @index(%x: tensor<2x3xf32>, %y: tensor<4xi1>) {
  // expected-error@below {{lazy.index: indices must be integers of one shape}}
  %r = "lazy.index"(%x, %y) {dims = array<i64: 0>} : (tensor<2x3xf32>, tensor<4xi1>) -> tensor<4x3xf32>
  return
}

// -----

func.func @index(%x: tensor<2x3xf32>, %y: tensor<4xi64>, %z: tensor<5xi64>) {
  // expected-error@below {{lazy.index: indices must be integers of one shape}}
  %r = "lazy.index"(%x, %y, %z) {dims = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<4xi64>, tensor<5xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @index_put(%x: tensor<2x3xf32>, %y: tensor<4x2xf32>, %z: tensor<4xi64>) {
  // expected-error@below {{lazy.index_put: the update is tensor<4x2xf32>, the indices give tensor<4x3xf32>}}
  %r = "lazy.index_put"(%x, %y, %z) {dims = array<i64: 0>, kind = "set"} : (tensor<2x3xf32>, tensor<4x2xf32>, tensor<4xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @index_put(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>, %z: tensor<4xi64>) {
  // expected-error@below {{lazy.index_put: kind 'sub' is none of set, add, mul, amax, amin}}
  %r = "lazy.index_put"(%x, %y, %z) {dims = array<i64: 0>, kind = "sub"} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @sort(%x: tensor<2x3xf32>) {
  // expected-error@below {{lazy.sort: dim 2 is no dimension of tensor<2x3xf32>}}
  %r:2 = "lazy.sort"(%x) {dim = 2 : i64, descending = false} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return
}

// -----

func.func @sort(%x: tensor<2xcomplex<f32>>) {
  // expected-error@below {{lazy.sort: not defined on complex<f32>}}
  %r:2 = "lazy.sort"(%x) {dim = 0 : i64, descending = false} : (tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xi64>)
  return
}
