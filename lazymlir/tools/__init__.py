"""The command line tools: `lazymlir-opt` (opt.py) and the tables of the documentation (ops.py)."""
