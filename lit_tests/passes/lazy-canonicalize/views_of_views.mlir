// Two views of a kind are one, or none.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @permute(
// CHECK-NEXT: %0 = "lazy.permute"(%arg0) {dims = array<i64: 2, 0, 1>}
// CHECK-NEXT: return %0, %arg0
func.func @permute(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = "lazy.permute"(%0) {dims = array<i64: 1, 2, 0>} : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  %2 = "lazy.permute"(%1) {dims = array<i64: 1, 2, 0>} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg0) {shape = array<i64: 3, 4>}
// CHECK-NEXT: return %0, %arg0
func.func @reshape(%x: tensor<2x6xf32>) -> (tensor<3x4xf32>, tensor<2x6xf32>) {
  %0 = "lazy.reshape"(%x) {shape = array<i64: 12>} : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = "lazy.reshape"(%0) {shape = array<i64: 3, 4>} : (tensor<12xf32>) -> tensor<3x4xf32>
  %2 = "lazy.reshape"(%1) {shape = array<i64: 2, 6>} : (tensor<3x4xf32>) -> tensor<2x6xf32>
  return %1, %2 : tensor<3x4xf32>, tensor<2x6xf32>
}

// CHECK-LABEL: func.func @expand(
// CHECK-NEXT: %0 = "lazy.expand"(%arg0) {shape = array<i64: 2, 3, 4>}
// CHECK-NEXT: %1 = "lazy.expand"(%arg1) {shape = array<i64: 5, 4>}
// CHECK-NEXT: return %0, %1
func.func @expand(%x: tensor<1x4xf32>, %y: tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<5x4xf32>) {
  %0 = "lazy.expand"(%x) {shape = array<i64: 3, 4>} : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %1 = "lazy.expand"(%0) {shape = array<i64: 2, 3, 4>} : (tensor<3x4xf32>) -> tensor<2x3x4xf32>
  %2 = "lazy.reshape"(%y) {shape = array<i64: 1, 4>} : (tensor<4xf32>) -> tensor<1x4xf32>
  %3 = "lazy.expand"(%2) {shape = array<i64: 5, 4>} : (tensor<1x4xf32>) -> tensor<5x4xf32>
  return %1, %3 : tensor<2x3x4xf32>, tensor<5x4xf32>
}

// CHECK-LABEL: func.func @bitcast(
// CHECK-NEXT: %0 = "lazy.bitcast"(%arg0) {dtype = i64}
// CHECK-NEXT: return %0, %arg0
func.func @bitcast(%x: tensor<4xf32>) -> (tensor<2xi64>, tensor<4xf32>) {
  %0 = "lazy.bitcast"(%x) {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %1 = "lazy.bitcast"(%0) {dtype = i64} : (tensor<4xi32>) -> tensor<2xi64>
  %2 = "lazy.bitcast"(%1) {dtype = f32} : (tensor<2xi64>) -> tensor<4xf32>
  return %1, %2 : tensor<2xi64>, tensor<4xf32>
}

// CHECK-LABEL: func.func @same(
// CHECK-NEXT: return %arg0
func.func @same(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "lazy.permute"(%x) {dims = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "lazy.reshape"(%0) {shape = array<i64: 2, 3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "lazy.expand"(%1) {shape = array<i64: 2, 3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = "lazy.slice"(%2) {starts = array<i64: 0, 0>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}
