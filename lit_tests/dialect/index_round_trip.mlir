// Round trip: Computed places, and sorting.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @gather
func.func @gather(%arg0: tensor<2x3xf32>, %arg1: tensor<2x5xi64>, %arg2: tensor<4xf32>, %arg3: tensor<2xi32>) {
  // CHECK-NEXT: %0 = "lazy.gather"(%arg0, %arg1) {dim = 1 : i64} : (tensor<2x3xf32>, tensor<2x5xi64>) -> tensor<2x5xf32>
  %0 = "lazy.gather"(%arg0, %arg1) {dim = 1 : i64} : (tensor<2x3xf32>, tensor<2x5xi64>) -> tensor<2x5xf32>
  // CHECK-NEXT: %1 = "lazy.gather"(%arg2, %arg3) {dim = 0 : i64} : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>
  %1 = "lazy.gather"(%arg2, %arg3) {dim = 0 : i64} : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @scatter
func.func @scatter(%arg0: tensor<2x3xf32>, %arg1: tensor<2x5xi64>, %arg2: tensor<2x5xf32>) {
  // CHECK-NEXT: %0 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 1 : i64, kind = "set"} : (tensor<2x3xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  %0 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 1 : i64, kind = "set"} : (tensor<2x3xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %1 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 1 : i64, kind = "add"} : (tensor<2x3xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  %1 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 1 : i64, kind = "add"} : (tensor<2x3xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %2 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 1 : i64, kind = "mul"} : (tensor<2x3xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  %2 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 1 : i64, kind = "mul"} : (tensor<2x3xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %3 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 1 : i64, kind = "amax"} : (tensor<2x3xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  %3 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 1 : i64, kind = "amax"} : (tensor<2x3xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %4 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 1 : i64, kind = "amin"} : (tensor<2x3xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  %4 = "lazy.scatter"(%arg0, %arg1, %arg2) {dim = 1 : i64, kind = "amin"} : (tensor<2x3xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @index
func.func @index(%arg0: tensor<5x6xf32>, %arg1: tensor<4xi64>, %arg2: tensor<5x6x7xf32>, %arg3: tensor<2x4xi32>, %arg4: tensor<2x4xi32>) {
  // CHECK-NEXT: %0 = "lazy.index"(%arg0, %arg1) {dims = array<i64: 0>} : (tensor<5x6xf32>, tensor<4xi64>) -> tensor<4x6xf32>
  %0 = "lazy.index"(%arg0, %arg1) {dims = array<i64: 0>} : (tensor<5x6xf32>, tensor<4xi64>) -> tensor<4x6xf32>
  // CHECK-NEXT: %1 = "lazy.index"(%arg2, %arg3, %arg4) {dims = array<i64: 2, 0>} : (tensor<5x6x7xf32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4x6xf32>
  %1 = "lazy.index"(%arg2, %arg3, %arg4) {dims = array<i64: 2, 0>} : (tensor<5x6x7xf32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4x6xf32>
  return
}

// CHECK-LABEL: func.func @index_put
func.func @index_put(%arg0: tensor<5x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<4xi64>) {
  // CHECK-NEXT: %0 = "lazy.index_put"(%arg0, %arg1, %arg2) {dims = array<i64: 0>, kind = "set"} : (tensor<5x6xf32>, tensor<4x6xf32>, tensor<4xi64>) -> tensor<5x6xf32>
  %0 = "lazy.index_put"(%arg0, %arg1, %arg2) {dims = array<i64: 0>, kind = "set"} : (tensor<5x6xf32>, tensor<4x6xf32>, tensor<4xi64>) -> tensor<5x6xf32>
  // CHECK-NEXT: %1 = "lazy.index_put"(%arg0, %arg1, %arg2) {dims = array<i64: 0>, kind = "add"} : (tensor<5x6xf32>, tensor<4x6xf32>, tensor<4xi64>) -> tensor<5x6xf32>
  %1 = "lazy.index_put"(%arg0, %arg1, %arg2) {dims = array<i64: 0>, kind = "add"} : (tensor<5x6xf32>, tensor<4x6xf32>, tensor<4xi64>) -> tensor<5x6xf32>
  return
}

// CHECK-LABEL: func.func @sort
func.func @sort(%arg0: tensor<2x3xf32>, %arg1: tensor<4xi1>) {
  // CHECK-NEXT: %0:2 = "lazy.sort"(%arg0) {descending = true, dim = 1 : i64} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  %0:2 = "lazy.sort"(%arg0) {descending = true, dim = 1 : i64} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  // CHECK-NEXT: %1:2 = "lazy.sort"(%arg1) {descending = false, dim = 0 : i64} : (tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi64>)
  %1:2 = "lazy.sort"(%arg1) {descending = false, dim = 0 : i64} : (tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi64>)
  return
}
