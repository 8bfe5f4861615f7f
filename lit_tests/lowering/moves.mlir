// Operations that only move elements.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @moves
// CHECK: stablehlo.transpose %arg0, dims = [1, 0]
// CHECK-NEXT: stablehlo.reshape {{.*}} -> tensor<6xf32>
// CHECK-NEXT: stablehlo.broadcast_in_dim {{.*}}, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: stablehlo.reverse {{.*}}, dims = [0]
// CHECK-NEXT: stablehlo.pad {{.*}}, %arg1, low = [1, -1], high = [0, 2], interior = [0, 1]
// CHECK-NEXT: stablehlo.concatenate {{.*}}, dim = 0
func.func @moves(%x: tensor<2x3xf32>, %v: tensor<f32>) -> (tensor<10x12xf32>) {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "lazy.reshape"(%0) {shape = array<i64: 6>} : (tensor<3x2xf32>) -> tensor<6xf32>
  %2 = "lazy.expand"(%1) {shape = array<i64: 4, 6>} : (tensor<6xf32>) -> tensor<4x6xf32>
  %3 = "lazy.flip"(%2) {dims = array<i64: 0>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = "lazy.pad"(%3, %v) {low = array<i64: 1, -1>, high = array<i64: 0, 2>, interior = array<i64: 0, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x12xf32>
  %5 = "lazy.cat"(%4, %4) {dim = 0 : i64} : (tensor<5x12xf32>, tensor<5x12xf32>) -> tensor<10x12xf32>
  return %5 : tensor<10x12xf32>
}
