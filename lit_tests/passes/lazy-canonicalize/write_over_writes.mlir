// A write is dropped too where other writes stand between it and the one that covers it.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @first_write_of_three(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg2, %arg5) {chain = [#lazy.view<"slice", [array<i64: 3>, array<i64: 1>]>]}
// CHECK-NEXT: %1 = "lazy.write_view"(%0, %arg3, %arg4) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]}
// CHECK-NEXT: return %1
func.func @first_write_of_three(%x: tensor<8xf32>, %u: tensor<2xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<8xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]} : (tensor<8xf32>, tensor<2xf32>, tensor<i64>) -> tensor<8xf32>
  %1 = "lazy.write_view"(%0, %v, %j) {chain = [#lazy.view<"slice", [array<i64: 3>, array<i64: 1>]>]} : (tensor<8xf32>, tensor<3xf32>, tensor<i64>) -> tensor<8xf32>
  %2 = "lazy.write_view"(%1, %w, %i) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]} : (tensor<8xf32>, tensor<2xf32>, tensor<i64>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// CHECK-LABEL: func.func @read_between_stays(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg4) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]}
// CHECK-NEXT: %1 = "lazy.write_view"(%0, %arg2, %arg5) {chain = [#lazy.view<"slice", [array<i64: 3>, array<i64: 1>]>]}
// CHECK-NEXT: %2 = "lazy.write_view"(%1, %arg3, %arg4) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]}
// CHECK-NEXT: %3 = "lazy.exp"(%1)
// CHECK-NEXT: return %2, %3
func.func @read_between_stays(%x: tensor<8xf32>, %u: tensor<2xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %i: tensor<i64>, %j: tensor<i64>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]} : (tensor<8xf32>, tensor<2xf32>, tensor<i64>) -> tensor<8xf32>
  %1 = "lazy.write_view"(%0, %v, %j) {chain = [#lazy.view<"slice", [array<i64: 3>, array<i64: 1>]>]} : (tensor<8xf32>, tensor<3xf32>, tensor<i64>) -> tensor<8xf32>
  %2 = "lazy.write_view"(%1, %w, %i) {chain = [#lazy.view<"slice", [array<i64: 2>, array<i64: 1>]>]} : (tensor<8xf32>, tensor<2xf32>, tensor<i64>) -> tensor<8xf32>
  %3 = "lazy.exp"(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}
