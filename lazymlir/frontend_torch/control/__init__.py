"""Control flow on request: `lazymlir.cond` and `lazymlir.while_loop` (LazyTensor paper: "encode control flow through special
program annotations")."""
