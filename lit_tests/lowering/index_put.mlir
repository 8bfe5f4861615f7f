// Writing booleans: the new one stays, and adding is `or`.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @index_put
// CHECK: "stablehlo.scatter"
// CHECK-NEXT: ^bb0([[OLD:%.*]]: tensor<i1>, [[NEW:%.*]]: tensor<i1>):
// CHECK-NEXT: stablehlo.return [[NEW]]
// CHECK: "stablehlo.scatter"
// CHECK-NEXT: ^bb0([[OLD:%.*]]: tensor<i1>, [[NEW:%.*]]: tensor<i1>):
// CHECK-NEXT: stablehlo.or [[OLD]], [[NEW]]
func.func @index_put(%x: tensor<9x4xi1>, %u: tensor<3x4xi1>, %i: tensor<3xi64>) -> (tensor<9x4xi1>, tensor<9x4xi1>) {
  %0 = "lazy.index_put"(%x, %u, %i) {dims = array<i64: 0>, kind = "set"} : (tensor<9x4xi1>, tensor<3x4xi1>, tensor<3xi64>) -> tensor<9x4xi1>
  %1 = "lazy.index_put"(%x, %u, %i) {dims = array<i64: 0>, kind = "add"} : (tensor<9x4xi1>, tensor<3x4xi1>, tensor<3xi64>) -> tensor<9x4xi1>
  return %0, %1 : tensor<9x4xi1>, tensor<9x4xi1>
}
