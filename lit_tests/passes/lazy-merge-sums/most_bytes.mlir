// The operands of the three contractions take 3 * (128 + 64) bytes.
// RUN: lazymlir-opt %s --lazy-merge-sums="minimum-terms=3 most-bytes=576" | filecheck %s
// RUN: lazymlir-opt %s --lazy-merge-sums="minimum-terms=3 most-bytes=575" | filecheck %s --check-prefix=FEWER
// CHECK: lazy.cat
// FEWER-NOT: lazy.cat

func.func @f(%g0: tensor<2x16xf32>, %h0: tensor<2x8xf32>, %g1: tensor<2x16xf32>, %h1: tensor<2x8xf32>, %g2: tensor<2x16xf32>, %h2: tensor<2x8xf32>) -> tensor<16x8xf32> {
  %0 = "lazy.dot"(%g0, %h0) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %1 = "lazy.dot"(%g1, %h1) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %2 = "lazy.dot"(%g2, %h2) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %3 = "lazy.add"(%0, %1) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %4 = "lazy.add"(%3, %2) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %4 : tensor<16x8xf32>
}
