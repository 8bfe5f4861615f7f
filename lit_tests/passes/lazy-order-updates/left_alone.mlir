// Nothing is ordered where all reads are needed, where one comes after the update or is the function's result, where the update reads
// a view, where the argument is small or not donated.
// RUN: lazymlir-opt %s --lazy-order-updates=minimum-bytes=16 | filecheck %s
// CHECK-NOT: lazy.after

func.func @all_needed(%w: tensor<4xf32> {lazy.dies, lazy.donated = 0 : i64}) -> tensor<4xf32> {
  %0 = "lazy.sin"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.sub"(%w, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @read_later(%w: tensor<4xf32> {lazy.dies, lazy.donated = 0 : i64}, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.sub"(%w, %g) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.mul"(%w, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

func.func @returned(%w: tensor<4xf32> {lazy.dies, lazy.donated = 0 : i64}, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.sin"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.sub"(%w, %g) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %0, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func @view_updated(%w: tensor<2x2xf32> {lazy.dies, lazy.donated = 0 : i64}, %g: tensor<4xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = "lazy.sin"(%w) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "lazy.reshape"(%w) {shape = array<i64: 4>} : (tensor<2x2xf32>) -> tensor<4xf32>
  %2 = "lazy.sub"(%1, %g) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "lazy.reshape"(%2) {shape = array<i64: 2, 2>} : (tensor<4xf32>) -> tensor<2x2xf32>
  return %3, %0 : tensor<2x2xf32>, tensor<2x2xf32>
}

func.func @small(%w: tensor<2xf32> {lazy.dies, lazy.donated = 0 : i64}, %g: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = "lazy.sin"(%w) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "lazy.sub"(%w, %g) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1, %0 : tensor<2xf32>, tensor<2xf32>
}

func.func @kept(%w: tensor<4xf32>, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "lazy.sin"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "lazy.sub"(%w, %g) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<4xf32>
}
