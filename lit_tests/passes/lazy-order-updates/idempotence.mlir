// What waits needs all reads then.
// RUN: lazymlir-opt %s --lazy-order-updates=minimum-bytes=1 > %t
// RUN: lazymlir-opt %t --lazy-order-updates=minimum-bytes=1 | diff %t -
func.func @f(%w: tensor<4xf32> {lazy.dies, lazy.donated = 0 : i64}, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.sin"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.sub"(%w, %g) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<4xf32>
}
