// Must not fire: results of other types, arguments that live on.
// RUN: lazymlir-opt %s --lazy-donate | filecheck %s

// CHECK-LABEL: func.func @other_shape(%arg0: tensor<2x4xf32> {lazy.dies}) -> tensor<8xf32>
// CHECK-NEXT: %0 = "lazy.reshape"(%arg0) {shape = array<i64: 8>}
// CHECK-NEXT: return %0
func.func @other_shape(%x: tensor<2x4xf32> {lazy.dies}) -> tensor<8xf32> {
  %0 = "lazy.reshape"(%x) {shape = array<i64: 8>} : (tensor<2x4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @other_type(%arg0: tensor<4xf32> {lazy.dies}) -> tensor<4xi32>
// CHECK-NEXT: %0 = "lazy.bitcast"(%arg0) {dtype = i32}
// CHECK-NEXT: return %0
func.func @other_type(%x: tensor<4xf32> {lazy.dies}) -> tensor<4xi32> {
  %0 = "lazy.bitcast"(%x) {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @lives_on(%arg0: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %0 = "lazy.exp"(%arg0)
// CHECK-NEXT: return %0
func.func @lives_on(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "lazy.exp"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @empty(%arg0: tensor<0xf32> {lazy.dies}) -> tensor<0xf32>
// CHECK-NEXT: %0 = "lazy.exp"(%arg0)
// CHECK-NEXT: return %0
func.func @empty(%x: tensor<0xf32> {lazy.dies}) -> tensor<0xf32> {
  %0 = "lazy.exp"(%x) : (tensor<0xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
