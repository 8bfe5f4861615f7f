// Additions to 16-bit floats accumulate in float32.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @scatter
// CHECK-DAG: [[X:%.*]] = stablehlo.convert %arg0 : (tensor<5xbf16>) -> tensor<5xf32>
// CHECK-DAG: [[U:%.*]] = stablehlo.convert {{.*}} : (tensor<3x1xbf16>) -> tensor<3x1xf32>
// CHECK: [[SUM:%.*]] = "stablehlo.scatter"([[X]], {{.*}}, [[U]])
// CHECK: stablehlo.add
// CHECK: stablehlo.convert [[SUM]] : (tensor<5xf32>) -> tensor<5xbf16>
func.func @scatter(%x: tensor<5xbf16>, %i: tensor<3xi64>, %u: tensor<3xbf16>) -> (tensor<5xbf16>) {
  %0 = "lazy.scatter"(%x, %i, %u) {dim = 0 : i64, kind = "add"} : (tensor<5xbf16>, tensor<3xi64>, tensor<3xbf16>) -> tensor<5xbf16>
  return %0 : tensor<5xbf16>
}
