// Small buffers may not be worth it.
// RUN: lazymlir-opt %s --lazy-donate=minimum-bytes=32 | filecheck %s

// CHECK-LABEL: func.func @f(%arg0: tensor<8xf32> {lazy.dies, lazy.donated = 0 : i64}, %arg1: tensor<7xf32> {lazy.dies}) -> (tensor<8xf32>, tensor<7xf32>)
// CHECK-NEXT: %0 = "lazy.exp"(%arg0)
// CHECK-NEXT: %1 = "lazy.exp"(%arg1)
// CHECK-NEXT: return %0, %1
func.func @f(%x: tensor<8xf32> {lazy.dies}, %y: tensor<7xf32> {lazy.dies}) -> (tensor<8xf32>, tensor<7xf32>) {
  %0 = "lazy.exp"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "lazy.exp"(%y) : (tensor<7xf32>) -> tensor<7xf32>
  return %0, %1 : tensor<8xf32>, tensor<7xf32>
}
