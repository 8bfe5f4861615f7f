"""lazymlir beside its peers: `python -m benchmarks` or `make bench`. What each file is for stands in its first line."""
