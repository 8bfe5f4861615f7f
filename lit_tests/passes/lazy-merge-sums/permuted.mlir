// Operands are put together before they are permuted, right behind the last of them; sums of the same operands become one too.
// RUN: lazymlir-opt %s --lazy-merge-sums=minimum-terms=3 | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %[[H:.*]] = "lazy.cat"(%arg1, %arg3, %arg5) {dim = 0 : i64}
// CHECK-NEXT: %[[G:.*]] = "lazy.cat"(%arg0, %arg2, %arg4) {dim = 0 : i64} : (tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<6x16xf32>
// CHECK-NEXT: %[[T:.*]] = "lazy.permute"(%[[G]]) {dims = array<i64: 1, 0>}
// CHECK-NEXT: %[[W:.*]] = "lazy.dot"(%[[T]], %[[H]])
// CHECK-NEXT: %[[B:.*]] = "lazy.sum"(%[[G]]) {dims = array<i64: 0>} : (tensor<6x16xf32>) -> tensor<16xf32>
// CHECK-NEXT: return %[[W]], %[[B]]
func.func @f(%g0: tensor<2x16xf32>, %h0: tensor<2x8xf32>, %g1: tensor<2x16xf32>, %h1: tensor<2x8xf32>, %g2: tensor<2x16xf32>, %h2: tensor<2x8xf32>) -> (tensor<16x8xf32>, tensor<16xf32>) {
  %t0 = "lazy.permute"(%g0) {dims = array<i64: 1, 0>} : (tensor<2x16xf32>) -> tensor<16x2xf32>
  %d0 = "lazy.dot"(%t0, %h0) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<16x2xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %s0 = "lazy.sum"(%g0) {dims = array<i64: 0>} : (tensor<2x16xf32>) -> tensor<16xf32>
  %t1 = "lazy.permute"(%g1) {dims = array<i64: 1, 0>} : (tensor<2x16xf32>) -> tensor<16x2xf32>
  %d1 = "lazy.dot"(%t1, %h1) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<16x2xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %s1 = "lazy.sum"(%g1) {dims = array<i64: 0>} : (tensor<2x16xf32>) -> tensor<16xf32>
  %a1 = "lazy.add"(%d0, %d1) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %b1 = "lazy.add"(%s0, %s1) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %t2 = "lazy.permute"(%g2) {dims = array<i64: 1, 0>} : (tensor<2x16xf32>) -> tensor<16x2xf32>
  %d2 = "lazy.dot"(%t2, %h2) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<16x2xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %s2 = "lazy.sum"(%g2) {dims = array<i64: 0>} : (tensor<2x16xf32>) -> tensor<16xf32>
  %a2 = "lazy.add"(%a1, %d2) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %b2 = "lazy.add"(%b1, %s2) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %a2, %b2 : tensor<16x8xf32>, tensor<16xf32>
}
