// The IR before and after each pass, of either kind, goes to stderr.
// RUN: lazymlir-opt %s --cse --lazy-canonicalize --mlir-print-ir-before-all --mlir-print-ir-after-all 2>&1 | filecheck %s
// RUN: lazymlir-opt %s --cse --mlir-print-ir-after-all 2>&1 | filecheck %s --check-prefix=AFTER
// RUN: lazymlir-opt %s --mlir-print-op-generic --mlir-print-debuginfo | filecheck %s --check-prefix=GENERIC

// CHECK: IR Dump Before CSEPass: cse
// CHECK: func.func @f
// CHECK: IR Dump After CSEPass: cse
// CHECK: IR Dump Before LazyCanonicalize: lazy-canonicalize
// CHECK: IR Dump After LazyCanonicalize: lazy-canonicalize
// CHECK: func.func @f
// AFTER-NOT: IR Dump Before
// AFTER: IR Dump After CSEPass: cse
// GENERIC: "builtin.module"()
// GENERIC: "func.func"()
// GENERIC: "func.return"(%arg0) : (tensor<2xf32>) -> () loc(
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
