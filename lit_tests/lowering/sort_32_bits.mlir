// A key of 32 bits and its place are sorted as one number; descending order inverts the key.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @sort_32_bits
// CHECK: [[KEY:%.*]] = stablehlo.not %arg0
// CHECK: [[PLACES:%.*]] = stablehlo.iota dim = 0 : tensor<5xi64>
// CHECK: [[HIGH:%.*]] = stablehlo.shift_left
// CHECK-NEXT: [[JOINED:%.*]] = stablehlo.or [[HIGH]], [[PLACES]]
// CHECK-NEXT: [[SORTED:%.*]] = "stablehlo.sort"([[JOINED]])
// CHECK-SAME: is_stable = false
// CHECK: stablehlo.and [[SORTED]]
// CHECK: "stablehlo.gather"(%arg0
func.func @sort_32_bits(%x: tensor<5xi32>) -> (tensor<5xi64>) {
  %0:2 = "lazy.sort"(%x) {dim = 0 : i64, descending = true} : (tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi64>)
  return %0#1 : tensor<5xi64>
}
