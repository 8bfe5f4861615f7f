// The report lists passes of either kind.
// RUN: lazymlir-opt %s --cse --lazy-canonicalize --mlir-timing 2>&1 | filecheck %s

// CHECK-DAG: Execution time report
// CHECK-DAG: CSEPass
// CHECK-DAG: LazyCanonicalize
// CHECK-DAG: Total
func.func @f() {
  return
}
