// Nothing is merged of few terms, where a term or a part of the sum is read elsewhere, where operands are as large as results, where
// nothing is contracted, or where there are only sums.
// RUN: lazymlir-opt %s --lazy-merge-sums=minimum-terms=3 | filecheck %s
// CHECK-NOT: lazy.cat

func.func @few(%g0: tensor<2x16xf32>, %h0: tensor<2x8xf32>, %g1: tensor<2x16xf32>, %h1: tensor<2x8xf32>) -> tensor<16x8xf32> {
  %0 = "lazy.dot"(%g0, %h0) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %1 = "lazy.dot"(%g1, %h1) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %2 = "lazy.add"(%0, %1) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

func.func @read_elsewhere(%g0: tensor<2x16xf32>, %h0: tensor<2x8xf32>, %g1: tensor<2x16xf32>, %h1: tensor<2x8xf32>, %g2: tensor<2x16xf32>, %h2: tensor<2x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %0 = "lazy.dot"(%g0, %h0) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %1 = "lazy.dot"(%g1, %h1) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %2 = "lazy.dot"(%g2, %h2) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %3 = "lazy.add"(%0, %1) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %4 = "lazy.add"(%3, %2) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %4, %2 : tensor<16x8xf32>, tensor<16x8xf32>
}

func.func @partial_sum_read(%g0: tensor<2x16xf32>, %h0: tensor<2x8xf32>, %g1: tensor<2x16xf32>, %h1: tensor<2x8xf32>, %g2: tensor<2x16xf32>, %h2: tensor<2x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %0 = "lazy.dot"(%g0, %h0) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %1 = "lazy.dot"(%g1, %h1) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %2 = "lazy.dot"(%g2, %h2) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<2x16xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %3 = "lazy.add"(%0, %1) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %4 = "lazy.add"(%3, %2) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %4, %3 : tensor<16x8xf32>, tensor<16x8xf32>
}

func.func @large_operands(%g0: tensor<9x16xf32>, %h0: tensor<9x8xf32>, %g1: tensor<9x16xf32>, %h1: tensor<9x8xf32>, %g2: tensor<9x16xf32>, %h2: tensor<9x8xf32>) -> tensor<16x8xf32> {
  %0 = "lazy.dot"(%g0, %h0) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<9x16xf32>, tensor<9x8xf32>) -> tensor<16x8xf32>
  %1 = "lazy.dot"(%g1, %h1) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<9x16xf32>, tensor<9x8xf32>) -> tensor<16x8xf32>
  %2 = "lazy.dot"(%g2, %h2) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 0>, y_contract = array<i64: 0>} : (tensor<9x16xf32>, tensor<9x8xf32>) -> tensor<16x8xf32>
  %3 = "lazy.add"(%0, %1) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %4 = "lazy.add"(%3, %2) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %4 : tensor<16x8xf32>
}

func.func @nothing_contracted(%x: tensor<16xf32>, %y: tensor<8xf32>) -> tensor<16x8xf32> {
  %0 = "lazy.dot"(%x, %y) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64>, y_contract = array<i64>} : (tensor<16xf32>, tensor<8xf32>) -> tensor<16x8xf32>
  %1 = "lazy.dot"(%x, %y) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64>, y_contract = array<i64>} : (tensor<16xf32>, tensor<8xf32>) -> tensor<16x8xf32>
  %2 = "lazy.dot"(%x, %y) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64>, y_contract = array<i64>} : (tensor<16xf32>, tensor<8xf32>) -> tensor<16x8xf32>
  %3 = "lazy.add"(%0, %1) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %4 = "lazy.add"(%3, %2) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %4 : tensor<16x8xf32>
}

func.func @sums_alone(%x: tensor<2x16xf32>, %y: tensor<2x16xf32>, %z: tensor<2x16xf32>) -> tensor<16xf32> {
  %0 = "lazy.sum"(%x) {dims = array<i64: 0>} : (tensor<2x16xf32>) -> tensor<16xf32>
  %1 = "lazy.sum"(%y) {dims = array<i64: 0>} : (tensor<2x16xf32>) -> tensor<16xf32>
  %2 = "lazy.sum"(%z) {dims = array<i64: 0>} : (tensor<2x16xf32>) -> tensor<16xf32>
  %3 = "lazy.add"(%0, %1) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %4 = "lazy.add"(%3, %2) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %4 : tensor<16xf32>
}
