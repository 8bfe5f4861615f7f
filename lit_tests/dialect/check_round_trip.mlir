// Round trip: Checks.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @check
func.func @check(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xi64>) -> tensor<2xi64> {
  // CHECK-NEXT: %0 = "lazy.check"(%arg0, %arg1) : (tensor<2x3xi1>, tensor<2x3xi64>) -> tensor<2xi64>
  %0 = "lazy.check"(%arg0, %arg1) : (tensor<2x3xi1>, tensor<2x3xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
