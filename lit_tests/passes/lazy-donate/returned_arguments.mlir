// Must not fire: a result that is an argument takes part in no pair.
// RUN: lazymlir-opt %s --lazy-donate | filecheck %s

// CHECK-LABEL: func.func @other(%arg0: tensor<8xf32> {lazy.dies}, %arg1: tensor<8xf32> {lazy.dies}) -> tensor<8xf32>
// CHECK-NEXT: return %arg1
func.func @other(%x: tensor<8xf32> {lazy.dies}, %y: tensor<8xf32> {lazy.dies}) -> tensor<8xf32> {

  return %y : tensor<8xf32>
}

// CHECK-LABEL: func.func @itself(%arg0: tensor<8xf32> {lazy.dies}) -> tensor<8xf32>
// CHECK-NEXT: return %arg0
func.func @itself(%x: tensor<8xf32> {lazy.dies}) -> tensor<8xf32> {

  return %x : tensor<8xf32>
}

// CHECK-LABEL: func.func @beside_one_that_is_computed(%arg0: tensor<8xf32> {lazy.dies, lazy.donated = 1 : i64}, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: %0 = "lazy.exp"(%arg0)
// CHECK-NEXT: return %arg1, %0
func.func @beside_one_that_is_computed(%x: tensor<8xf32> {lazy.dies}, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "lazy.exp"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y, %0 : tensor<8xf32>, tensor<8xf32>
}
