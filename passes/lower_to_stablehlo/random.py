"""Lowerings of dialect/random.py."""
