// One value returned twice is two results; one argument takes one of them.
// RUN: lazymlir-opt %s --lazy-donate | filecheck %s

// CHECK-LABEL: func.func @f(%arg0: tensor<8xf32> {lazy.dies, lazy.donated = 0 : i64}, %arg1: tensor<8xf32> {lazy.dies}) -> tensor<8xf32>
// CHECK-NEXT: %0 = "lazy.add"(%arg0, %arg1)
// CHECK-NEXT: return %0
func.func @f(%x: tensor<8xf32> {lazy.dies}, %y: tensor<8xf32> {lazy.dies}) -> tensor<8xf32> {
  %0 = "lazy.add"(%x, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @twice(%arg0: tensor<8xf32> {lazy.dies, lazy.donated = 0 : i64}) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: %0 = "lazy.exp"(%arg0)
// CHECK-NEXT: return %0, %0
func.func @twice(%x: tensor<8xf32> {lazy.dies}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "lazy.exp"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %0 : tensor<8xf32>, tensor<8xf32>
}
