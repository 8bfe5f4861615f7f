// Fibonacci's numbers: each needs the two before, which go through two registers in a row.
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always | filecheck %s

// CHECK-LABEL: func.func @fibonacci(
// CHECK: [[LOOP:%.*]]:3 = stablehlo.while([[I:%.*]] = {{.*}}, {{.*}} = %arg1, {{.*}} = %arg0)
// CHECK: [[C:%.*]] = "lazy.add"(
// CHECK: stablehlo.return
// CHECK-NOT: "lazy.add"
// CHECK: return [[LOOP]]#1
func.func @fibonacci(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = "lazy.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c1 = "lazy.add"(%b, %c0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c2 = "lazy.add"(%c0, %c1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c3 = "lazy.add"(%c1, %c2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c4 = "lazy.add"(%c2, %c3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c4 : tensor<4xf32>
}
