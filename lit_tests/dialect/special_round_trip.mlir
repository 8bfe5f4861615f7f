// Round trip: Special functions.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @special
func.func @special(%x: tensor<4xf64>, %n: tensor<4xi64>) -> tensor<4xf64> {
  // CHECK-NEXT: %0 = "lazy.zeta"(%arg0, %arg0) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %0 = "lazy.zeta"(%x, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  // CHECK-NEXT: %1 = "lazy.igamma"(%0, %arg0) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = "lazy.igamma"(%0, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  // CHECK-NEXT: %2 = "lazy.igammac"(%1, %arg0) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %2 = "lazy.igammac"(%1, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  // CHECK-NEXT: %3 = "lazy.gcd"(%arg1, %arg1) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  %3 = "lazy.gcd"(%n, %n) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  // CHECK-NEXT: %4 = "lazy.orthogonal_polynomial"(%2, %3) {family = "hermite_he"} : (tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
  %4 = "lazy.orthogonal_polynomial"(%2, %3) {family = "hermite_he"} : (tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
  return %4 : tensor<4xf64>
}
