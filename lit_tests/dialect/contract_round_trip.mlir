// Round trip: Contractions, convolutions and windows.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @dot
func.func @dot(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<5x2x3xbf16>, %arg3: tensor<5x4x3xbf16>, %arg4: tensor<2xf32>,
    %arg5: tensor<3xf32>) {
  // CHECK-NEXT: %0 = "lazy.dot"(%arg0, %arg1) {x_batch = array<i64>, x_contract = array<i64: 1>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %0 = "lazy.dot"(%arg0, %arg1) {x_batch = array<i64>, x_contract = array<i64: 1>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %1 = "lazy.dot"(%arg2, %arg3) {x_batch = array<i64: 0>, x_contract = array<i64: 2>, y_batch = array<i64: 0>, y_contract = array<i64: 2>} : (tensor<5x2x3xbf16>, tensor<5x4x3xbf16>) -> tensor<5x2x4xbf16>
  %1 = "lazy.dot"(%arg2, %arg3) {x_batch = array<i64: 0>, x_contract = array<i64: 2>, y_batch = array<i64: 0>, y_contract = array<i64: 2>} : (tensor<5x2x3xbf16>, tensor<5x4x3xbf16>) -> tensor<5x2x4xbf16>
  // CHECK-NEXT: %2 = "lazy.dot"(%arg4, %arg5) {x_batch = array<i64>, x_contract = array<i64>, y_batch = array<i64>, y_contract = array<i64>} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = "lazy.dot"(%arg4, %arg5) {x_batch = array<i64>, x_contract = array<i64>, y_batch = array<i64>, y_contract = array<i64>} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @convolution
func.func @convolution(%arg0: tensor<8x3x32x32xf32>, %arg1: tensor<16x3x3x3xf32>, %arg2: tensor<2x4x9xf32>, %arg3: tensor<8x2x3xf32>,
    %arg4: tensor<6x4x9xf32>, %arg5: tensor<4x4x3xf32>) {
  // CHECK-NEXT: %0 = "lazy.convolution"(%arg0, %arg1) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 1, 1>, low = array<i64: 1, 1>, strides = array<i64: 2, 2>, weight_dilation = array<i64: 1, 1>, x_dilation = array<i64: 1, 1>} : (tensor<8x3x32x32xf32>, tensor<16x3x3x3xf32>) -> tensor<8x16x16x16xf32>
  %0 = "lazy.convolution"(%arg0, %arg1) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 1, 1>, low = array<i64: 1, 1>, strides = array<i64: 2, 2>, weight_dilation = array<i64: 1, 1>, x_dilation = array<i64: 1, 1>} : (tensor<8x3x32x32xf32>, tensor<16x3x3x3xf32>) -> tensor<8x16x16x16xf32>
  // CHECK-NEXT: %1 = "lazy.convolution"(%arg2, %arg3) {batch_groups = 1 : i64, groups_count = 2 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 2>, x_dilation = array<i64: 2>} : (tensor<2x4x9xf32>, tensor<8x2x3xf32>) -> tensor<2x8x13xf32>
  %1 = "lazy.convolution"(%arg2, %arg3) {batch_groups = 1 : i64, groups_count = 2 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 2>, x_dilation = array<i64: 2>} : (tensor<2x4x9xf32>, tensor<8x2x3xf32>) -> tensor<2x8x13xf32>
  // CHECK-NEXT: %2 = "lazy.convolution"(%arg4, %arg5) {batch_groups = 2 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<6x4x9xf32>, tensor<4x4x3xf32>) -> tensor<3x4x7xf32>
  %2 = "lazy.convolution"(%arg4, %arg5) {batch_groups = 2 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<6x4x9xf32>, tensor<4x4x3xf32>) -> tensor<3x4x7xf32>
  return
}

// CHECK-LABEL: func.func @reduce_window
func.func @reduce_window(%arg0: tensor<2x9xf32>) {
  // CHECK-NEXT: %0 = "lazy.reduce_window"(%arg0) {dilation = array<i64: 1, 1>, high = array<i64: 0, 1>, kind = "sum", low = array<i64: 0, 1>, strides = array<i64: 1, 2>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x5xf32>
  %0 = "lazy.reduce_window"(%arg0) {dilation = array<i64: 1, 1>, high = array<i64: 0, 1>, kind = "sum", low = array<i64: 0, 1>, strides = array<i64: 1, 2>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x5xf32>
  // CHECK-NEXT: %1 = "lazy.reduce_window"(%arg0) {dilation = array<i64: 1, 1>, high = array<i64: 0, 1>, kind = "max", low = array<i64: 0, 1>, strides = array<i64: 1, 2>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x5xf32>
  %1 = "lazy.reduce_window"(%arg0) {dilation = array<i64: 1, 1>, high = array<i64: 0, 1>, kind = "max", low = array<i64: 0, 1>, strides = array<i64: 1, 2>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x5xf32>
  // CHECK-NEXT: %2 = "lazy.reduce_window"(%arg0) {dilation = array<i64: 1, 1>, high = array<i64: 0, 1>, kind = "min", low = array<i64: 0, 1>, strides = array<i64: 1, 2>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x5xf32>
  %2 = "lazy.reduce_window"(%arg0) {dilation = array<i64: 1, 1>, high = array<i64: 0, 1>, kind = "min", low = array<i64: 0, 1>, strides = array<i64: 1, 2>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x5xf32>
  return
}

// CHECK-LABEL: func.func @max_pool
func.func @max_pool(%arg0: tensor<2x3x8x8xf32>) {
  // CHECK-NEXT: %0:2 = "lazy.max_pool"(%arg0) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi64>)
  %0:2 = "lazy.max_pool"(%arg0) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi64>)
  return
}
