// Special functions are calls of functions that jax writes when the module goes to XLA; one declaration serves equal calls.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @special
// CHECK-NEXT: %[[zeta:.*]] = call @[[Z:zeta_.*]](%arg0, %arg0)
// CHECK-NEXT: %[[again:.*]] = call @[[Z]](%[[zeta]], %arg0)
// CHECK-NEXT: %[[value:.*]] = call @[[P:orthogonal_polynomial_.*]](%[[again]], %arg1)
// CHECK-NEXT: %[[divisor:.*]] = call @[[G:gcd_.*]](%arg1, %arg1)
// CHECK: func.func private @[[Z]](tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64> attributes {lazy.static = {}, lazy.template = "zeta"}
// CHECK: func.func private @[[P]]({{.*}}) -> tensor<4xf64> attributes {lazy.static = {family = "legendre_p"}, lazy.template = "orthogonal_polynomial"}
func.func @special(%x: tensor<4xf64>, %n: tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>) {
  %0 = "lazy.zeta"(%x, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = "lazy.zeta"(%0, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %2 = "lazy.orthogonal_polynomial"(%1, %n) {family = "legendre_p"} : (tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
  %3 = "lazy.gcd"(%n, %n) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return %2, %3 : tensor<4xf64>, tensor<4xi64>
}
