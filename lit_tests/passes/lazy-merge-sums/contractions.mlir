// The terms of a sum of contractions, in any tree of additions, become one; what else is added comes after it.
// RUN: lazymlir-opt %s --lazy-merge-sums=minimum-terms=3 | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %[[H:.*]] = "lazy.cat"(%arg1, %arg3, %arg5) {dim = 0 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<6x8xf32>
// CHECK-NEXT: %[[G:.*]] = "lazy.cat"(%arg0, %arg2, %arg4) {dim = 0 : i64} : (tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<6x16xf32>
// CHECK-NEXT: %[[DOT:.*]] = "lazy.dot"(%[[G]], %[[H]]) {x_batch = array<i64>, x_contract = array<i64: 0>, y_batch = array<i64>, y_contract = array<i64: 0>}
// CHECK-NEXT: %[[SUM:.*]] = "lazy.add"(%[[DOT]], %arg6)
// CHECK-NEXT: return %[[SUM]]
func.func @f(%g0: tensor<2x16xf32>, %h0: tensor<2x8xf32>, %g1: tensor<2x16xf32>, %h1: tensor<2x8xf32>, %g2: tensor<2x16xf32>, %h2: tensor<2x8xf32>, %w: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = "lazy.dot"(%g0, %h0) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %1 = "lazy.dot"(%g1, %h1) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %2 = "lazy.dot"(%g2, %h2) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %3 = "lazy.add"(%0, %w) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %4 = "lazy.add"(%1, %2) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %5 = "lazy.add"(%3, %4) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %5 : tensor<16x8xf32>
}
