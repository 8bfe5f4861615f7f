// A loop in a loop.
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always | filecheck %s

// CHECK-LABEL: func.func @nested(
// CHECK: "lazy.count"() {value = 3 : i64}
// CHECK: stablehlo.while
// CHECK: "lazy.count"() {value = 4 : i64}
// CHECK: [[INNER:%.*]]:2 = stablehlo.while
// CHECK: "lazy.tanh"
// CHECK: stablehlo.return
// CHECK: [[S:%.*]] = "lazy.sin"([[INNER]]#1)
// CHECK: stablehlo.return {{.*}}, [[S]]
// CHECK-NOT: "lazy.sin"
// CHECK: return
func.func @nested(%w: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %a0 = "lazy.mul"(%s, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b0 = "lazy.tanh"(%a0) : (tensor<4xf32>) -> tensor<4xf32>
  %a1 = "lazy.mul"(%b0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b1 = "lazy.tanh"(%a1) : (tensor<4xf32>) -> tensor<4xf32>
  %a2 = "lazy.mul"(%b1, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b2 = "lazy.tanh"(%a2) : (tensor<4xf32>) -> tensor<4xf32>
  %a3 = "lazy.mul"(%b2, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b3 = "lazy.tanh"(%a3) : (tensor<4xf32>) -> tensor<4xf32>
  %c0 = "lazy.sin"(%b3) : (tensor<4xf32>) -> tensor<4xf32>
  %a4 = "lazy.mul"(%c0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b4 = "lazy.tanh"(%a4) : (tensor<4xf32>) -> tensor<4xf32>
  %a5 = "lazy.mul"(%b4, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b5 = "lazy.tanh"(%a5) : (tensor<4xf32>) -> tensor<4xf32>
  %a6 = "lazy.mul"(%b5, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b6 = "lazy.tanh"(%a6) : (tensor<4xf32>) -> tensor<4xf32>
  %a7 = "lazy.mul"(%b6, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b7 = "lazy.tanh"(%a7) : (tensor<4xf32>) -> tensor<4xf32>
  %c1 = "lazy.sin"(%b7) : (tensor<4xf32>) -> tensor<4xf32>
  %a8 = "lazy.mul"(%c1, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b8 = "lazy.tanh"(%a8) : (tensor<4xf32>) -> tensor<4xf32>
  %a9 = "lazy.mul"(%b8, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b9 = "lazy.tanh"(%a9) : (tensor<4xf32>) -> tensor<4xf32>
  %a10 = "lazy.mul"(%b9, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b10 = "lazy.tanh"(%a10) : (tensor<4xf32>) -> tensor<4xf32>
  %a11 = "lazy.mul"(%b10, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b11 = "lazy.tanh"(%a11) : (tensor<4xf32>) -> tensor<4xf32>
  %c2 = "lazy.sin"(%b11) : (tensor<4xf32>) -> tensor<4xf32>
  return %c2 : tensor<4xf32>
}
