// Of two writes through one view the last one wins.
// RUN: lazymlir-opt %s --lazy-canonicalize | filecheck %s

// CHECK-LABEL: func.func @dropped(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg2, %arg3) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: return %0
func.func @dropped(%x: tensor<3x4xf32>, %u: tensor<4xf32>, %v: tensor<4xf32>, %i: tensor<i64>) -> tensor<3x4xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %1 = "lazy.write_view"(%0, %v, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @dropped_once_nothing_reads_it(
// CHECK-NEXT: %0 = "lazy.exp"(%arg1)
// CHECK-NEXT: %1 = "lazy.write_view"(%arg0, %0, %arg2) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: return %1
func.func @dropped_once_nothing_reads_it(%x: tensor<3x4xf32>, %u: tensor<4xf32>, %i: tensor<i64>) -> tensor<3x4xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %s1 = "lazy.slice"(%0, %i) {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %1 = "lazy.reshape"(%s1) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  %2 = "lazy.exp"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "lazy.write_view"(%0, %2, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %3 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @another_row_stays(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg3) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: %1 = "lazy.write_view"(%0, %arg2, %arg4) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: return %1
func.func @another_row_stays(%x: tensor<3x4xf32>, %u: tensor<4xf32>, %v: tensor<4xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<3x4xf32> {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %1 = "lazy.write_view"(%0, %v, %j) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @needed_stays(
// CHECK-NEXT: %0 = "lazy.write_view"(%arg0, %arg1, %arg3) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: %1 = "lazy.write_view"(%0, %arg2, %arg3) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]}
// CHECK-NEXT: return %0, %1
func.func @needed_stays(%x: tensor<3x4xf32>, %u: tensor<4xf32>, %v: tensor<4xf32>, %i: tensor<i64>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %1 = "lazy.write_view"(%0, %v, %i) {chain = [#lazy.view<"slice", [array<i64: 1, 4>, array<i64: 1, 1>]>, #lazy.view<"reshape", [array<i64: 4>]>]} : (tensor<3x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<3x4xf32>
}
