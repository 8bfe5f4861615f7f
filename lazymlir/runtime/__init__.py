"""Compiling and running programs: the only folder that imports jax and jaxlib, and only when something first runs."""
