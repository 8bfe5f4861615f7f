// Casts as C makes them: anything but 0 is true, small integers take low bits, two roundings from float64 to float16.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @cast
// CHECK: [[ZERO:%.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: stablehlo.compare NE, %arg0, [[ZERO]]
// CHECK-NEXT: [[INT:%.*]] = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: stablehlo.convert [[INT]] : (tensor<4xi32>) -> tensor<4xui8>
// CHECK-NEXT: [[REAL:%.*]] = stablehlo.real %arg1
// CHECK-NEXT: stablehlo.convert [[REAL]] : (tensor<4xf32>) -> tensor<4xf64>
// CHECK-NEXT: [[F32:%.*]] = stablehlo.convert %arg2 : (tensor<4xf64>) -> tensor<4xf32>
// CHECK-NEXT: stablehlo.convert [[F32]] : (tensor<4xf32>) -> tensor<4xf16>
func.func @cast(%x: tensor<4xf32>, %c: tensor<4xcomplex<f32>>, %d: tensor<4xf64>) -> (tensor<4xi1>, tensor<4xui8>, tensor<4xf64>, tensor<4xf16>) {
  %0 = "lazy.cast"(%x) {dtype = i1} : (tensor<4xf32>) -> tensor<4xi1>
  %1 = "lazy.cast"(%x) {dtype = ui8} : (tensor<4xf32>) -> tensor<4xui8>
  %2 = "lazy.cast"(%c) {dtype = f64} : (tensor<4xcomplex<f32>>) -> tensor<4xf64>
  %3 = "lazy.cast"(%d) {dtype = f16} : (tensor<4xf64>) -> tensor<4xf16>
  return %0, %1, %2, %3 : tensor<4xi1>, tensor<4xui8>, tensor<4xf64>, tensor<4xf16>
}
