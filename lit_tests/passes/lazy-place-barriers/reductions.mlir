// What is left after the mean, which several reductions read, is kept: XLA's fast reductions take products, but no expansions.
// RUN: lazymlir-opt %s --lazy-place-barriers="minimum-elements=8" | filecheck %s

// CHECK-LABEL: func.func @centered(
// CHECK: %[[MEAN:.*]] = "lazy.expand"(%arg2)
// CHECK-NEXT: %[[MADE:.*]] = "lazy.sub"(%arg0, %[[MEAN]])
// CHECK-NEXT: %[[KEPT:.*]] = "lazy.optimization_barrier"(%[[MADE]])
// CHECK-NEXT: "lazy.mul"(%[[KEPT]], %[[KEPT]])
// CHECK: "lazy.mul"(%[[KEPT]], %arg1)
func.func @centered(%x: tensor<4x8xf32>, %g: tensor<4x8xf32>, %m: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.expand"(%m) {shape = array<i64: 4, 8>} : (tensor<8xf32>) -> tensor<4x8xf32>
  %1 = "lazy.sub"(%x, %0) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "lazy.mul"(%1, %1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = "lazy.sum"(%2) {dims = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4xf32>
  %4 = "lazy.mul"(%1, %g) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = "lazy.sum"(%4) {dims = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return %3, %5 : tensor<4xf32>, tensor<4xf32>
}

// Of one reduction XLA makes one loop; without an expansion it computes the operand in the reduction.
// CHECK-LABEL: func.func @cheap(
// CHECK-NOT: optimization_barrier
// CHECK: return
func.func @cheap(%x: tensor<4x8xf32>, %g: tensor<4x8xf32>, %m: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.expand"(%m) {shape = array<i64: 4, 8>} : (tensor<8xf32>) -> tensor<4x8xf32>
  %1 = "lazy.sub"(%x, %0) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "lazy.sum"(%1) {dims = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4xf32>
  %3 = "lazy.sub"(%x, %g) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = "lazy.sum"(%3) {dims = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4xf32>
  %5 = "lazy.amax"(%3) {dims = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return %2, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
