// Sums over paths are a loop over time, however long: its body is written once.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @path_sums
// CHECK: stablehlo.while
// CHECK: stablehlo.compare LT, {{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: stablehlo.select %{{.*}} : tensor<2x7xi1>, tensor<2x7xf32>
// CHECK: stablehlo.dynamic_slice {{.*}} sizes = [1, 2, 7]
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: stablehlo.dynamic_update_slice
func.func @path_sums(%x: tensor<500x2x7xf32>, %skips: tensor<2x7xi1>) -> (tensor<500x2x7xf32>) {
  %0 = "lazy.path_sums"(%x, %x, %skips) : (tensor<500x2x7xf32>, tensor<500x2x7xf32>, tensor<2x7xi1>) -> tensor<500x2x7xf32>
  return %0 : tensor<500x2x7xf32>
}
