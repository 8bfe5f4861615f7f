// What is different stays outside.
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always | filecheck %s

// CHECK-LABEL: func.func @in_the_middle(
// CHECK: "lazy.count"() {value = 5 : i64}
// CHECK: [[FIRST:%.*]]:2 = stablehlo.while
// CHECK: [[ODD:%.*]] = "lazy.sin"([[FIRST]]#1)
// CHECK: "lazy.count"() {value = 4 : i64}
// CHECK: stablehlo.while({{.*}}, {{.*}} = [[ODD]])
func.func @in_the_middle(%w: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %a0 = "lazy.mul"(%s, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b0 = "lazy.tanh"(%a0) : (tensor<4xf32>) -> tensor<4xf32>
  %a1 = "lazy.mul"(%b0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b1 = "lazy.tanh"(%a1) : (tensor<4xf32>) -> tensor<4xf32>
  %a2 = "lazy.mul"(%b1, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b2 = "lazy.tanh"(%a2) : (tensor<4xf32>) -> tensor<4xf32>
  %a3 = "lazy.mul"(%b2, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b3 = "lazy.tanh"(%a3) : (tensor<4xf32>) -> tensor<4xf32>
  %a4 = "lazy.mul"(%b3, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b4 = "lazy.tanh"(%a4) : (tensor<4xf32>) -> tensor<4xf32>
  %odd = "lazy.sin"(%b4) : (tensor<4xf32>) -> tensor<4xf32>
  %a5 = "lazy.mul"(%odd, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b5 = "lazy.tanh"(%a5) : (tensor<4xf32>) -> tensor<4xf32>
  %a6 = "lazy.mul"(%b5, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b6 = "lazy.tanh"(%a6) : (tensor<4xf32>) -> tensor<4xf32>
  %a7 = "lazy.mul"(%b6, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b7 = "lazy.tanh"(%a7) : (tensor<4xf32>) -> tensor<4xf32>
  %a8 = "lazy.mul"(%b7, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b8 = "lazy.tanh"(%a8) : (tensor<4xf32>) -> tensor<4xf32>
  return %b8 : tensor<4xf32>
}

// The first iteration reads other values.
// CHECK-LABEL: func.func @at_the_beginning(
// CHECK: [[F:%.*]] = "lazy.tanh"(%arg1)
// CHECK: [[A:%.*]] = "lazy.mul"(%arg1, [[F]])
// CHECK: [[B:%.*]] = "lazy.add"([[A]], %arg1)
// CHECK: "lazy.count"() {value = 3 : i64}
// CHECK: stablehlo.while({{.*}}, [[X:%.*]] = [[B]])
// CHECK: [[C:%.*]] = "lazy.mul"([[X]], %arg0)
// CHECK: "lazy.add"([[C]], [[F]])
func.func @at_the_beginning(%w: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %f = "lazy.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %a0 = "lazy.mul"(%s, %f) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b0 = "lazy.add"(%a0, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %a1 = "lazy.mul"(%b0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b1 = "lazy.add"(%a1, %f) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %a2 = "lazy.mul"(%b1, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b2 = "lazy.add"(%a2, %f) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %a3 = "lazy.mul"(%b2, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b3 = "lazy.add"(%a3, %f) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %b3 : tensor<4xf32>
}
