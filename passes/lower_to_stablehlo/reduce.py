"""Lowerings of dialect/reduce.py."""
