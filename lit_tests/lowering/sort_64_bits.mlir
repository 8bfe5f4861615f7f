// A key of 64 bits is sorted stably, its place beside it.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @sort_64_bits
// CHECK: [[PLACES:%.*]] = stablehlo.iota dim = 0 : tensor<5xi64>
// CHECK-NEXT: [[SORTED:%.*]]:2 = "stablehlo.sort"(%arg0, [[PLACES]])
// CHECK-SAME: is_stable = true
// CHECK: stablehlo.compare LT
// CHECK: return [[SORTED]]#1
func.func @sort_64_bits(%x: tensor<5xi64>) -> (tensor<5xi64>) {
  %0:2 = "lazy.sort"(%x) {dim = 0 : i64, descending = false} : (tensor<5xi64>) -> (tensor<5xi64>, tensor<5xi64>)
  return %0#1 : tensor<5xi64>
}
