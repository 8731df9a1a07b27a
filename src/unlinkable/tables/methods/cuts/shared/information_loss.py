"""Forfeits: the information that a generalization loses, IL(g).

For a class it is the gain of the reverse step: the information gain of replacing the node by its
children. Without a class it is the rise of the loss by the metric of the task.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unlinkable.tables.groups import Histogram, Partition
from unlinkable.tables.methods.cuts.shared.node_tree import Tree
from unlinkable.tables.methods.cuts.shared.tea import Generalization, TeaIndex
from unlinkable.tables.metrics import information_gains
from unlinkable.tables.metrics.base import CellMetric, GroupMetric, Shown, SizeMetric
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import FloatArray

__all__ = ["Fixed", "Forfeits", "Measured", "OfSizes", "by_class", "by_metric"]


class Forfeits(abc.ABC):
    """The losses of generalizations."""

    @abc.abstractmethod
    def of(self, node: int) -> float:
        """Measure the loss of replacing the children of a node by it, in the present state."""

    @abc.abstractmethod
    def follow(self, step: Generalization) -> None:
        """Record a generalization that will be made."""


class Fixed(Forfeits):
    """Losses that do not depend on earlier generalizations: one number for each node."""

    def __init__(self, losses: FloatArray) -> None:
        self.losses = losses

    def of(self, node: int) -> float:
        return float(self.losses[node])

    def follow(self, step: Generalization) -> None:
        """Nothing changes."""


class OfSizes(Forfeits):
    """Losses that depend on the sizes of all groups."""

    def __init__(self, index: TeaIndex, metric: SizeMetric) -> None:
        self._index = index
        self._metric = metric
        self._now = metric.of_sizes(index.sizes, 0)

    def of(self, node: int) -> float:
        return self._after(self._index.look(node)) - self._now

    def follow(self, step: Generalization) -> None:
        self._now = self._after(step)

    def _after(self, step: Generalization) -> float:
        stays = self._index.lives
        stays[step.rows] = False
        return self._metric.of_sizes(np.append(self._index.sizes[stays], step.sizes), 0)


class Measured(Forfeits):
    """All other losses: the release is built and measured."""

    def __init__(
        self, index: TeaIndex, attributes: Sequence[Attribute], metric: GroupMetric
    ) -> None:
        self._index = index
        self._attributes = tuple(attributes)
        self._metric = metric
        self._now = self._loss(index.partition())

    def of(self, node: int) -> float:
        return self._loss(self._index.partition_after(self._index.look(node))) - self._now

    def follow(self, step: Generalization) -> None:
        self._now = self._loss(self._index.partition_after(step))

    def _loss(self, partition: Partition) -> float:
        return self._metric.loss(Shown.of(partition, self._attributes))


def by_class(index: TeaIndex, target: str) -> Fixed:
    """Measure the information gain of the reverse step, for every node.

    All records under a node have one of its children when these are replaced, so the gain does not
    depend on earlier steps.
    """
    classes = index.finest.histograms[target,]
    losses = [np.zeros(0)]
    for j, tree in enumerate(index.trees):
        codes = np.ascontiguousarray(index.finest.keys[:, j])
        by_node = _dense(classes.merge(codes, int(tree.hi[0])), tree)
        inner = np.flatnonzero(~tree.is_leaf)
        starts = np.append(tree.starts[inner], tree.below.size)
        lost = np.zeros(len(tree))
        lost[inner] = information_gains(by_node[inner], starts, by_node[tree.below])
        losses.append(lost)
    return Fixed(np.concatenate(losses))


def by_metric(index: TeaIndex, attributes: Sequence[Attribute], metric: GroupMetric) -> Forfeits:
    """Measure the rise of a loss, in the cheapest way that the metric allows."""
    if not metric.higher_is_better:
        if isinstance(metric, CellMetric):
            return _by_cells(index, attributes, metric)
        if isinstance(metric, SizeMetric):
            return OfSizes(index, metric)
    return Measured(index, attributes, metric)


def _by_cells(index: TeaIndex, attributes: Sequence[Attribute], metric: CellMetric) -> Fixed:
    """Add up the extra loss of the records under each node when its children are replaced."""
    shown = Shown.of(index.partition(), attributes)
    shares = shown.importance * (metric.scale(shown) / (shown.total_weight or 1.0))
    losses = [np.zeros(0)]
    for attribute, tree, share, weights in zip(
        attributes, index.trees, shares, shown.before, strict=True
    ):
        before = np.append(0.0, np.cumsum(weights))
        # A node covers a range of codes, so the weight below it is a difference of running sums.
        held = before[tree.hi] - before[tree.lo]
        lost = metric.cells(attribute.taxonomy, tree.lo, tree.hi) * held
        below = np.bincount(tree.parent[1:], lost[1:], len(tree))
        losses.append(np.where(tree.is_leaf, 0.0, lost - below) * share)
    return Fixed(np.concatenate(losses))


def _dense(classes: Histogram, tree: Tree) -> NDArray[np.int64]:
    """Count every class under every node."""
    counts = np.zeros((classes.n_groups + 1, classes.n_values), np.int64)
    counts[classes.row + 1, classes.values] = classes.counts
    before = np.cumsum(counts, axis=0)
    under: NDArray[np.int64] = before[tree.hi] - before[tree.lo]
    return under
