// Round trip: Sums over paths.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @path_sums
func.func @path_sums(%arg0: tensor<5x2x7xf32>, %arg1: tensor<2x7xi1>) {
  // CHECK-NEXT: %0 = "lazy.path_sums"(%arg0, %arg0, %arg1) : (tensor<5x2x7xf32>, tensor<5x2x7xf32>, tensor<2x7xi1>) -> tensor<5x2x7xf32>
  %0 = "lazy.path_sums"(%arg0, %arg0, %arg1) : (tensor<5x2x7xf32>, tensor<5x2x7xf32>, tensor<2x7xi1>) -> tensor<5x2x7xf32>
  return
}
