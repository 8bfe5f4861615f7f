// The help lists every pass with its summary, the switches, and what --lower stands for.
// RUN: lazymlir-opt --help | filecheck %s
// RUN: lazymlir-opt -h %s --cse | filecheck %s

// CHECK: usage: lazymlir-opt [file] [options] [passes]
// CHECK: -o <file>
// CHECK: --split-input-file
// CHECK: --verify-diagnostics
// CHECK: passes of the lazy dialect:
// CHECK: --lazy-canonicalize {{ *[A-Z].*\.}}
// CHECK: --lazy-donate {{ *[A-Z].*\.}}
// CHECK-NEXT: minimum-bytes=<int> {{.*}}(default
// CHECK: --lazy-invert-views {{ *[A-Z].*\.}}
// CHECK: --lazy-lower-to-stablehlo {{ *[A-Z].*\.}}
// CHECK: --lazy-specialize-scalars {{ *[A-Z].*\.}}
// CHECK: upstream passes
// CHECK-NEXT: --canonicalize --cse --inline
// CHECK: --lower stands for:
// CHECK-NEXT: lazy-specialize-scalars,lazy-canonicalize,
