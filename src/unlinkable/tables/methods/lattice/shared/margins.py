"""Margins: how often each node of each level of each attribute occurs.

They are sums over one attribute at a time. Much is known of a lattice node from them without
merging its groups: the mean loss of its cells, and how many values an attribute has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.counting import sum_by_label, sum_floats_by_label
from unlinkable.tables.groups import Groups
from unlinkable.tables.metrics.base import CellMetric
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import CountArray, FloatArray

__all__ = ["Margins"]


@define(eq=False, frozen=True)
class Margins:
    """The counts and weights of the nodes of every level.

    Attributes
    ----------
    attributes
        The quasi-identifying columns.
    counts, weights
        ``counts[j][l][v]`` is the number of records that show node v of level l on attribute j, and
        ``weights`` the sum of their weights.
    """

    attributes: tuple[Attribute, ...]
    counts: tuple[tuple[CountArray, ...], ...]
    weights: tuple[tuple[FloatArray, ...], ...]

    @classmethod
    def of(cls, finest: Groups, attributes: Sequence[Attribute], *, is_weighted: bool) -> Self:
        """Count the finest groups."""
        counts, weights = [], []
        for j, attribute in enumerate(attributes):
            codes = np.ascontiguousarray(finest.keys[:, j])
            levels = attribute.taxonomy.levels
            values = sum_by_label(finest.sizes, codes, attribute.taxonomy.n)
            counts.append(tuple(sum_by_label(values, v.blocks, v.n_nodes) for v in levels))
            if is_weighted:
                heavy = sum_floats_by_label(finest.weights, codes, attribute.taxonomy.n)
                nodes = [sum_floats_by_label(heavy, v.blocks, v.n_nodes) for v in levels]
            else:
                nodes = [count.astype(np.float64) for count in counts[-1]]
            weights.append(tuple(nodes))
        return cls(tuple(attributes), tuple(counts), tuple(weights))

    @property
    def distinct(self) -> list[list[int]]:
        """How many nodes of every level of every attribute occur."""
        return [[int(np.count_nonzero(v)) for v in levels] for levels in self.counts]

    def blur(self) -> list[list[float]]:
        """Compute how many nats of entropy are lost at every level of every attribute."""
        kept = [[_entropy(v) for v in levels] for levels in self.counts]
        return [[row[0] - level for level in row] for row in kept]

    def losses(self, metric: CellMetric, column: int) -> list[FloatArray]:
        """Measure the loss of cells that show the nodes of every level of an attribute."""
        taxonomy = self.attributes[column].taxonomy
        return [metric.cells(taxonomy, v.starts[:-1], v.starts[1:]) for v in taxonomy.levels]


def _entropy(counts: CountArray) -> float:
    share = counts[counts > 0] / max(int(counts.sum()), 1)
    return float(-(share @ np.log(share)))
