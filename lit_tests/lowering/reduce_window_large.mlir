// A large window stays one operation.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @reduce_window_large
// CHECK: stablehlo.constant dense<-2147483648> : tensor<i32>
// CHECK-NEXT: "stablehlo.reduce_window"(%arg0
// CHECK-SAME: window_dimensions = array<i64: 40>, window_strides = array<i64: 20>
// CHECK: stablehlo.maximum
// CHECK-NOT: stablehlo.slice
func.func @reduce_window_large(%x: tensor<100xi32>) -> (tensor<4xi32>) {
  %0 = "lazy.reduce_window"(%x) {kind = "max", window = array<i64: 40>, strides = array<i64: 20>, low = array<i64: 0>, high = array<i64: 0>, x_dilation = array<i64: 1>, dilation = array<i64: 1>} : (tensor<100xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
