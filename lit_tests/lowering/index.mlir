// Whole slices are taken at once; several indices stand side by side.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @index
// CHECK: "stablehlo.gather"(%arg0, {{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>
// CHECK-SAME: slice_sizes = array<i64: 1, 4>
// CHECK: [[BOTH:%.*]] = stablehlo.concatenate {{.*}}, dim = 2
// CHECK-NEXT: "stablehlo.gather"(%arg0, [[BOTH]])
// CHECK-SAME: start_index_map = [1, 0]
func.func @index(%x: tensor<9x4xf32>, %i: tensor<2x3xi64>, %j: tensor<2x3xi64>) -> (tensor<2x3x4xf32>, tensor<2x3xf32>) {
  %0 = "lazy.index"(%x, %i) {dims = array<i64: 0>} : (tensor<9x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
  %1 = "lazy.index"(%x, %j, %i) {dims = array<i64: 1, 0>} : (tensor<9x4xf32>, tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<2x3xf32>
}
