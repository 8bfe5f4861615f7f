// Another value in each iteration, all of one type, as the weights of equal layers: they are stacked before the loop.
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always | filecheck %s

// CHECK-LABEL: func.func @layers(
// CHECK: [[STACK:%.*]] = "lazy.cat"({{.*}}) {dim = 0 : i64} : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
// CHECK-NOT: "lazy.count"
// CHECK: stablehlo.while([[I:%.*]] = {{.*}}, [[X:%.*]] = %arg0)
// CHECK: [[ROW:%.*]] = "lazy.slice"([[STACK]], [[I]]) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>}
// CHECK: [[W:%.*]] = "lazy.reshape"([[ROW]])
// CHECK: "lazy.mul"([[X]], [[W]])
func.func @layers(%s: tensor<4xf32>, %w0: tensor<4xf32>, %w1: tensor<4xf32>, %w2: tensor<4xf32>, %w3: tensor<4xf32>) -> tensor<4xf32> {
  %a0 = "lazy.mul"(%s, %w0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b0 = "lazy.tanh"(%a0) : (tensor<4xf32>) -> tensor<4xf32>
  %a1 = "lazy.mul"(%b0, %w1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b1 = "lazy.tanh"(%a1) : (tensor<4xf32>) -> tensor<4xf32>
  %a2 = "lazy.mul"(%b1, %w2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b2 = "lazy.tanh"(%a2) : (tensor<4xf32>) -> tensor<4xf32>
  %a3 = "lazy.mul"(%b2, %w3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b3 = "lazy.tanh"(%a3) : (tensor<4xf32>) -> tensor<4xf32>
  return %b3 : tensor<4xf32>
}
