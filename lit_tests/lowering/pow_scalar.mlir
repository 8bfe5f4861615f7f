// The power of one number: a constant exponent has its formula, any other chooses among the formulas when it runs.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @cube
// CHECK: [[S:%.*]] = stablehlo.multiply %arg0, %arg0
// CHECK: [[C:%.*]] = stablehlo.multiply [[S]], %arg0
// CHECK: return [[C]]
func.func @cube(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.constant"() {value = 3.0 : f64} : () -> tensor<f32>
  %1 = "lazy.pow_scalar"(%x, %0) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @no_formula
// CHECK: stablehlo.power
// CHECK-NOT: stablehlo.select
// CHECK: return
func.func @no_formula(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.constant"() {value = 1.5 : f64} : () -> tensor<f32>
  %1 = "lazy.pow_scalar"(%x, %0) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @any
// CHECK: stablehlo.convert %arg0 : (tensor<4xf16>) -> tensor<4xf32>
// CHECK: stablehlo.power
// CHECK-COUNT-4: stablehlo.select {{.*}} tensor<i1>, tensor<4xf32>
// CHECK-NOT: stablehlo.select
// CHECK: return
func.func @any(%x: tensor<4xf16>, %e: tensor<f16>) -> tensor<4xf16> {
  %0 = "lazy.pow_scalar"(%x, %e) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
