// What is little work, of another type, or not one of the library's functions, stays.
// RUN: lazymlir-opt %s --lazy-call-library="minimum-contraction=25 minimum-convolution=25" | filecheck %s

// CHECK-LABEL: func.func @small(
// CHECK: "lazy.dot"
func.func @small(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = "lazy.dot"(%x, %y) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @summed_in_float32(
// CHECK: "lazy.dot"
func.func @summed_in_float32(%x: tensor<9x9xbf16>) -> tensor<9x9xf32> {
  %0 = "lazy.dot"(%x, %x) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<9x9xbf16>, tensor<9x9xbf16>) -> tensor<9x9xf32>
  return %0 : tensor<9x9xf32>
}

// CHECK-LABEL: func.func @integers(
// CHECK: "lazy.dot"
func.func @integers(%x: tensor<9x9xi64>) -> tensor<9x9xi64> {
  %0 = "lazy.dot"(%x, %x) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<9x9xi64>, tensor<9x9xi64>) -> tensor<9x9xi64>
  return %0 : tensor<9x9xi64>
}

// Rows on both sides of the batch.
// CHECK-LABEL: func.func @batch_between_rows(
// CHECK: "lazy.dot"
func.func @batch_between_rows(%x: tensor<2x3x4x5xf32>, %y: tensor<3x5x6xf32>) -> tensor<3x2x4x6xf32> {
  %0 = "lazy.dot"(%x, %y) {x_batch = array<i64: 1>, y_batch = array<i64: 0>, x_contract = array<i64: 3>, y_contract = array<i64: 1>} : (tensor<2x3x4x5xf32>, tensor<3x5x6xf32>) -> tensor<3x2x4x6xf32>
  return %0 : tensor<3x2x4x6xf32>
}

// More padding at the end than torch has.
// CHECK-LABEL: func.func @one_sided_padding(
// CHECK: "lazy.convolution"
func.func @one_sided_padding(%x: tensor<2x3x8xf32>, %w: tensor<5x3x3xf32>) -> tensor<2x5x8xf32> {
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 1>, low = array<i64: 0>, high = array<i64: 2>, x_dilation = array<i64: 1>, weight_dilation = array<i64: 1>, batch_groups = 1 : i64, groups_count = 1 : i64} : (tensor<2x3x8xf32>, tensor<5x3x3xf32>) -> tensor<2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @groups_of_batches(
// CHECK: "lazy.convolution"
func.func @groups_of_batches(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x4x6xf32> {
  %0 = "lazy.convolution"(%x, %w) {strides = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, x_dilation = array<i64: 1>, weight_dilation = array<i64: 1>, batch_groups = 2 : i64, groups_count = 1 : i64} : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<1x4x6xf32>
  return %0 : tensor<1x4x6xf32>
}
