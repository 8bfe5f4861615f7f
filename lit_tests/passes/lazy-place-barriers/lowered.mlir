// A barrier is StableHLO's, and what is to wait is behind one together with what it waits for.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: %[[KEPT:.*]] = stablehlo.optimization_barrier %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[BOTH:.*]]:2 = stablehlo.optimization_barrier %arg1, %[[KEPT]] : tensor<2xf32>, tensor<4xf32>
// CHECK-NEXT: return %[[BOTH]]#0, %[[KEPT]]
func.func @f(%x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %0 = "lazy.optimization_barrier"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.after"(%y, %0) : (tensor<2xf32>, tensor<4xf32>) -> tensor<2xf32>
  return %1, %0 : tensor<2xf32>, tensor<4xf32>
}
