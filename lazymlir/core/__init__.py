"""The framework-neutral heart: traces, buffers, views, barriers. Knows no torch."""
