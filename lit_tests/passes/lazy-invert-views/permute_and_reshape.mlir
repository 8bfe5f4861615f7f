// Permutations and reshapes show the whole base, so that nothing of it is read.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @permute(
// CHECK-NEXT: %0 = "lazy.permute"(%arg1) {dims = array<i64: 2, 0, 1>}
// CHECK-NEXT: return %0
func.func @permute(%x: tensor<2x3x4xf32>, %u: tensor<3x4x2xf32>) -> tensor<2x3x4xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"permute", [array<i64: 1, 2, 0>]>]} : (tensor<2x3x4xf32>, tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg1) {shape = array<i64: 2, 6>}
// CHECK-NEXT: return %0
func.func @reshape(%x: tensor<2x6xf32>, %u: tensor<12xf32>) -> tensor<2x6xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"reshape", [array<i64: 12>]>]} : (tensor<2x6xf32>, tensor<12xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// CHECK-LABEL: func.func @both(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg1) {shape = array<i64: 3, 2>}
// CHECK-NEXT: %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0>}
// CHECK-NEXT: return %1
func.func @both(%x: tensor<2x3xf32>, %u: tensor<6xf32>) -> tensor<2x3xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>, #lazy.view<"reshape", [array<i64: 6>]>]} : (tensor<2x3xf32>, tensor<6xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @there_and_back(
// CHECK-NEXT: return %arg1
func.func @there_and_back(%x: tensor<2x3xf32>, %u: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>, #lazy.view<"permute", [array<i64: 1, 0>]>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @ones(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg1) {shape = array<i64: 1, 4>}
// CHECK-NEXT: return %0
func.func @ones(%x: tensor<1x4xf32>, %u: tensor<4x1xf32>) -> tensor<1x4xf32> {
  %0 = "lazy.write_view"(%x, %u) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>]} : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
