// Operations in regions are simplified too, and what only a region uses stays.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @inside(
// CHECK-NEXT: %0 = "stablehlo.if"(%arg0) ({
// CHECK-NEXT: stablehlo.return %arg1
// CHECK-NEXT: }, {
// CHECK-NEXT: %1 = "lazy.exp"(%arg1)
// CHECK-NEXT: stablehlo.return %1
func.func @inside(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = "lazy.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "lazy.neg"(%1) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }, {
    %1 = "lazy.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "lazy.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @from_around(
// CHECK-NEXT: %0 = "lazy.exp"(%arg1)
// CHECK-NEXT: %1 = "stablehlo.if"(%arg0) ({
// CHECK-NEXT: stablehlo.return %0
// CHECK-NEXT: }, {
// CHECK-NEXT: stablehlo.return %arg1
func.func @from_around(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.neg"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.if"(%p) ({
    %3 = "lazy.neg"(%1) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
