// Operations that nothing uses are erased, whole chains of them; one result in use is use enough.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %0:2 = "lazy.sort"(%arg0) {descending = true, dim = 0 : i64}
// CHECK-NEXT: return %0#1
func.func @f(%x: tensor<4xf32>) -> tensor<4xi64> {
  %0 = "lazy.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.neg"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2, %3 = "lazy.max"(%x) {dim = 0 : i64} : (tensor<4xf32>) -> (tensor<f32>, tensor<i64>)
  %4, %5 = "lazy.sort"(%x) {dim = 0 : i64, descending = true} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  return %5 : tensor<4xi64>
}
