"""Lowerings of dialect/contract.py."""
