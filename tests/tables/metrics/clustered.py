"""Cluster structures as lists of labels."""

from __future__ import annotations

__all__ = ["by_contingency", "labels_of"]


def by_contingency(counts: list[list[int]]) -> tuple[list[int], list[int]]:
    """Make two structures that have so many records in common."""
    cells = [(i, j) for i, row in enumerate(counts) for j, n in enumerate(row) for _ in range(n)]
    return [i for i, _ in cells], [j for _, j in cells]


def labels_of(clusters: list[list[int]]) -> list[int]:
    """Give the cluster of each record, which are numbered from 1."""
    where = {record: c for c, records in enumerate(clusters) for record in records}
    return [where[record] for record in sorted(where)]
