"""The workloads by name, in the order of the table."""

from __future__ import annotations

from . import barrier, generate, importing, lstm, mlp, record, resnet, trace_length, transformer

__all__ = ["WORKLOADS"]

_PARTS = (record, trace_length, barrier, mlp, transformer, resnet, lstm, generate, importing)

WORKLOADS = {workload.name: workload for part in _PARTS for workload in part.WORKLOADS}
