// Options of a pass: after its flag with and without braces, and in a pipeline's text.
// RUN: lazymlir-opt %s --lazy-donate=minimum-bytes=16 | filecheck %s --check-prefix=SMALL
// RUN: lazymlir-opt %s --lazy-donate={minimum-bytes=16} | filecheck %s --check-prefix=SMALL
// RUN: lazymlir-opt %s --lazy-donate{minimum-bytes=16} | filecheck %s --check-prefix=SMALL
// RUN: lazymlir-opt %s --pass-pipeline="builtin.module(lazy-donate{minimum-bytes=16})" | filecheck %s --check-prefix=SMALL
// RUN: lazymlir-opt %s --lazy-donate=minimum-bytes=17 | filecheck %s --check-prefix=LARGE
// RUN: lazymlir-opt %s --canonicalize="max-iterations=1 top-down=false" | filecheck %s --check-prefix=LARGE
// RUN: not lazymlir-opt %s --lazy-donate=minimum-bytes=many 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not lazymlir-opt %s --lazy-donate=minimum=16 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not lazymlir-opt %s --lazy-canonicalize=fast 2>&1 | filecheck %s --check-prefix=NONE

// SMALL: %arg0: tensor<4xf32> {{.*}}lazy.donated = 0
// LARGE-NOT: lazy.donated
// VALUE: error: lazy-donate: minimum-bytes takes an integer, got 'many'
// NAME: error: pass lazy-donate has no option 'minimum': it has minimum-bytes
// NONE: error: pass lazy-canonicalize has no option 'fast': it has none
func.func @f(%x: tensor<4xf32> {lazy.dies}) -> tensor<4xf32> {
  %0 = "lazy.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
