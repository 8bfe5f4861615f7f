// What has no lowering says so where it stands.
// RUN: lazymlir-opt %s --lazy-lower-to-stablehlo --verify-diagnostics --split-input-file

func.func @write_view_is_expanded_before(%base: tensor<4xf32>, %update: tensor<2x2xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{lazy.write_view has no lowering to StableHLO; run the passes that expand it first}}
  %0 = "lazy.write_view"(%base, %update) {chain = [#lazy.view<"reshape", [array<i64: 2, 2>]>]} : (tensor<4xf32>, tensor<2x2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @the_operations_before_are_no_excuse(%base: tensor<4xf32>, %update: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "lazy.neg"(%update) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{lazy.write_view has no lowering}}
  %1 = "lazy.write_view"(%base, %0) {chain = []} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
