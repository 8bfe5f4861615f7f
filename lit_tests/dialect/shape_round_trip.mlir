// Round trip: Operations that move elements.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @permute
func.func @permute(%arg0: tensor<2x3x4xf32>, %arg1: tensor<f32>) {
  // CHECK-NEXT: %0 = "lazy.permute"(%arg0) {dims = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %0 = "lazy.permute"(%arg0) {dims = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  // CHECK-NEXT: %1 = "lazy.permute"(%arg1) {dims = array<i64>} : (tensor<f32>) -> tensor<f32>
  %1 = "lazy.permute"(%arg1) {dims = array<i64>} : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @reshape
func.func @reshape(%arg0: tensor<2x3x4xf32>, %arg1: tensor<1x1xi1>, %arg2: tensor<0x3xf32>) {
  // CHECK-NEXT: %0 = "lazy.reshape"(%arg0) {shape = array<i64: 6, 4>} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %0 = "lazy.reshape"(%arg0) {shape = array<i64: 6, 4>} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  // CHECK-NEXT: %1 = "lazy.reshape"(%arg1) {shape = array<i64>} : (tensor<1x1xi1>) -> tensor<i1>
  %1 = "lazy.reshape"(%arg1) {shape = array<i64>} : (tensor<1x1xi1>) -> tensor<i1>
  // CHECK-NEXT: %2 = "lazy.reshape"(%arg2) {shape = array<i64: 5, 0>} : (tensor<0x3xf32>) -> tensor<5x0xf32>
  %2 = "lazy.reshape"(%arg2) {shape = array<i64: 5, 0>} : (tensor<0x3xf32>) -> tensor<5x0xf32>
  return
}

// CHECK-LABEL: func.func @expand
func.func @expand(%arg0: tensor<3x1xf32>, %arg1: tensor<1xf32>, %arg2: tensor<f32>) {
  // CHECK-NEXT: %0 = "lazy.expand"(%arg0) {shape = array<i64: 2, 3, 4>} : (tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %0 = "lazy.expand"(%arg0) {shape = array<i64: 2, 3, 4>} : (tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %1 = "lazy.expand"(%arg1) {shape = array<i64: 0>} : (tensor<1xf32>) -> tensor<0xf32>
  %1 = "lazy.expand"(%arg1) {shape = array<i64: 0>} : (tensor<1xf32>) -> tensor<0xf32>
  // CHECK-NEXT: %2 = "lazy.expand"(%arg2) {shape = array<i64: 2, 2>} : (tensor<f32>) -> tensor<2x2xf32>
  %2 = "lazy.expand"(%arg2) {shape = array<i64: 2, 2>} : (tensor<f32>) -> tensor<2x2xf32>
  return
}

// CHECK-LABEL: func.func @slice
func.func @slice(%arg0: tensor<5x6xf32>, %arg1: tensor<i64>, %arg2: tensor<i64>) {
  // CHECK-NEXT: %0 = "lazy.slice"(%arg0) {sizes = array<i64: 2, 3>, starts = array<i64: 1, 0>, steps = array<i64: 2, 2>} : (tensor<5x6xf32>) -> tensor<2x3xf32>
  %0 = "lazy.slice"(%arg0) {sizes = array<i64: 2, 3>, starts = array<i64: 1, 0>, steps = array<i64: 2, 2>} : (tensor<5x6xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %1 = "lazy.slice"(%arg0, %arg1, %arg2) {sizes = array<i64: 2, 3>, starts = array<i64: -1, -1>, steps = array<i64: 1, 2>} : (tensor<5x6xf32>, tensor<i64>, tensor<i64>) -> tensor<2x3xf32>
  %1 = "lazy.slice"(%arg0, %arg1, %arg2) {sizes = array<i64: 2, 3>, starts = array<i64: -1, -1>, steps = array<i64: 1, 2>} : (tensor<5x6xf32>, tensor<i64>, tensor<i64>) -> tensor<2x3xf32>
  // CHECK-NEXT: %2 = "lazy.slice"(%arg0, %arg1) {sizes = array<i64: 0, 6>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>} : (tensor<5x6xf32>, tensor<i64>) -> tensor<0x6xf32>
  %2 = "lazy.slice"(%arg0, %arg1) {sizes = array<i64: 0, 6>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>} : (tensor<5x6xf32>, tensor<i64>) -> tensor<0x6xf32>
  return
}

// CHECK-LABEL: func.func @update_slice
func.func @update_slice(%arg0: tensor<5x6xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x6xf32>, %arg3: tensor<i64>) {
  // CHECK-NEXT: %0 = "lazy.update_slice"(%arg0, %arg1) {starts = array<i64: 3, 3>} : (tensor<5x6xf32>, tensor<2x3xf32>) -> tensor<5x6xf32>
  %0 = "lazy.update_slice"(%arg0, %arg1) {starts = array<i64: 3, 3>} : (tensor<5x6xf32>, tensor<2x3xf32>) -> tensor<5x6xf32>
  // CHECK-NEXT: %1 = "lazy.update_slice"(%arg0, %arg2, %arg3) {starts = array<i64: -1, 0>} : (tensor<5x6xf32>, tensor<2x6xf32>, tensor<i64>) -> tensor<5x6xf32>
  %1 = "lazy.update_slice"(%arg0, %arg2, %arg3) {starts = array<i64: -1, 0>} : (tensor<5x6xf32>, tensor<2x6xf32>, tensor<i64>) -> tensor<5x6xf32>
  return
}

// CHECK-LABEL: func.func @pad
func.func @pad(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) {
  // CHECK-NEXT: %0 = "lazy.pad"(%arg0, %arg1) {high = array<i64: 0, 2>, interior = array<i64: 1, 0>, low = array<i64: 1, -1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x4xf32>
  %0 = "lazy.pad"(%arg0, %arg1) {high = array<i64: 0, 2>, interior = array<i64: 1, 0>, low = array<i64: 1, -1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// CHECK-LABEL: func.func @cat
func.func @cat(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<4x3xf32>, %arg4: tensor<4x3xf32>,
    %arg5: tensor<3xui8>) {
  // CHECK-NEXT: %0 = "lazy.cat"(%arg0, %arg1, %arg2) {dim = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
  %0 = "lazy.cat"(%arg0, %arg1, %arg2) {dim = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
  // CHECK-NEXT: %1 = "lazy.cat"(%arg0, %arg3, %arg4) {dim = 0 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<10x3xf32>
  %1 = "lazy.cat"(%arg0, %arg3, %arg4) {dim = 0 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<10x3xf32>
  // CHECK-NEXT: %2 = "lazy.cat"(%arg5) {dim = 0 : i64} : (tensor<3xui8>) -> tensor<3xui8>
  %2 = "lazy.cat"(%arg5) {dim = 0 : i64} : (tensor<3xui8>) -> tensor<3xui8>
  return
}

// CHECK-LABEL: func.func @flip
func.func @flip(%arg0: tensor<2x3x4xf32>) {
  // CHECK-NEXT: %0 = "lazy.flip"(%arg0) {dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %0 = "lazy.flip"(%arg0) {dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @strided
func.func @strided(%arg0: tensor<10xf32>, %arg1: tensor<i64>) {
  // CHECK-NEXT: %0 = "lazy.strided"(%arg0, %arg1) {sizes = array<i64: 2, 3>, strides = array<i64: 4, 1>} : (tensor<10xf32>, tensor<i64>) -> tensor<2x3xf32>
  %0 = "lazy.strided"(%arg0, %arg1) {sizes = array<i64: 2, 3>, strides = array<i64: 4, 1>} : (tensor<10xf32>, tensor<i64>) -> tensor<2x3xf32>
  // CHECK-NEXT: %1 = "lazy.strided"(%arg0, %arg1) {sizes = array<i64: 4, 4>, strides = array<i64: 0, 2>} : (tensor<10xf32>, tensor<i64>) -> tensor<4x4xf32>
  %1 = "lazy.strided"(%arg0, %arg1) {sizes = array<i64: 4, 4>, strides = array<i64: 0, 2>} : (tensor<10xf32>, tensor<i64>) -> tensor<4x4xf32>
  // CHECK-NEXT: %2 = "lazy.strided"(%arg0, %arg1) {sizes = array<i64>, strides = array<i64>} : (tensor<10xf32>, tensor<i64>) -> tensor<f32>
  %2 = "lazy.strided"(%arg0, %arg1) {sizes = array<i64>, strides = array<i64>} : (tensor<10xf32>, tensor<i64>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @strided_update
func.func @strided_update(%arg0: tensor<10xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<i64>) {
  // CHECK-NEXT: %0 = "lazy.strided_update"(%arg0, %arg1, %arg2) {strides = array<i64: 4, 1>} : (tensor<10xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<10xf32>
  %0 = "lazy.strided_update"(%arg0, %arg1, %arg2) {strides = array<i64: 4, 1>} : (tensor<10xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<10xf32>
  return
}

// CHECK-LABEL: func.func @barriers
func.func @barriers(%arg0: tensor<2x3xf32>, %arg1: tensor<i64>) {
  // CHECK-NEXT: %0 = "lazy.optimization_barrier"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = "lazy.optimization_barrier"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %1 = "lazy.after"(%0, %arg1) : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  %1 = "lazy.after"(%0, %arg1) : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return
}
