// Running the pass twice is running it once; pairs that an earlier run left are found anew.
// RUN: lazymlir-opt %s --lazy-donate --lazy-donate | filecheck %s

// CHECK-LABEL: func.func @f(%arg0: tensor<8xf32> {lazy.dies, lazy.donated = 0 : i64}, %arg1: tensor<8xf32> {lazy.dies}) -> tensor<8xf32>
// CHECK-NEXT: %0 = "lazy.add"(%arg0, %arg1)
// CHECK-NEXT: return %0
func.func @f(%x: tensor<8xf32> {lazy.dies}, %y: tensor<8xf32> {lazy.donated = 0 : i64, lazy.dies}) -> tensor<8xf32> {
  %0 = "lazy.add"(%x, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
