// What each iteration makes is collected, and a second loop, as a backward pass is, reads it in reverse order without
// unpacking it.
// RUN: lazymlir-opt %s --lazy-reroll-loops=mode=always | filecheck %s

// CHECK-LABEL: func.func @there_and_back(
// CHECK: [[EMPTY:%.*]] = "lazy.constant"() {value = 0.000000e+00 : f64} : () -> tensor<4x4xf32>
// CHECK: [[FORWARD:%.*]]:3 = stablehlo.while([[I:%.*]] = {{.*}}, [[X:%.*]] = %arg0, [[KEPT:%.*]] = [[EMPTY]])
// CHECK: [[B:%.*]] = "lazy.tanh"(
// CHECK: [[ROW:%.*]] = "lazy.reshape"([[B]]) {shape = array<i64: 1, 4>}
// CHECK: "lazy.update_slice"([[KEPT]], [[ROW]], [[I]])
// CHECK-NOT: "lazy.slice"
// CHECK: stablehlo.while([[J:%.*]] = {{.*}}, [[G:%.*]] = %arg2)
// CHECK: [[BACK:%.*]] = "lazy.neg"([[J]])
// CHECK: [[THREE:%.*]] = "lazy.constant"() {value = 3 : i64}
// CHECK: [[PLACE:%.*]] = "lazy.add"([[BACK]], [[THREE]])
// CHECK: "lazy.slice"([[FORWARD]]#2, [[PLACE]])
func.func @there_and_back(%s: tensor<4xf32>, %w: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
  %a0 = "lazy.mul"(%s, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b0 = "lazy.tanh"(%a0) : (tensor<4xf32>) -> tensor<4xf32>
  %a1 = "lazy.mul"(%b0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b1 = "lazy.tanh"(%a1) : (tensor<4xf32>) -> tensor<4xf32>
  %a2 = "lazy.mul"(%b1, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b2 = "lazy.tanh"(%a2) : (tensor<4xf32>) -> tensor<4xf32>
  %a3 = "lazy.mul"(%b2, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b3 = "lazy.tanh"(%a3) : (tensor<4xf32>) -> tensor<4xf32>
  %c3 = "lazy.neg"(%g) : (tensor<4xf32>) -> tensor<4xf32>
  %d3 = "lazy.mul"(%c3, %b3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c2 = "lazy.neg"(%d3) : (tensor<4xf32>) -> tensor<4xf32>
  %d2 = "lazy.mul"(%c2, %b2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c1 = "lazy.neg"(%d2) : (tensor<4xf32>) -> tensor<4xf32>
  %d1 = "lazy.mul"(%c1, %b1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c0 = "lazy.neg"(%d1) : (tensor<4xf32>) -> tensor<4xf32>
  %d0 = "lazy.mul"(%c0, %b0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %d0 : tensor<4xf32>
}

// A result of an iteration in the middle is read afterwards.
// CHECK-LABEL: func.func @tapped(
// CHECK: [[LOOP:%.*]]:3 = stablehlo.while
// CHECK: [[ROW:%.*]] = "lazy.slice"([[LOOP]]#2) {sizes = array<i64: 1, 4>, starts = array<i64: 1, 0>, steps = array<i64: 1, 1>}
// CHECK: [[TAP:%.*]] = "lazy.reshape"([[ROW]])
// CHECK: return [[TAP]]
func.func @tapped(%w: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = "lazy.mul"(%s, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b0 = "lazy.tanh"(%a0) : (tensor<4xf32>) -> tensor<4xf32>
  %a1 = "lazy.mul"(%b0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b1 = "lazy.tanh"(%a1) : (tensor<4xf32>) -> tensor<4xf32>
  %a2 = "lazy.mul"(%b1, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b2 = "lazy.tanh"(%a2) : (tensor<4xf32>) -> tensor<4xf32>
  %a3 = "lazy.mul"(%b2, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b3 = "lazy.tanh"(%a3) : (tensor<4xf32>) -> tensor<4xf32>
  return %b1, %b3 : tensor<4xf32>, tensor<4xf32>
}
