// Round trip: Elementwise operations of one operand.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @elementwise_unary
func.func @elementwise_unary(%arg0: tensor<2x3xf32>, %arg1: tensor<2xcomplex<f64>>, %arg2: tensor<4xi32>, %arg3: tensor<4xi8>,
    %arg4: tensor<2xcomplex<f32>>, %arg5: tensor<4xi1>, %arg6: tensor<4xui8>, %arg7: tensor<2x3xbf16>) {
  // CHECK-NEXT: %0 = "lazy.ceil"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = "lazy.ceil"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %1 = "lazy.floor"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "lazy.floor"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %2 = "lazy.round"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "lazy.round"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %3 = "lazy.trunc"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = "lazy.trunc"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %4 = "lazy.erf"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = "lazy.erf"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %5 = "lazy.erf_inv"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = "lazy.erf_inv"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %6 = "lazy.lgamma"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = "lazy.lgamma"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %7 = "lazy.digamma"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = "lazy.digamma"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %8 = "lazy.cbrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = "lazy.cbrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %9 = "lazy.exp"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = "lazy.exp"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %10 = "lazy.expm1"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %10 = "lazy.expm1"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %11 = "lazy.log"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = "lazy.log"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %12 = "lazy.log1p"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %12 = "lazy.log1p"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %13 = "lazy.sqrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %13 = "lazy.sqrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %14 = "lazy.rsqrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %14 = "lazy.rsqrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %15 = "lazy.sin"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %15 = "lazy.sin"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %16 = "lazy.cos"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %16 = "lazy.cos"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %17 = "lazy.tan"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %17 = "lazy.tan"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %18 = "lazy.tanh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %18 = "lazy.tanh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %19 = "lazy.sigmoid"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %19 = "lazy.sigmoid"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %20 = "lazy.asin"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %20 = "lazy.asin"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %21 = "lazy.acos"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %21 = "lazy.acos"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %22 = "lazy.atan"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %22 = "lazy.atan"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %23 = "lazy.sinh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %23 = "lazy.sinh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %24 = "lazy.cosh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %24 = "lazy.cosh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %25 = "lazy.asinh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %25 = "lazy.asinh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %26 = "lazy.acosh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %26 = "lazy.acosh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %27 = "lazy.atanh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %27 = "lazy.atanh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %28 = "lazy.exp"(%arg1) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  %28 = "lazy.exp"(%arg1) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  // CHECK-NEXT: %29 = "lazy.tanh"(%arg1) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  %29 = "lazy.tanh"(%arg1) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  // CHECK-NEXT: %30 = "lazy.neg"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %30 = "lazy.neg"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %31 = "lazy.sign"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %31 = "lazy.sign"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %32 = "lazy.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %32 = "lazy.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %33 = "lazy.neg"(%arg2) : (tensor<4xi32>) -> tensor<4xi32>
  %33 = "lazy.neg"(%arg2) : (tensor<4xi32>) -> tensor<4xi32>
  // CHECK-NEXT: %34 = "lazy.abs"(%arg3) : (tensor<4xi8>) -> tensor<4xi8>
  %34 = "lazy.abs"(%arg3) : (tensor<4xi8>) -> tensor<4xi8>
  // CHECK-NEXT: %35 = "lazy.abs"(%arg4) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %35 = "lazy.abs"(%arg4) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK-NEXT: %36 = "lazy.bitwise_not"(%arg5) : (tensor<4xi1>) -> tensor<4xi1>
  %36 = "lazy.bitwise_not"(%arg5) : (tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: %37 = "lazy.bitwise_not"(%arg6) : (tensor<4xui8>) -> tensor<4xui8>
  %37 = "lazy.bitwise_not"(%arg6) : (tensor<4xui8>) -> tensor<4xui8>
  // CHECK-NEXT: %38 = "lazy.popcount"(%arg6) : (tensor<4xui8>) -> tensor<4xui8>
  %38 = "lazy.popcount"(%arg6) : (tensor<4xui8>) -> tensor<4xui8>
  // CHECK-NEXT: %39 = "lazy.is_finite"(%arg7) : (tensor<2x3xbf16>) -> tensor<2x3xi1>
  %39 = "lazy.is_finite"(%arg7) : (tensor<2x3xbf16>) -> tensor<2x3xi1>
  // CHECK-NEXT: %40 = "lazy.real"(%arg4) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %40 = "lazy.real"(%arg4) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK-NEXT: %41 = "lazy.imag"(%arg1) : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %41 = "lazy.imag"(%arg1) : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  return
}
