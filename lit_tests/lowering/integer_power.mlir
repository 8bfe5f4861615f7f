// Integer powers wrap around: repeated squaring while any exponent has bits left.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @integer_power
// CHECK: [[R:%.*]]:3 = stablehlo.while
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.or
// CHECK: } do {
// CHECK: stablehlo.shift_right_logical
// CHECK: stablehlo.select {{.*}}, [[R]]#0
func.func @integer_power(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>) {
  %0 = "lazy.pow"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
