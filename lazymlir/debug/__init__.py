"""Looking at what is recorded: text and pictures of the graph behind tensors."""

from .graphs import Picture, ir_graph, ir_text

__all__ = ["Picture", "ir_graph", "ir_text"]
