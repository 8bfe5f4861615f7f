// Refused: Contractions, convolutions and windows.
// RUN: lazymlir-opt %s --split-input-file --verify-diagnostics

func.func @dot(%x: tensor<2x3xf32>, %y: tensor<3x4xf64>) {
  // expected-error@below {{lazy.dot: operands are tensor<2x3xf32> and tensor<3x4xf64>}}
  %r = "lazy.dot"(%x, %y) {x_batch = array<i64>, x_contract = array<i64: 1>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dot(%x: tensor<2xi1>, %y: tensor<2xi1>) {
  // expected-error@below {{lazy.dot: operands are tensor<2xi1> and tensor<2xi1>}}
  %r = "lazy.dot"(%x, %y) {x_batch = array<i64>, x_contract = array<i64: 0>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<2xi1>, tensor<2xi1>) -> tensor<i1>
  return
}

// -----

func.func @dot(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.dot: batch dims [0] and [] differ in number}}
  %r = "lazy.dot"(%x, %y) {x_batch = array<i64: 0>, x_contract = array<i64: 1>, y_batch = array<i64>, y_contract = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dot(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.dot: contracted dims [1] and [] differ in number}}
  %r = "lazy.dot"(%x, %y) {x_batch = array<i64>, x_contract = array<i64: 1>, y_batch = array<i64>, y_contract = array<i64>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dot(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.dot: dims [0, 0] do not fit tensor<2x3xf32>}}
  %r = "lazy.dot"(%x, %y) {x_batch = array<i64: 0>, x_contract = array<i64: 0>, y_batch = array<i64: 0>, y_contract = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dot(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.dot: dims [2] do not fit tensor<2x3xf32>}}
  %r = "lazy.dot"(%x, %y) {x_batch = array<i64>, x_contract = array<i64: 1>, y_batch = array<i64>, y_contract = array<i64: 2>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dot(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{lazy.dot: contracted sizes [3] and [2] differ}}
  %r = "lazy.dot"(%x, %y) {x_batch = array<i64>, x_contract = array<i64: 1>, y_batch = array<i64>, y_contract = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dot(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) {
  // expected-error@below {{lazy.dot: batch sizes [2] and [4] differ}}
  %r = "lazy.dot"(%x, %y) {x_batch = array<i64: 0>, x_contract = array<i64: 1>, y_batch = array<i64: 0>, y_contract = array<i64: 1>} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: operands are tensor<8xf32> and tensor<6x4x3xf32>}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf64>) {
  // expected-error@below {{lazy.convolution: operands are tensor<8x4x9xf32> and tensor<6x4x3xf64>}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4x3xf64>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4xf32>) {
  // expected-error@below {{lazy.convolution: operands are tensor<8x4x9xf32> and tensor<6x4xf32>}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: strides [1, 1] must have one entry for each of 1 spatial dimensions}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1, 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: low [] must have one entry for each of 1 spatial dimensions}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: high [] must have one entry for each of 1 spatial dimensions}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: x_dilation [] must have one entry for each of 1 spatial dimensions}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: weight_dilation [] must have one entry for each of 1 spatial dimensions}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: 0 groups and 1 batch groups}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 0 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: 1 groups and 0 batch groups}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 0 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x3x3xf32>) {
  // expected-error@below {{lazy.convolution: 4 input channels, weight tensor<6x3x3xf32> in 1 groups}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x3x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: a batch of 8 in 3 groups}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 3 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<4x2x3xf32>) {
  // expected-error@below {{lazy.convolution: 2 groups and 2 batch groups: one must be 1}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 2 : i64, groups_count = 2 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<4x2x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x1x3xf32>) {
  // expected-error@below {{lazy.convolution: 6 output channels in 4 groups}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 4 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x1x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: strides [0] must be positive}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 0>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: weight_dilation [0] must be positive}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 0>, x_dilation = array<i64: 1>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @convolution(%x: tensor<8x4x9xf32>, %y: tensor<6x4x3xf32>) {
  // expected-error@below {{lazy.convolution: x_dilation [0] must be positive}}
  %r = "lazy.convolution"(%x, %y) {batch_groups = 1 : i64, groups_count = 1 : i64, high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>, weight_dilation = array<i64: 1>, x_dilation = array<i64: 0>} : (tensor<8x4x9xf32>, tensor<6x4x3xf32>) -> tensor<8x6x7xf32>
  return
}

// -----

func.func @reduce_window(%x: tensor<2x9xf32>) {
  // expected-error@below {{lazy.reduce_window: kind 'mean' is none of sum, max, min}}
  %r = "lazy.reduce_window"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, kind = "mean", low = array<i64: 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @reduce_window(%x: tensor<2x9xf32>) {
  // expected-error@below {{lazy.reduce_window: window [1] must have rank 2}}
  %r = "lazy.reduce_window"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, kind = "max", low = array<i64: 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 1>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @reduce_window(%x: tensor<2x9xf32>) {
  // expected-error@below {{lazy.reduce_window: strides [1] must have rank 2}}
  %r = "lazy.reduce_window"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, kind = "max", low = array<i64: 0, 0>, strides = array<i64: 1>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @reduce_window(%x: tensor<2x9xf32>) {
  // expected-error@below {{lazy.reduce_window: low [1] must have rank 2}}
  %r = "lazy.reduce_window"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, kind = "max", low = array<i64: 1>, strides = array<i64: 1, 1>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @reduce_window(%x: tensor<2x9xf32>) {
  // expected-error@below {{lazy.reduce_window: high [1] must have rank 2}}
  %r = "lazy.reduce_window"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 1>, kind = "max", low = array<i64: 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @reduce_window(%x: tensor<2x9xf32>) {
  // expected-error@below {{lazy.reduce_window: x_dilation [1] must have rank 2}}
  %r = "lazy.reduce_window"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, kind = "max", low = array<i64: 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 1, 3>, x_dilation = array<i64: 1>} : (tensor<2x9xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @reduce_window(%x: tensor<2x9xf32>) {
  // expected-error@below {{lazy.reduce_window: dilation [1] must have rank 2}}
  %r = "lazy.reduce_window"(%x) {dilation = array<i64: 1>, high = array<i64: 0, 0>, kind = "max", low = array<i64: 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @reduce_window(%x: tensor<2x9xf32>) {
  // expected-error@below {{lazy.reduce_window: strides [0, 1] must be positive}}
  %r = "lazy.reduce_window"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, kind = "max", low = array<i64: 0, 0>, strides = array<i64: 0, 1>, window = array<i64: 1, 3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @reduce_window(%x: tensor<2x9xf32>) {
  // expected-error@below {{lazy.reduce_window: window [1, -3] must be positive}}
  %r = "lazy.reduce_window"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, kind = "max", low = array<i64: 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 1, -3>, x_dilation = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @max_pool(%x: tensor<3x8x8xf32>) {
  // expected-error@below {{lazy.max_pool: a window of 0 dimensions over tensor<3x8x8xf32>}}
  %r:2 = "lazy.max_pool"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, window = array<i64>} : (tensor<3x8x8xf32>) -> (tensor<3x4x4xf32>, tensor<3x4x4xi64>)
  return
}

// -----

func.func @max_pool(%x: tensor<8xf32>) {
  // expected-error@below {{lazy.max_pool: a window of 2 dimensions over tensor<8xf32>}}
  %r:2 = "lazy.max_pool"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<8xf32>) -> (tensor<3x4x4xf32>, tensor<3x4x4xi64>)
  return
}

// -----

func.func @max_pool(%x: tensor<3x8x8xf32>) {
  // expected-error@below {{lazy.max_pool: strides [1] must have one entry for each of 2 spatial dimensions}}
  %r:2 = "lazy.max_pool"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 1>, window = array<i64: 2, 2>} : (tensor<3x8x8xf32>) -> (tensor<3x4x4xf32>, tensor<3x4x4xi64>)
  return
}

// -----

func.func @max_pool(%x: tensor<3x8x8xf32>) {
  // expected-error@below {{lazy.max_pool: low [1] must have one entry for each of 2 spatial dimensions}}
  %r:2 = "lazy.max_pool"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, low = array<i64: 1>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<3x8x8xf32>) -> (tensor<3x4x4xf32>, tensor<3x4x4xi64>)
  return
}

// -----

func.func @max_pool(%x: tensor<3x8x8xf32>) {
  // expected-error@below {{lazy.max_pool: high [1] must have one entry for each of 2 spatial dimensions}}
  %r:2 = "lazy.max_pool"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 1>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<3x8x8xf32>) -> (tensor<3x4x4xf32>, tensor<3x4x4xi64>)
  return
}

// -----

func.func @max_pool(%x: tensor<3x8x8xf32>) {
  // expected-error@below {{lazy.max_pool: dilation [1] must have one entry for each of 2 spatial dimensions}}
  %r:2 = "lazy.max_pool"(%x) {dilation = array<i64: 1>, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<3x8x8xf32>) -> (tensor<3x4x4xf32>, tensor<3x4x4xi64>)
  return
}

// -----

func.func @max_pool(%x: tensor<3x8x8xf32>) {
  // expected-error@below {{lazy.max_pool: strides [0, 1] must be positive}}
  %r:2 = "lazy.max_pool"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 0, 1>, window = array<i64: 2, 2>} : (tensor<3x8x8xf32>) -> (tensor<3x4x4xf32>, tensor<3x4x4xi64>)
  return
}

// -----

func.func @max_pool(%x: tensor<3x8x8xcomplex<f32>>) {
  // expected-error@below {{lazy.max_pool: not defined on complex<f32>}}
  %r:2 = "lazy.max_pool"(%x) {dilation = array<i64: 1, 1>, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<3x8x8xcomplex<f32>>) -> (tensor<3x4x4xf32>, tensor<3x4x4xi64>)
  return
}
