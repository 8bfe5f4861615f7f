// Flags of passes run in the order in which they stand, ours and upstream's mixed.
// RUN: lazymlir-opt %s --cse --lazy-lower-to-stablehlo --canonicalize | filecheck %s
// RUN: lazymlir-opt %s -cse -lazy-lower-to-stablehlo | filecheck %s
// RUN: lazymlir-opt %s | filecheck %s --check-prefix=UNCHANGED

// CHECK-LABEL: func.func @twice
// CHECK-NEXT: [[T:%.*]] = stablehlo.transpose %arg0, dims = [1, 0]
// CHECK-NEXT: return [[T]], [[T]]
// UNCHANGED: lazy.permute
// UNCHANGED-NEXT: lazy.permute
func.func @twice(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "lazy.permute"(%x) {dims = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
}
