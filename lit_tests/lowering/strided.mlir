// An unbroken run is a slice; else each row's run is gathered at a computed place.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @strided
// CHECK: stablehlo.dynamic_slice %arg0, %arg1, sizes = [6]
// CHECK: [[ROWS:%.*]] = stablehlo.iota dim = 0 : tensor<3xi32>
// CHECK-NEXT: [[STRIDE:%.*]] = stablehlo.constant dense<7> : tensor<3xi32>
// CHECK-NEXT: [[STEPS:%.*]] = stablehlo.multiply [[ROWS]], [[STRIDE]]
// CHECK-NEXT: [[PLACES:%.*]] = stablehlo.add {{.*}}, [[STEPS]]
// CHECK-NEXT: "stablehlo.gather"(%arg0, [[PLACES]])
// CHECK-SAME: slice_sizes = array<i64: 4>
func.func @strided(%x: tensor<30xf32>, %i: tensor<i64>) -> (tensor<2x3xf32>, tensor<3x4xf32>) {
  %0 = "lazy.strided"(%x, %i) {sizes = array<i64: 2, 3>, strides = array<i64: 3, 1>} : (tensor<30xf32>, tensor<i64>) -> tensor<2x3xf32>
  %1 = "lazy.strided"(%x, %i) {sizes = array<i64: 3, 4>, strides = array<i64: 7, 1>} : (tensor<30xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<3x4xf32>
}
