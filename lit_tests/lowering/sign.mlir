// The sign of a real number comes from comparisons (0.0 for NaN and -0.0, as in torch), of a complex one from StableHLO.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @sign
// CHECK: stablehlo.compare GT, %arg0
// CHECK: stablehlo.compare LT, %arg0
// CHECK: stablehlo.subtract
// CHECK-NEXT: stablehlo.sign %arg1 : tensor<4xcomplex<f32>>
func.func @sign(%x: tensor<4xf32>, %c: tensor<4xcomplex<f32>>) -> (tensor<4xf32>, tensor<4xcomplex<f32>>) {
  %0 = "lazy.sign"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.sign"(%c) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0, %1 : tensor<4xf32>, tensor<4xcomplex<f32>>
}
