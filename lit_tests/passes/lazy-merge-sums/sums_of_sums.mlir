// A sum may be an operand of a term of another, and be a term beside it: what is put together stands where all of it is there.
// RUN: lazymlir-opt %s --lazy-merge-sums=minimum-terms=2 | filecheck %s

// CHECK-LABEL: func.func @operand(
// CHECK: %[[INNER:.*]] = "lazy.dot"
// CHECK-NEXT: %[[PART:.*]] = "lazy.slice"(%[[INNER]])
// CHECK-NEXT: %[[PARTS:.*]] = "lazy.cat"(%arg0, %[[PART]]) {dim = 0 : i64}
// CHECK-NEXT: %[[OUTER:.*]] = "lazy.dot"(%[[PARTS]], %
// CHECK-NEXT: return %[[OUTER]]
func.func @operand(%a: tensor<1x8xf32>, %b: tensor<1x8xf32>) -> tensor<8x8xf32> {
  %0 = "lazy.dot"(%a, %b) {x_batch = array<i64>, x_contract = array<i64: 0>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %1 = "lazy.dot"(%b, %a) {x_batch = array<i64>, x_contract = array<i64: 0>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %2 = "lazy.add"(%0, %1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = "lazy.slice"(%2) {starts = array<i64: 0, 0>, sizes = array<i64: 1, 8>, steps = array<i64: 1, 1>} : (tensor<8x8xf32>) -> tensor<1x8xf32>
  %4 = "lazy.dot"(%a, %b) {x_batch = array<i64>, x_contract = array<i64: 0>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %5 = "lazy.dot"(%3, %b) {x_batch = array<i64>, x_contract = array<i64: 0>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %6 = "lazy.add"(%4, %5) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %6 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @term(
// CHECK: %[[HALF:.*]] = "lazy.dot"
// CHECK: %[[REST:.*]] = "lazy.dot"
// CHECK-NEXT: %[[WHOLE:.*]] = "lazy.add"(%[[REST]], %[[HALF]])
// CHECK-NEXT: return %[[HALF]], %[[WHOLE]]
func.func @term(%a: tensor<1x8xf32>, %b: tensor<1x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = "lazy.dot"(%a, %b) {x_batch = array<i64>, x_contract = array<i64: 0>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %1 = "lazy.dot"(%b, %a) {x_batch = array<i64>, x_contract = array<i64: 0>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %2 = "lazy.add"(%0, %1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = "lazy.dot"(%a, %a) {x_batch = array<i64>, x_contract = array<i64: 0>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %4 = "lazy.add"(%2, %3) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = "lazy.dot"(%b, %b) {x_batch = array<i64>, x_contract = array<i64: 0>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %6 = "lazy.add"(%4, %5) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2, %6 : tensor<8x8xf32>, tensor<8x8xf32>
}
