// Parts are separate inputs: the same name may stand in each, and each is printed between separators.
// RUN: lazymlir-opt %s --split-input-file --cse | filecheck %s
// RUN: not lazymlir-opt %s 2>&1 | filecheck %s --check-prefix=WHOLE

// CHECK-LABEL: func.func @f
// CHECK: tensor<2xf32>
// CHECK: {{^}}// -----{{$}}
// CHECK-LABEL: func.func @f
// CHECK: tensor<3xf32>
// CHECK: {{^}}// -----{{$}}
// CHECK-LABEL: func.func @f
// CHECK: tensor<4xf32>
// CHECK-NOT: // -----
// WHOLE: split_input_file.mlir:20:1: error: redefinition of symbol named 'f'
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
// -----

func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  // ---------- a ruler that separates nothing
  return %x : tensor<3xf32>
}

// -----
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
