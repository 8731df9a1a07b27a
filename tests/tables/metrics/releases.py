"""Releases as the metrics see them."""

from __future__ import annotations

import numpy as np

from tests.witness.tree import Tree
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.taxonomies import Attribute

__all__ = ["range_of", "shown_cells", "shown_sizes"]


def shown_sizes(sizes: list[int], n_suppressed: int) -> Shown:
    """A release without attributes: some metrics look at no value."""
    counts = np.array(sizes, np.int64)
    nothing = np.zeros((len(sizes), 0), np.int32)
    return Shown((), nothing, nothing, counts, counts.astype(float), n_suppressed, n_suppressed)


def shown_cells(
    attributes: tuple[Attribute, ...],
    ranges: list[list[tuple[int, int]]],
    weights: list[float] | None = None,
) -> Shown:
    """A release of single records, each with a range of codes for every attribute."""
    boxes = np.array(ranges, np.int32).reshape(len(ranges), len(attributes), 2)
    ones = np.ones(len(ranges), np.int64)
    given = ones.astype(float) if weights is None else np.array(weights)
    return Shown(attributes, boxes[:, :, 0], boxes[:, :, 1], ones, given)


def range_of(tree: Tree, label: object) -> tuple[int, int]:
    """Give the codes under the lowest node with this label."""
    level = next(i for i in range(tree.height + 1) if label in tree.labels(i))
    codes = [tree.leaves.index(v) for v in tree.leaves_under(level, label)]
    return min(codes), max(codes) + 1
