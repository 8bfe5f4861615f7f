// Strides that reach each element of their window once: the window is replaced, and nothing of it is read.
// RUN: lazymlir-opt %s --lazy-invert-views | filecheck %s

// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg1) {shape = array<i64: 6>}
// CHECK-NEXT: %1 = "lazy.update_slice"(%arg0, %0, %arg2) {starts = array<i64: -1>}
// CHECK-NEXT: return %1
func.func @rows(%x: tensor<12xf32>, %u: tensor<2x3xf32>, %i: tensor<i64>) -> tensor<12xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 2, 3>, array<i64: 3, 1>]>]} : (tensor<12xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// CHECK-LABEL: func.func @columns(
// CHECK-NEXT: %0 = "lazy.permute"(%arg1) {dims = array<i64: 1, 0>}
// CHECK-NEXT: %1 = "lazy.reshape"(%0) {shape = array<i64: 6>}
// CHECK-NEXT: %2 = "lazy.update_slice"(%arg0, %1, %arg2) {starts = array<i64: -1>}
// CHECK-NEXT: return %2
func.func @columns(%x: tensor<12xf32>, %u: tensor<2x3xf32>, %i: tensor<i64>) -> tensor<12xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 2, 3>, array<i64: 1, 2>]>]} : (tensor<12xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// CHECK-LABEL: func.func @one_element(
// CHECK-NEXT: %0 = "lazy.reshape"(%arg1) {shape = array<i64: 1>}
// CHECK-NEXT: %1 = "lazy.update_slice"(%arg0, %0, %arg2) {starts = array<i64: -1>}
// CHECK-NEXT: return %1
func.func @one_element(%x: tensor<12xf32>, %u: tensor<1x1xf32>, %i: tensor<i64>) -> tensor<12xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"strided", [array<i64: 1, 1>, array<i64: 0, 5>]>]} : (tensor<12xf32>, tensor<1x1xf32>, tensor<i64>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}
