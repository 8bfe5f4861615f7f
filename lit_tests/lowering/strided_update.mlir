// Places are promised to be distinct only where the strides prove it.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @strided_update
// CHECK: "stablehlo.scatter"(%arg0, {{.*}}, %arg1)
// CHECK-SAME: unique_indices = true
// CHECK-NEXT: ^bb0({{.*}}: tensor<f32>, [[NEW:%.*]]: tensor<f32>):
// CHECK-NEXT: stablehlo.return [[NEW]]
// CHECK: "stablehlo.scatter"
// CHECK-SAME: unique_indices = false
func.func @strided_update(%x: tensor<30xf32>, %u: tensor<3x4xf32>, %i: tensor<i64>) -> (tensor<30xf32>, tensor<30xf32>) {
  %0 = "lazy.strided_update"(%x, %u, %i) {strides = array<i64: 7, 1>} : (tensor<30xf32>, tensor<3x4xf32>, tensor<i64>) -> tensor<30xf32>
  %1 = "lazy.strided_update"(%x, %u, %i) {strides = array<i64: 0, 2>} : (tensor<30xf32>, tensor<3x4xf32>, tensor<i64>) -> tensor<30xf32>
  return %0, %1 : tensor<30xf32>, tensor<30xf32>
}
