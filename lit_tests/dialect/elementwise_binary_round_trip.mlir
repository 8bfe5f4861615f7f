// Round trip: Elementwise operations of two operands.
// RUN: lazymlir-opt %s | lazymlir-opt | filecheck %s
// RUN: lazymlir-opt %s --mlir-print-op-generic | lazymlir-opt | filecheck %s

// CHECK-LABEL: func.func @elementwise_binary
func.func @elementwise_binary(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2xcomplex<f32>>, %arg3: tensor<2xcomplex<f32>>,
    %arg4: tensor<f16>, %arg5: tensor<f16>, %arg6: tensor<0x4xi64>, %arg7: tensor<0x4xi64>, %arg8: tensor<4xi1>, %arg9: tensor<4xi1>,
    %arg10: tensor<4xui64>, %arg11: tensor<4xui64>, %arg12: tensor<4xi32>, %arg13: tensor<4xi32>, %arg14: tensor<2xi1>,
    %arg15: tensor<2xi1>, %arg16: tensor<4xf32>, %arg17: tensor<4xf32>, %arg18: tensor<f64>, %arg19: tensor<f64>, %arg20: tensor<2x3xi1>,
    %arg21: tensor<i1>, %arg22: tensor<ui8>, %arg23: tensor<ui8>) {
  // CHECK-NEXT: %0 = "lazy.add"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = "lazy.add"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %1 = "lazy.sub"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "lazy.sub"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %2 = "lazy.mul"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "lazy.mul"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %3 = "lazy.div"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = "lazy.div"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %4 = "lazy.pow"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = "lazy.pow"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %5 = "lazy.add"(%arg2, %arg3) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %5 = "lazy.add"(%arg2, %arg3) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  // CHECK-NEXT: %6 = "lazy.mul"(%arg2, %arg3) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %6 = "lazy.mul"(%arg2, %arg3) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  // CHECK-NEXT: %7 = "lazy.add"(%arg4, %arg5) : (tensor<f16>, tensor<f16>) -> tensor<f16>
  %7 = "lazy.add"(%arg4, %arg5) : (tensor<f16>, tensor<f16>) -> tensor<f16>
  // CHECK-NEXT: %8 = "lazy.add"(%arg6, %arg7) : (tensor<0x4xi64>, tensor<0x4xi64>) -> tensor<0x4xi64>
  %8 = "lazy.add"(%arg6, %arg7) : (tensor<0x4xi64>, tensor<0x4xi64>) -> tensor<0x4xi64>
  // CHECK-NEXT: %9 = "lazy.maximum"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = "lazy.maximum"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %10 = "lazy.minimum"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %10 = "lazy.minimum"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %11 = "lazy.fmod"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = "lazy.fmod"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %12 = "lazy.atan2"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %12 = "lazy.atan2"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %13 = "lazy.maximum"(%arg8, %arg9) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %13 = "lazy.maximum"(%arg8, %arg9) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: %14 = "lazy.bitwise_and"(%arg8, %arg9) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %14 = "lazy.bitwise_and"(%arg8, %arg9) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: %15 = "lazy.bitwise_or"(%arg8, %arg9) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %15 = "lazy.bitwise_or"(%arg8, %arg9) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: %16 = "lazy.bitwise_xor"(%arg8, %arg9) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %16 = "lazy.bitwise_xor"(%arg8, %arg9) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NEXT: %17 = "lazy.bitwise_xor"(%arg10, %arg11) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
  %17 = "lazy.bitwise_xor"(%arg10, %arg11) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
  // CHECK-NEXT: %18 = "lazy.shift_left"(%arg12, %arg13) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %18 = "lazy.shift_left"(%arg12, %arg13) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK-NEXT: %19 = "lazy.shift_right_arithmetic"(%arg12, %arg13) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %19 = "lazy.shift_right_arithmetic"(%arg12, %arg13) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK-NEXT: %20 = "lazy.shift_right_logical"(%arg12, %arg13) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %20 = "lazy.shift_right_logical"(%arg12, %arg13) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK-NEXT: %21 = "lazy.eq"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %21 = "lazy.eq"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %22 = "lazy.ne"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %22 = "lazy.ne"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %23 = "lazy.lt"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %23 = "lazy.lt"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %24 = "lazy.le"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %24 = "lazy.le"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %25 = "lazy.gt"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %25 = "lazy.gt"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %26 = "lazy.ge"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %26 = "lazy.ge"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %27 = "lazy.eq"(%arg2, %arg3) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  %27 = "lazy.eq"(%arg2, %arg3) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  // CHECK-NEXT: %28 = "lazy.ne"(%arg2, %arg3) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  %28 = "lazy.ne"(%arg2, %arg3) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  // CHECK-NEXT: %29 = "lazy.lt"(%arg14, %arg15) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %29 = "lazy.lt"(%arg14, %arg15) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  // CHECK-NEXT: %30 = "lazy.complex"(%arg16, %arg17) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %30 = "lazy.complex"(%arg16, %arg17) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  // CHECK-NEXT: %31 = "lazy.complex"(%arg18, %arg19) : (tensor<f64>, tensor<f64>) -> tensor<complex<f64>>
  %31 = "lazy.complex"(%arg18, %arg19) : (tensor<f64>, tensor<f64>) -> tensor<complex<f64>>
  // CHECK-NEXT: %32 = "lazy.where"(%arg20, %arg0, %arg1) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %32 = "lazy.where"(%arg20, %arg0, %arg1) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %33 = "lazy.where"(%arg21, %arg22, %arg23) : (tensor<i1>, tensor<ui8>, tensor<ui8>) -> tensor<ui8>
  %33 = "lazy.where"(%arg21, %arg22, %arg23) : (tensor<i1>, tensor<ui8>, tensor<ui8>) -> tensor<ui8>
  // CHECK-NEXT: %34 = "lazy.pow_scalar"(%arg4, %arg5) : (tensor<f16>, tensor<f16>) -> tensor<f16>
  %34 = "lazy.pow_scalar"(%arg4, %arg5) : (tensor<f16>, tensor<f16>) -> tensor<f16>
  return
}
