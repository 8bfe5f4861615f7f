// A number of the host that is another one in each iteration, as the place of a slice, is read from a table. How long the
// table is and where it begins are parameters of the program, so the lowered text of another trip count is the same.
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always | filecheck %s
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always --lazy-lower-to-stablehlo | filecheck %s --check-prefix=LOWERED

// CHECK-LABEL: func.func @rows(
// CHECK: "lazy.count"() {value = 4 : i64}
// CHECK: stablehlo.while([[I:%.*]] = {{.*}}, {{.*}} = %arg0)
// CHECK: [[PLACE:%.*]] = "lazy.table"([[I]]) {kind = "index", slots = array<i64: 1, 3, 5, 7>}
// CHECK: "lazy.slice"(%arg1, [[PLACE]])

// LOWERED: func.func @rows(%arg0: tensor<4xf32>, %arg1: tensor<9x4xf32>, [[NUMBERS:%.*]]: tensor<256xi64>)
// LOWERED-SAME: lazy.numbers = array<i64: 4, 2>
// LOWERED-SAME: lazy.slots_i64 = array<i64: -1, -2, 1, 3, 5, 7, -1, -1,
// LOWERED: [[PLACE:%.*]] = stablehlo.add {{.*}}, %iterArg
// LOWERED: stablehlo.dynamic_slice [[NUMBERS]], [[PLACE]], sizes = [1]
func.func @rows(%s: tensor<4xf32>, %x: tensor<9x4xf32>) -> tensor<4xf32> {
  %n0 = "lazy.scalar"() {kind = "index", slot = 1 : i64} : () -> tensor<i64>
  %r0 = "lazy.slice"(%x, %n0) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>} : (tensor<9x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %f0 = "lazy.reshape"(%r0) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %a0 = "lazy.mul"(%s, %f0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %n1 = "lazy.scalar"() {kind = "index", slot = 3 : i64} : () -> tensor<i64>
  %r1 = "lazy.slice"(%x, %n1) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>} : (tensor<9x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %f1 = "lazy.reshape"(%r1) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %a1 = "lazy.mul"(%a0, %f1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %n2 = "lazy.scalar"() {kind = "index", slot = 5 : i64} : () -> tensor<i64>
  %r2 = "lazy.slice"(%x, %n2) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>} : (tensor<9x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %f2 = "lazy.reshape"(%r2) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %a2 = "lazy.mul"(%a1, %f2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %n3 = "lazy.scalar"() {kind = "index", slot = 7 : i64} : () -> tensor<i64>
  %r3 = "lazy.slice"(%x, %n3) {sizes = array<i64: 1, 4>, starts = array<i64: -1, 0>, steps = array<i64: 1, 1>} : (tensor<9x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %f3 = "lazy.reshape"(%r3) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %a3 = "lazy.mul"(%a2, %f3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %a3 : tensor<4xf32>
}
