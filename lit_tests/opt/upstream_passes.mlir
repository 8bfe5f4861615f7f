// Upstream passes work on lazy operations: they are pure, so common and dead ones go.
// RUN: lazymlir-opt %s --inline --canonicalize --cse --symbol-dce | filecheck %s
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo --chlo-legalize-to-stablehlo | filecheck %s --check-prefix=FUNCTION-PASS

// CHECK-NOT: func.func private
// CHECK-LABEL: func.func @main
// CHECK-NEXT: [[E:%.*]] = "lazy.exp"(%arg0)
// CHECK-NEXT: return [[E]], [[E]]
// FUNCTION-PASS-NOT: chlo.
func.func private @identity(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = call @identity(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "lazy.exp"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "lazy.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %dead = "lazy.lgamma"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %1, %2 : tensor<2xf32>, tensor<2xf32>
}
