// A long scan works in blocks of 16: within them, over their totals, and joined.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @cumsum_blocks
// CHECK: stablehlo.pad %arg0
// CHECK: [[BLOCKS:%.*]] = stablehlo.reshape {{.*}} -> tensor<3x16xi32>
// CHECK: [[INNER:%.*]] = "stablehlo.reduce_window"([[BLOCKS]]
// CHECK: stablehlo.slice [[INNER]] [0:3, 15:16]
// CHECK: "stablehlo.reduce_window"
// CHECK: stablehlo.pad {{.*}}, low = [1], high = [-1]
// CHECK: [[SPREAD:%.*]] = stablehlo.broadcast_in_dim {{.*}}, dims = [0] : (tensor<3xi32>) -> tensor<3x16xi32>
// CHECK-NEXT: stablehlo.add [[SPREAD]], [[INNER]]
// CHECK: stablehlo.slice {{.*}} [0:40]
func.func @cumsum_blocks(%x: tensor<40xi32>) -> (tensor<40xi32>) {
  %0 = "lazy.cumsum"(%x) {dim = 0 : i64} : (tensor<40xi32>) -> tensor<40xi32>
  return %0 : tensor<40xi32>
}
