// A contraction is a call whose numbers say how the library sees its operands: permutations, reshapes, slices and expansions are strides.
// RUN: lazymlir-opt %s --lazy-call-library="minimum-contraction=1 minimum-convolution=1" | filecheck %s

// CHECK-LABEL: func.func @permuted(
// CHECK: stablehlo.custom_call @lazymlir_matmul(%arg0, %arg1) {api_version = 4 : i32, backend_config = {numbers = array<i64:
// the type, one outermost matrix
// CHECK-SAME: 6, 1,
// of the result and of each operand: step to the next outermost one, offset, batches, rows, columns, their strides
// CHECK-SAME: 0, 0, 1, 2, 4, 0, 4, 1,
// CHECK-SAME: 0, 0, 1, 2, 3, 0, 3, 1,
// CHECK-SAME: 0, 0, 1, 3, 4, 0, 1, 3>},
// CHECK-SAME: operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}
// CHECK-SAME: : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
func.func @permuted(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = "lazy.permute"(%w) {dims = array<i64: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = "lazy.dot"(%x, %0) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// Heads of [place, batch, width]: batch and head are one dimension of batches.
// CHECK-LABEL: func.func @heads(
// CHECK: stablehlo.custom_call @lazymlir_matmul(%arg0, %arg1)
// CHECK-SAME: 6, 1, 0, 0, 6, 5, 5, 25, 5, 1, 0, 0, 6, 5, 4, 4, 24, 1, 0, 0, 6, 4, 5, 4, 1, 24>
// CHECK-SAME: (tensor<5x3x8xf32>, tensor<5x3x8xf32>) -> tensor<3x2x5x5xf32>
func.func @heads(%q: tensor<5x3x8xf32>, %k: tensor<5x3x8xf32>) -> tensor<3x2x5x5xf32> {
  %0 = "lazy.reshape"(%q) {shape = array<i64: 5, 3, 2, 4>} : (tensor<5x3x8xf32>) -> tensor<5x3x2x4xf32>
  %1 = "lazy.permute"(%0) {dims = array<i64: 1, 2, 0, 3>} : (tensor<5x3x2x4xf32>) -> tensor<3x2x5x4xf32>
  %2 = "lazy.reshape"(%k) {shape = array<i64: 5, 3, 2, 4>} : (tensor<5x3x8xf32>) -> tensor<5x3x2x4xf32>
  %3 = "lazy.permute"(%2) {dims = array<i64: 1, 2, 0, 3>} : (tensor<5x3x2x4xf32>) -> tensor<3x2x5x4xf32>
  %4 = "lazy.dot"(%1, %3) {x_batch = array<i64: 0, 1>, y_batch = array<i64: 0, 1>, x_contract = array<i64: 3>, y_contract = array<i64: 3>} : (tensor<3x2x5x4xf32>, tensor<3x2x5x4xf32>) -> tensor<3x2x5x5xf32>
  return %4 : tensor<3x2x5x5xf32>
}

// Heads of [batch, place, width]: one of two dimensions of batches is outermost, and runs over calls.
// CHECK-LABEL: func.func @outermost(
// CHECK: stablehlo.custom_call @lazymlir_matmul(%arg0, %arg0)
// CHECK-SAME: 6, 3, 50, 0, 2, 5, 5, 25, 5, 1, 40, 0, 2, 5, 4, 4, 8, 1, 40, 0, 2, 4, 5, 4, 1, 8>
func.func @outermost(%q: tensor<3x5x8xf32>) -> tensor<3x2x5x5xf32> {
  %0 = "lazy.reshape"(%q) {shape = array<i64: 3, 5, 2, 4>} : (tensor<3x5x8xf32>) -> tensor<3x5x2x4xf32>
  %1 = "lazy.permute"(%0) {dims = array<i64: 0, 2, 1, 3>} : (tensor<3x5x2x4xf32>) -> tensor<3x2x5x4xf32>
  %2 = "lazy.dot"(%1, %1) {x_batch = array<i64: 0, 1>, y_batch = array<i64: 0, 1>, x_contract = array<i64: 3>, y_contract = array<i64: 3>} : (tensor<3x2x5x4xf32>, tensor<3x2x5x4xf32>) -> tensor<3x2x5x5xf32>
  return %2 : tensor<3x2x5x5xf32>
}

// A slice begins at an offset; every second row is a stride.
// CHECK-LABEL: func.func @sliced(
// CHECK: stablehlo.custom_call @lazymlir_matmul(%arg0, %arg1)
// CHECK-SAME: 7, 1, 0, 0, 1, 2, 2, 0, 2, 1, 0, 4, 1, 2, 4, 0, 8, 1, 0, 1, 1, 4, 2, 0, 3, 1>
func.func @sliced(%x: tensor<5x4xf64>, %y: tensor<4x3xf64>) -> tensor<2x2xf64> {
  %0 = "lazy.slice"(%x) {starts = array<i64: 1, 0>, sizes = array<i64: 2, 4>, steps = array<i64: 2, 1>} : (tensor<5x4xf64>) -> tensor<2x4xf64>
  %1 = "lazy.slice"(%y) {starts = array<i64: 0, 1>, sizes = array<i64: 4, 2>, steps = array<i64: 1, 1>} : (tensor<4x3xf64>) -> tensor<4x2xf64>
  %2 = "lazy.dot"(%0, %1) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<2x4xf64>, tensor<4x2xf64>) -> tensor<2x2xf64>
  return %2 : tensor<2x2xf64>
}

// Where only the running program knows where a slice starts, the call gets the offset of each operand, clamped.
// CHECK-LABEL: func.func @starts(
// CHECK: %[[LOW:.*]] = "lazy.maximum"(%arg2, %{{.*}}) : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK: %[[MOST:.*]] = "lazy.constant"() {value = 3 : i64}
// CHECK: %[[INDEX:.*]] = "lazy.minimum"(%[[LOW]], %[[MOST]])
// CHECK: %[[STRIDE:.*]] = "lazy.constant"() {value = 4 : i64}
// CHECK: %[[STEPS:.*]] = "lazy.mul"(%[[INDEX]], %[[STRIDE]])
// CHECK: %[[OFFSET:.*]] = "lazy.add"(%{{.*}}, %[[STEPS]])
// CHECK: %[[NONE:.*]] = "lazy.constant"() {value = 0 : i64}
// CHECK: stablehlo.custom_call @lazymlir_matmul(%arg0, %arg1, %[[OFFSET]], %[[NONE]])
// CHECK-SAME: operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]
func.func @starts(%x: tensor<5x4xf32>, %y: tensor<4x3xf32>, %i: tensor<i64>) -> tensor<2x3xf32> {
  %0 = "lazy.slice"(%x, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 2, 4>, steps = array<i64: 1, 1>} : (tensor<5x4xf32>, tensor<i64>) -> tensor<2x4xf32>
  %1 = "lazy.dot"(%0, %y) {x_batch = array<i64>, y_batch = array<i64>, x_contract = array<i64: 1>, y_contract = array<i64: 0>} : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// Batches of x that are one matrix, repeated.
// CHECK-LABEL: func.func @expanded(
// CHECK: stablehlo.custom_call @lazymlir_matmul(%arg0, %arg1)
// CHECK-SAME: 6, 1, 0, 0, 3, 2, 5, 10, 5, 1, 0, 0, 3, 2, 4, 0, 4, 1, 0, 0, 3, 4, 5, 20, 5, 1>
func.func @expanded(%x: tensor<2x4xf32>, %y: tensor<3x4x5xf32>) -> tensor<3x2x5xf32> {
  %0 = "lazy.expand"(%x) {shape = array<i64: 3, 2, 4>} : (tensor<2x4xf32>) -> tensor<3x2x4xf32>
  %1 = "lazy.dot"(%0, %y) {x_batch = array<i64: 0>, y_batch = array<i64: 0>, x_contract = array<i64: 2>, y_contract = array<i64: 1>} : (tensor<3x2x4xf32>, tensor<3x4x5xf32>) -> tensor<3x2x5xf32>
  return %1 : tensor<3x2x5xf32>
}
