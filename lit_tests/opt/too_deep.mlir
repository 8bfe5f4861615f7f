// MLIR's parser would overflow its stack on input that nests deeper than any graph: it is refused first.
// RUN: %{python} -c "print('func.func private @f(%%x: ' + 'tuple<' * 100000)" | not lazymlir-opt 2>&1 | filecheck %s --check-prefix=BRACKETS
// RUN: %{python} -c "print('#m = affine_map<(d0)->(' + '-' * 100000 + 'd0)>')" | not lazymlir-opt 2>&1 | filecheck %s --check-prefix=SIGNS
// RUN: %{python} -c "print('%%0 = arith.negf %%1#2147483648 : f32')" | not lazymlir-opt 2>&1 | filecheck %s --check-prefix=RESULTS

// BRACKETS: <stdin>:1:{{[0-9]+}}: brackets are nested more than 500 deep
// SIGNS: <stdin>:1:{{[0-9]+}}: more than 500 minus signs in a row
// RESULTS: <stdin>:1:19: no operation has that many results
