// Single elements are taken from the flattened operand by one number each.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @gather
// CHECK: [[FLAT:%.*]] = stablehlo.reshape %arg0 : (tensor<4x5xf32>) -> tensor<20xf32>
// CHECK-NEXT: [[I:%.*]] = stablehlo.convert %arg1 : (tensor<4x2xi64>) -> tensor<4x2xi32>
// CHECK: [[STEPS:%.*]] = stablehlo.multiply
// CHECK-NEXT: [[PLACES:%.*]] = stablehlo.add [[I]], [[STEPS]]
// CHECK-NEXT: "stablehlo.gather"([[FLAT]], [[PLACES]])
func.func @gather(%x: tensor<4x5xf32>, %i: tensor<4x2xi64>) -> (tensor<4x2xf32>) {
  %0 = "lazy.gather"(%x, %i) {dim = 1 : i64} : (tensor<4x5xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
