// A permutation by which all read a result is written right away, but not where torch would then write batches one by one.
// RUN: lazymlir-opt %s --lazy-call-library="minimum-contraction=1 minimum-convolution=1" | filecheck %s

// CHECK-LABEL: func.func @permuted(
// CHECK-NEXT: %[[MADE:.*]] = stablehlo.custom_call @lazymlir_matmul(%arg0, %arg1)
// CHECK-SAME: 6, 1, 0, 0, 1, 2, 4, 0, 1, 2,
// CHECK-SAME: -> tensor<4x2xf32>
// CHECK-NEXT: return %[[MADE]], %[[MADE]]
func.func @permuted(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = "lazy.dot"(%x, %y) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %2 = "lazy.permute"(%0) {dims = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %1, %2 : tensor<4x2xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @read_both_ways(
// CHECK-NEXT: %[[MADE:.*]] = stablehlo.custom_call @lazymlir_matmul(%arg0, %arg1)
// CHECK-SAME: -> tensor<2x4xf32>
// CHECK-NEXT: %[[PERMUTED:.*]] = "lazy.permute"(%[[MADE]])
// CHECK-NEXT: return %[[MADE]], %[[PERMUTED]]
func.func @read_both_ways(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> (tensor<2x4xf32>, tensor<4x2xf32>) {
  %0 = "lazy.dot"(%x, %y) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @batches(
// CHECK-NEXT: %[[MADE:.*]] = stablehlo.custom_call @lazymlir_matmul(%arg0, %arg1)
// CHECK-SAME: -> tensor<5x2x4xf32>
// CHECK-NEXT: "lazy.permute"(%[[MADE]])
func.func @batches(%x: tensor<5x2x3xf32>, %y: tensor<5x3x4xf32>) -> tensor<2x5x4xf32> {
  %0 = "lazy.dot"(%x, %y) {x_batch = array<i64: 0>, y_batch = array<i64: 0>, x_contract = array<i64: 2>, y_contract = array<i64: 1>} : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0, 2>} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  return %1 : tensor<2x5x4xf32>
}
