// Round trip: Random bits.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @random
func.func @random(%arg0: tensor<i64>) {
  // CHECK-NEXT: %0 = "lazy.random_bits"(%arg0) : (tensor<i64>) -> tensor<2x3xui32>
  %0 = "lazy.random_bits"(%arg0) : (tensor<i64>) -> tensor<2x3xui32>
  // CHECK-NEXT: %1 = "lazy.random_bits"(%arg0) : (tensor<i64>) -> tensor<ui64>
  %1 = "lazy.random_bits"(%arg0) : (tensor<i64>) -> tensor<ui64>
  return
}
