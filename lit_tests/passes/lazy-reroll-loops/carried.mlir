// One value for all iterations, one that each leaves to the next, and the last one is read: the trip count is a parameter.
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always | filecheck %s
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always --lazy-reroll-loops=mode=always | filecheck %s

// CHECK-LABEL: func.func @carried(
// CHECK: [[COUNT:%.*]] = "lazy.count"() {value = 4 : i64}
// CHECK: [[ZERO:%.*]] = "lazy.constant"() {value = 0 : i64} : () -> tensor<i64>
// CHECK: [[LOOP:%.*]]:2 = stablehlo.while([[I:%.*]] = [[ZERO]], [[X:%.*]] = %arg1) : tensor<i64>, tensor<4xf32>
// CHECK: "lazy.lt"([[I]], [[COUNT]])
// CHECK: [[A:%.*]] = "lazy.mul"([[X]], %arg0)
// CHECK-NEXT: [[B:%.*]] = "lazy.tanh"([[A]])
// CHECK-NEXT: [[ONE:%.*]] = "lazy.constant"() {value = 1 : i64}
// CHECK-NEXT: [[NEXT:%.*]] = "lazy.add"([[I]], [[ONE]])
// CHECK-NEXT: stablehlo.return [[NEXT]], [[B]]
// CHECK-NOT: "lazy.tanh"
// CHECK: return [[LOOP]]#1
func.func @carried(%w: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %a0 = "lazy.mul"(%s, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b0 = "lazy.tanh"(%a0) : (tensor<4xf32>) -> tensor<4xf32>
  %a1 = "lazy.mul"(%b0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b1 = "lazy.tanh"(%a1) : (tensor<4xf32>) -> tensor<4xf32>
  %a2 = "lazy.mul"(%b1, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b2 = "lazy.tanh"(%a2) : (tensor<4xf32>) -> tensor<4xf32>
  %a3 = "lazy.mul"(%b2, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b3 = "lazy.tanh"(%a3) : (tensor<4xf32>) -> tensor<4xf32>
  return %b3 : tensor<4xf32>
}
