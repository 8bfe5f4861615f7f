// Constants are splats; complex ones have two parts, unsigned ones wrap.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @constant
// CHECK: stablehlo.constant dense<1.500000e+00> : tensor<2xbf16>
// CHECK: stablehlo.complex
// CHECK-NEXT: stablehlo.constant dense<18446744073709551615> : tensor<ui64>
// CHECK-NEXT: stablehlo.iota dim = 1 : tensor<2x3xi64>
func.func @constant() -> (tensor<2xbf16>, tensor<complex<f32>>, tensor<ui64>, tensor<2x3xi64>) {
  %0 = "lazy.constant"() {value = 1.5 : f64} : () -> tensor<2xbf16>
  %1 = "lazy.constant"() {value = [1.0, -2.0]} : () -> tensor<complex<f32>>
  %2 = "lazy.constant"() {value = -1 : i64} : () -> tensor<ui64>
  %3 = "lazy.iota"() {dim = 1 : i64} : () -> tensor<2x3xi64>
  return %0, %1, %2, %3 : tensor<2xbf16>, tensor<complex<f32>>, tensor<ui64>, tensor<2x3xi64>
}
