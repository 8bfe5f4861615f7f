// What is no loop, or does not pay, is left alone.
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always | filecheck %s
// RUN: lazymlir-opt %s --lazy-reroll-loops | filecheck %s --check-prefix=AUTO
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=off | filecheck %s --check-prefix=AUTO

// CHECK-LABEL: func.func @once(
// CHECK-NOT: stablehlo.while
func.func @once(%w: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %a = "lazy.mul"(%s, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = "lazy.tanh"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// The types grow from one to the next.
// CHECK-LABEL: func.func @growing(
// CHECK-NOT: stablehlo.while
func.func @growing(%x0: tensor<4xf32>) -> tensor<64xf32> {
  %y0 = "lazy.cat"(%x0, %x0) {dim = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %y1 = "lazy.cat"(%y0, %y0) {dim = 0 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %y2 = "lazy.cat"(%y1, %y1) {dim = 0 : i64} : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %y3 = "lazy.cat"(%y2, %y2) {dim = 0 : i64} : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
  return %y3 : tensor<64xf32>
}

// The second iteration reads a result of the first that the first reads from itself.
// CHECK-LABEL: func.func @no_pattern(
// CHECK-NOT: stablehlo.while
// CHECK: return
func.func @no_pattern(%w: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %a0 = "lazy.mul"(%s, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b0 = "lazy.add"(%a0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %a1 = "lazy.mul"(%b0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b1 = "lazy.add"(%a0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %b1 : tensor<4xf32>
}

// What the second iteration reads from the first is of another type than what the first reads in its place.
// CHECK-LABEL: func.func @other_type(
// CHECK-NOT: stablehlo.while
// CHECK: return
func.func @other_type(%z: tensor<2xf32>, %y: tensor<2x4xf32>, %u: tensor<4xf32>, %v: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<1x4xf32>) {
  %s = "lazy.reshape"(%z) {shape = array<i64: 2, 1>} : (tensor<2xf32>) -> tensor<2x1xf32>
  %e0 = "lazy.expand"(%s) {shape = array<i64: 2, 4>} : (tensor<2x1xf32>) -> tensor<2x4xf32>
  %m0 = "lazy.mul"(%y, %e0) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %r0 = "lazy.reshape"(%u) {shape = array<i64: 1, 4>} : (tensor<4xf32>) -> tensor<1x4xf32>
  %e1 = "lazy.expand"(%r0) {shape = array<i64: 2, 4>} : (tensor<1x4xf32>) -> tensor<2x4xf32>
  %m1 = "lazy.mul"(%m0, %e1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %r1 = "lazy.reshape"(%v) {shape = array<i64: 1, 4>} : (tensor<4xf32>) -> tensor<1x4xf32>
  return %m1, %r1 : tensor<2x4xf32>, tensor<1x4xf32>
}

// AUTO-NOT: stablehlo.while
func.func @does_not_pay(%w: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %a0 = "lazy.mul"(%s, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b0 = "lazy.tanh"(%a0) : (tensor<4xf32>) -> tensor<4xf32>
  %a1 = "lazy.mul"(%b0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b1 = "lazy.tanh"(%a1) : (tensor<4xf32>) -> tensor<4xf32>
  %a2 = "lazy.mul"(%b1, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b2 = "lazy.tanh"(%a2) : (tensor<4xf32>) -> tensor<4xf32>
  %a3 = "lazy.mul"(%b2, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b3 = "lazy.tanh"(%a3) : (tensor<4xf32>) -> tensor<4xf32>
  return %b3 : tensor<4xf32>
}
