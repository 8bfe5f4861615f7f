"""Lowerings of dialect/index.py."""
