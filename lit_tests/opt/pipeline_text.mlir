// One textual pipeline holds passes of this project and upstream ones, nested and with options.
// RUN: lazymlir-opt %s --pass-pipeline="builtin.module(cse, lazy-lower-to-stablehlo, func.func(canonicalize{max-iterations=2}), symbol-dce)" | filecheck %s
// RUN: lazymlir-opt %s --pass-pipeline="any(cse,lazy-lower-to-stablehlo,symbol-dce)" | filecheck %s
// RUN: lazymlir-opt %s --pass-pipeline "cse,lazy-lower-to-stablehlo,symbol-dce" | filecheck %s

// CHECK-NOT: @unused
// CHECK-LABEL: func.func @kept
// CHECK: [[S:%.*]] = stablehlo.add %arg0, %arg0
// CHECK: return [[S]], [[S]]
func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

func.func @kept(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
