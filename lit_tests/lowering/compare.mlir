// Comparisons and selection.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @compare
// CHECK: [[C:%.*]] = stablehlo.compare NE, %arg0, %arg1
// CHECK-NEXT: stablehlo.select [[C]], %arg0, %arg1
func.func @compare(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = "lazy.ne"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = "lazy.where"(%0, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
