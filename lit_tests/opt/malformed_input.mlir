// The place, the line and a caret; nothing on stdout.
// RUN: not lazymlir-opt %s 2>&1 | filecheck %s
// RUN: not lazymlir-opt %s --lower --mlir-timing 2>&1 | filecheck %s

// CHECK: malformed_input.mlir:10:28: error: expected '{' to begin a region
// CHECK-NEXT: {{^}}  %0 = "lazy.add"(%x, %x) (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: ^
// CHECK-NOT: func.func @f
func.func @f(%x: tensor<2xf32>) {
  %0 = "lazy.add"(%x, %x) (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
