// Nothing is placed in a region, for which XLA's CPU compiler has no code.
// RUN: lazymlir-opt %s --lazy-place-barriers="minimum-elements=1 heavy-work=1 shared-work=1" | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NOT: lazy.optimization_barrier
func.func @f(%p: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = "lazy.exp"(%x) : (tensor<8xf32>) -> tensor<8xf32>
    %2 = "lazy.sin"(%1) : (tensor<8xf32>) -> tensor<8xf32>
    %3 = "lazy.add"(%2, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %3 : tensor<8xf32>
  }, {
    stablehlo.return %x : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
