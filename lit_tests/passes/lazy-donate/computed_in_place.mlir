// An argument goes to the result that is computed in its place, not to the first of its type.
// RUN: lazymlir-opt %s --lazy-donate | filecheck %s

// CHECK-LABEL: func.func @sgd(%arg0: tensor<8xf32> {lazy.dies, lazy.donated = 1 : i64}, %arg1: tensor<8xf32> {lazy.dies, lazy.donated = 0 : i64}, %arg2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: %0 = "lazy.add"(%arg1, %arg2)
// CHECK-NEXT: %1 = "lazy.sub"(%arg0, %0)
// CHECK-NEXT: return %0, %1
func.func @sgd(%w: tensor<8xf32> {lazy.dies}, %m: tensor<8xf32> {lazy.dies}, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "lazy.add"(%m, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "lazy.sub"(%w, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @second_operand(%arg0: tensor<8xf32> {lazy.dies, lazy.donated = 1 : i64}, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: %0 = "lazy.exp"(%arg1)
// CHECK-NEXT: %1 = "lazy.add"(%0, %arg0)
// CHECK-NEXT: return %0, %1
func.func @second_operand(%w: tensor<8xf32> {lazy.dies}, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "lazy.exp"(%g) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "lazy.add"(%0, %w) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @where(%arg0: tensor<8xf32> {lazy.dies, lazy.donated = 1 : i64}, %arg1: tensor<8xi1>, %arg2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: %0 = "lazy.neg"(%arg2)
// CHECK-NEXT: %1 = "lazy.where"(%arg1, %0, %arg0)
// CHECK-NEXT: return %0, %1
func.func @where(%x: tensor<8xf32> {lazy.dies}, %p: tensor<8xi1>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "lazy.neg"(%y) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "lazy.where"(%p, %0, %x) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
