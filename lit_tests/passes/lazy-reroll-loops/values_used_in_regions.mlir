// What only a region uses of a loop is a result of the loop, and operations with regions stay apart.
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always | filecheck %s

// CHECK-LABEL: func.func @used_in_a_branch(
// CHECK: %[[LOOP:.*]]:2 = stablehlo.while
// CHECK: "stablehlo.if"(%arg0) ({
// CHECK-NEXT: %[[INNER:.*]] = "lazy.exp"(%[[LOOP]]#1)
// CHECK-NEXT: stablehlo.return %[[INNER]]
func.func @used_in_a_branch(%p: tensor<i1>, %x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.mul"(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.tanh"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "lazy.mul"(%1, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "lazy.tanh"(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "lazy.mul"(%3, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = "lazy.tanh"(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = "stablehlo.if"(%p) ({
    %7 = "lazy.exp"(%5) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %7 : tensor<4xf32>
  }, {
    stablehlo.return %w : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}

// CHECK-LABEL: func.func @conditions_in_a_row(
// CHECK-NOT: stablehlo.while
// CHECK-COUNT-3: stablehlo.if
func.func @conditions_in_a_row(%p: tensor<i1>, %x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    %7 = "lazy.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %7 : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %1 = "stablehlo.if"(%p) ({
    %7 = "lazy.exp"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %7 : tensor<4xf32>
  }, {
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %2 = "stablehlo.if"(%p) ({
    %7 = "lazy.exp"(%1) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %7 : tensor<4xf32>
  }, {
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
