// What is wrong with a command line is said in one line.
// RUN: not lazymlir-opt %s --split-input-fil 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not lazymlir-opt %s --verify-each=perhaps 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not lazymlir-opt %s another.mlir 2>&1 | filecheck %s --check-prefix=INPUTS
// RUN: not lazymlir-opt %s -o 2>&1 | filecheck %s --check-prefix=NO-VALUE
// RUN: not lazymlir-opt %s --lower=fast 2>&1 | filecheck %s --check-prefix=LOWER
// RUN: not lazymlir-opt %s.missing 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not lazymlir-opt %s -o %t.folder/that/is/missing 2>&1 | filecheck %s --check-prefix=UNWRITABLE
// RUN: not lazymlir-opt %S 2>&1 | filecheck %s --check-prefix=FOLDER

// OPTION: lazymlir-opt: error: unknown option or pass --split-input-fil; did you mean --split-input-file?
// VALUE: error: option --verify-each takes true or false, got 'perhaps'
// INPUTS: error: takes one input file, got {{.*}}command_line_errors.mlir, another.mlir
// NO-VALUE: error: option -o needs a value
// LOWER: error: option --lower takes no value
// MISSING: error: cannot read {{.*}}.missing: No such file or directory
// UNWRITABLE: error: cannot write {{.*}}missing: No such file or directory
// FOLDER: error: cannot read {{.*}}: Is a directory
func.func @f() {
  return
}
