// A pipeline that cannot be read is refused before anything runs, with the element at fault.
// RUN: not lazymlir-opt %s --pass-pipeline="builtin.module(lazy-donat)" 2>&1 | filecheck %s --check-prefix=MISSPELT
// RUN: not lazymlir-opt %s --pass-pipeline="nothing-of-the-kind" 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not lazymlir-opt %s --pass-pipeline="builtin.module(cse" 2>&1 | filecheck %s --check-prefix=BRACKETS
// RUN: not lazymlir-opt %s --pass-pipeline="func.func(lazy-donate)" 2>&1 | filecheck %s --check-prefix=NESTED
// RUN: not lazymlir-opt %s --pass-pipeline="chlo-legalize-to-stablehlo" 2>&1 | filecheck %s --check-prefix=NOT-NESTED
// RUN: not lazymlir-opt %s --pass-pipeline="canonicalize{no-such-option=1}" 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not lazymlir-opt %s --pass-pipeline="cse" --canonicalize 2>&1 | filecheck %s --check-prefix=BOTH
// RUN: not lazymlir-opt %s --lazy-donat 2>&1 | filecheck %s --check-prefix=FLAG

// MISSPELT: lazymlir-opt: error: --pass-pipeline: 'lazy-donat' does not refer to a registered pass or pass pipeline; did you mean lazy-donate?
// MISSPELT-NEXT: Try lazymlir-opt --help.
// UNKNOWN: error: --pass-pipeline: 'nothing-of-the-kind' does not refer to a registered pass or pass pipeline{{$}}
// BRACKETS: error: --pass-pipeline: unbalanced brackets in 'builtin.module(cse'
// NESTED: error: --pass-pipeline: lazy-donate runs on whole modules: write it outside of 'func.func(lazy-donate)'
// NOT-NESTED: error: --pass-pipeline: chlo-legalize-to-stablehlo runs on functions: write func.func(chlo-legalize-to-stablehlo)
// OPTION: error: --pass-pipeline: failed to add `canonicalize` with options `no-such-option=1`
// BOTH: error: --pass-pipeline stands alone: give all passes in it, or all as flags
// FLAG: error: unknown option or pass --lazy-donat; did you mean --lazy-donate?
func.func @f() {
  return
}
