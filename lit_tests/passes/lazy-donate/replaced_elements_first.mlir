// A result that is the argument with some elements replaced saves more than one that is computed from all of it.
// RUN: lazymlir-opt %s --lazy-donate | filecheck %s

// CHECK-LABEL: func.func @update(%arg0: tensor<8x4xf32> {lazy.dies, lazy.donated = 1 : i64}, %arg1: tensor<1x4xf32>, %arg2: tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
// CHECK-NEXT: %0 = "lazy.exp"(%arg0)
// CHECK-NEXT: %1 = "lazy.update_slice"(%arg0, %arg1, %arg2) {starts = array<i64: -1, 0>}
// CHECK-NEXT: return %0, %1
func.func @update(%x: tensor<8x4xf32> {lazy.dies}, %u: tensor<1x4xf32>, %i: tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = "lazy.exp"(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = "lazy.update_slice"(%x, %u, %i) {starts = array<i64: -1, 0>} : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i64>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @scatter(%arg0: tensor<8xf32> {lazy.dies, lazy.donated = 1 : i64}, %arg1: tensor<3xi64>, %arg2: tensor<3xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: %0 = "lazy.neg"(%arg0)
// CHECK-NEXT: %1 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 0 : i64, kind = "add"}
// CHECK-NEXT: %2 = "lazy.index_put"(%1, %arg2, %arg1) {dims = array<i64: 0>, kind = "set"}
// CHECK-NEXT: return %0, %2
func.func @scatter(%x: tensor<8xf32> {lazy.dies}, %k: tensor<3xi64>, %u: tensor<3xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "lazy.neg"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "lazy.scatter"(%x, %k, %u) {dim = 0 : i64, kind = "add"} : (tensor<8xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<8xf32>
  %2 = "lazy.index_put"(%1, %u, %k) {dims = array<i64: 0>, kind = "set"} : (tensor<8xf32>, tensor<3xf32>, tensor<3xi64>) -> tensor<8xf32>
  return %0, %2 : tensor<8xf32>, tensor<8xf32>
}
