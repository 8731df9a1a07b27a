"""Loss bounds: what a lattice node loses, and what all nodes between two of them lose at least.

Between two nodes, values are no finer than at the lower one, and what no release below the upper
one can keep is suppressed. Both bound the loss from below; how, depends on the metric.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.kernels.counting import sum_field
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.tables.methods.lattice.shared.node_groups import NodeGroups
from unlinkable.tables.methods.lattice.shared.node_judging import Finding
from unlinkable.tables.methods.lattice.shared.rollup import RollUp
from unlinkable.tables.methods.shared.suppression import Losses
from unlinkable.tables.metrics.base import CellMetric, GroupMetric, Shown, SizeMetric
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = [
    "CellLossBounds",
    "LeastSuppression",
    "LossBounds",
    "MonotoneLossBounds",
    "NodeLosses",
    "SizeLossBounds",
    "loss_bounds_for",
]


@define(eq=False, frozen=True)
class LeastSuppression:
    """What every release at or below a node suppresses.

    Attributes
    ----------
    groups
        The groups of the node.
    gone
        Those of which nothing is left.
    weight
        What the records that are left out weigh at least.
    gaps
        What leaving them out adds to the loss of every attribute, where losses add up.
    """

    groups: NodeGroups
    gone: BoolArray
    weight: float = 0.0
    gaps: tuple[float, ...] = ()


class LossBounds:
    """Measures the nodes of a lattice by any metric, without any bound between two nodes.

    Attributes
    ----------
    slopes
        The loss of every level of every attribute: what a search should try to avoid.
    """

    def __init__(self, rollup: RollUp, metric: GroupMetric, slopes: list[list[float]]) -> None:
        self._rollup = rollup
        self._metric = metric
        self.slopes = slopes

    def measure(self, groups: NodeGroups, keep: BoolArray) -> float:
        """Measure what a node loses if these of its groups are published."""
        partition = self._rollup.partition(groups, keep)
        return self._metric.loss(Shown.of(partition, self._rollup.attributes))

    def beside(self, groups: NodeGroups, keep: BoolArray, more: CodeArray) -> FloatArray:
        """Bound the loss from below if one more group is suppressed and that never loses less."""
        return np.full(more.size, self.measure(groups, keep))

    def weigh(self, groups: NodeGroups, finding: Finding) -> tuple[float | None, LeastSuppression]:
        """Measure what a node loses, if it is a release, and what all nodes below leave out."""
        loss = self.measure(groups, finding.keep) if finding.is_release else None
        return loss, LeastSuppression(groups, finding.lost == groups.sizes)

    def floor(self, low: Node, suppression: LeastSuppression | None) -> float:
        """Bound the loss of a release between a node and that of the suppression from below."""
        return -np.inf

    def lower(
        self, low: Node, high: Node, suppression: LeastSuppression | None, most: float
    ) -> Node:
        """Remove from the upper node the levels with which a release loses more than ``most``."""
        return high

    def stake(self, column: int, low: int, high: int) -> float:
        """Estimate the gain if an attribute does not go to the higher of two levels."""
        return self.slopes[column][high] - self.slopes[column][low]


class MonotoneLossBounds(LossBounds):
    """For losses that never fall when values are generalized, groups merged or records left out.

    What the lower node itself loses, with nothing left out, bounds what all nodes above it lose.
    """

    def floor(self, low: Node, suppression: LeastSuppression | None) -> float:
        groups = self._rollup.at(low)
        partition = self._rollup.partition(groups, np.ones(len(groups), bool))
        return self._metric.loss(Shown.of(partition, self._rollup.attributes))


class SizeLossBounds(LossBounds):
    """For losses that depend on the sizes of groups.

    The metric itself says what a release that is coarser than some groups loses at least. Of the
    groups of the lower node, those that are lost at the upper one are taken for left out.
    """

    def __init__(self, rollup: RollUp, metric: SizeMetric, limit: int) -> None:
        super().__init__(rollup, metric, rollup.margins.blur())
        self._sizes = metric
        self._limit = limit

    def measure(self, groups: NodeGroups, keep: BoolArray) -> float:
        return self._sizes.of_sizes(groups.sizes[keep], int(groups.sizes[~keep].sum()))

    def beside(self, groups: NodeGroups, keep: BoolArray, more: CodeArray) -> FloatArray:
        # The loss depends on sizes alone, so it is computed once for each size.
        sizes, first, of = np.unique(groups.sizes[more], return_index=True, return_inverse=True)
        losses = np.empty(sizes.size)
        for i, g in enumerate(more[first].tolist()):
            less = keep.copy()
            less[g] = False
            losses[i] = self.measure(groups, less)
        return losses[of]

    def floor(self, low: Node, suppression: LeastSuppression | None) -> float:
        groups = self._rollup.at(low)
        if suppression is None or not suppression.gone.any():
            return self._sizes.floor(groups.sizes, self._limit)
        # A group that is lost at the upper node is lost at every node below, with all groups in it.
        gone = suppression.gone[self._rollup.labels(groups, suppression.groups)]
        n_gone = int(groups.sizes[gone].sum())
        return self._sizes.floor(groups.sizes[~gone], self._limit - n_gone, n_gone)


class CellLossBounds(LossBounds):
    """For losses that add up over cells.

    The mean loss of the cells of an attribute at a level is known from its margin. A node loses the
    # Suppressing a record replaces the loss of its cells by that of suppressed ones.
    sum of these, and for each record that is left out what a suppressed cell loses more: its gap.
    On the way down from a node at which a record is left out, its cells lose less and less, so that
    its gaps never shrink, and are at least what the level of the lower node leaves them.
    """

    def __init__(self, rollup: RollUp, metric: CellMetric) -> None:
        super().__init__(rollup, metric, [])
        margins = rollup.margins
        self._total = float(margins.weights[0][-1].sum())
        all_importance = sum(a.importance for a in rollup.attributes)
        self._gaps: list[list[FloatArray]] = []
        self._least_gaps: list[list[float]] = []
        for j, attribute in enumerate(rollup.attributes):
            share = attribute.importance / all_importance / self._total
            lost = metric.suppressed(attribute.taxonomy)
            cells = margins.losses(metric, j)
            self._gaps.append([share * (lost - cell) for cell in cells])
            self._least_gaps.append([float(gap.min()) for gap in self._gaps[-1]])
            means = [float(c @ w) for c, w in zip(cells, margins.weights[j], strict=True)]
            self.slopes.append([share * mean for mean in means])

    def measure(self, groups: NodeGroups, keep: BoolArray) -> float:
        return self._mean(groups.node) + sum(self._gaps_of(groups, _weights(groups, ~keep)))

    def beside(self, groups: NodeGroups, keep: BoolArray, more: CodeArray) -> FloatArray:
        losses = np.full(more.size, self.measure(groups, keep))
        weights = (groups.sizes if groups.weights is None else groups.weights)[more]
        for j, (gaps, level) in enumerate(zip(self._gaps, groups.node, strict=True)):
            losses += gaps[level][self._rollup.packing.codes(groups.keys, j)[more]] * weights
        return losses

    def weigh(self, groups: NodeGroups, finding: Finding) -> tuple[float | None, LeastSuppression]:
        gone = finding.lost == groups.sizes
        # The lightest records may be the ones that go: only of a whole group they are known.
        lost = finding.lost.astype(float) if groups.weights is None else _weights(groups, gone)
        gaps = self._gaps_of(groups, lost)
        suppression = LeastSuppression(groups, gone, float(lost.sum()), gaps)
        if not finding.is_release:
            return None, suppression
        if finding.n_lost == finding.n_suppressed:
            return self._mean(groups.node) + sum(gaps), suppression
        return self.measure(groups, finding.keep), suppression

    def floor(self, low: Node, suppression: LeastSuppression | None) -> float:
        if suppression is None:
            return self._mean(low)
        return sum(self._share(j, level, suppression) for j, level in enumerate(low))

    def lower(
        self, low: Node, high: Node, suppression: LeastSuppression | None, most: float
    ) -> Node:
        # The spare is what a release may lose beyond the floor of the box. A level whose own bound
        # exceeds that of the lowest level by more than the spare cannot be part of a better
        # release.
        spare = most - self.floor(low, suppression)
        levels = list(high)
        for j, (bottom, top) in enumerate(zip(low, high, strict=True)):
            if bottom < top:
                least = self._share(j, bottom, suppression) + spare
                while levels[j] > bottom and self._share(j, levels[j], suppression) > least:
                    levels[j] -= 1
        return tuple(levels)

    def stake(self, column: int, low: int, high: int) -> float:
        return self.slopes[column][high] - self.slopes[column][high - 1]

    def _mean(self, node: Node) -> float:
        return sum(slope[level] for slope, level in zip(self.slopes, node, strict=True))

    def _share(self, column: int, level: int, suppression: LeastSuppression | None) -> float:
        """Bound from below what an attribute at a level or above loses."""
        mean = self.slopes[column][level]
        if suppression is None:
            return mean
        # Two bounds hold, and the larger one counts: the least gap of any record at this level, and
        # the gaps measured at the upper node, which never shrink on the way down.
        gap = suppression.weight * self._least_gaps[column][level]
        return mean + max(gap, suppression.gaps[column])

    def _gaps_of(self, groups: NodeGroups, lost: FloatArray) -> tuple[float, ...]:
        """Measure what leaving records of these weights out adds to the loss of every attribute."""
        at = np.flatnonzero(lost)
        keys, weights = groups.keys[:, at], lost[at]
        levels = zip(self._rollup.packing.fields, self._gaps, groups.node, strict=True)
        return tuple(
            sum_field(keys[f.word], f.shift, f.mask, gaps[level], weights)
            for f, gaps, level in levels
        )


@define(eq=False, frozen=True)
class NodeLosses(Losses):
    """What leaving out groups of a node loses by the metric of a search, which never falls."""

    bounds: LossBounds
    groups: NodeGroups

    def of(self, keep: BoolArray) -> float:
        return self.bounds.measure(self.groups, keep)

    def beside(self, keep: BoolArray, more: CodeArray) -> FloatArray:
        return self.bounds.beside(self.groups, keep, more)


def _weights(groups: NodeGroups, which: BoolArray) -> FloatArray:
    """Give the weights of some groups, and 0 for the others."""
    weights = groups.sizes if groups.weights is None else groups.weights
    return np.where(which, weights, 0).astype(float)


def loss_bounds_for(rollup: RollUp, metric: GroupMetric, limit: int) -> LossBounds:
    """Take the bounds that fit a metric most tightly."""
    if isinstance(metric, CellMetric):
        return CellLossBounds(rollup, metric)
    if isinstance(metric, SizeMetric):
        return SizeLossBounds(rollup, metric, limit)
    bounds = MonotoneLossBounds if metric.monotone else LossBounds
    return bounds(rollup, metric, rollup.margins.blur())
