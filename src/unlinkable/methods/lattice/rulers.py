"""Rulers: what a lattice node loses, and what all nodes between two of them lose at least.

Between two nodes, values are no finer than at the lower one, and what no release below the upper
one can keep is left out. Both bound the loss from below; how, depends on the metric.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.kernels.rollup import add_field
from unlinkable.methods.lattice.judging import Finding
from unlinkable.methods.lattice.lattice import Node
from unlinkable.methods.lattice.memory import NodeGroups
from unlinkable.methods.lattice.rollup import RollUp
from unlinkable.typing import BoolArray, FloatArray
from unlinkable.utility.base import CellMetric, Metric, Shown, SizeMetric

__all__ = ["Burden", "CellRuler", "Ruler", "SizeRuler", "ruler_for"]


@define(eq=False, frozen=True)
class Burden:
    """What every release at or below a node leaves out.

    Attributes
    ----------
    groups
        The groups of the node.
    gone
        Those of which nothing is left.
    loss
        What the records that are left out add to the loss at least, where losses add up.
    """

    groups: NodeGroups
    gone: BoolArray
    loss: float = 0.0


class Ruler:
    """Measures the nodes of a lattice by any metric. Of what is between two nodes it knows nothing.

    Attributes
    ----------
    slopes
        How much every level of every attribute gives away: what a search should try to do without.
    """

    def __init__(self, rollup: RollUp, metric: Metric, slopes: list[list[float]]) -> None:
        self._rollup = rollup
        self._metric = metric
        self.slopes = slopes

    def measure(self, groups: NodeGroups, finding: Finding) -> float:
        """Measure what the release at a node loses."""
        lo, hi = self._rollup.ranges(groups)
        keep = finding.keep
        weights = groups.sizes.astype(float) if groups.weights is None else groups.weights
        return self._metric.measure(
            Shown(
                self._rollup.attributes,
                lo[keep],
                hi[keep],
                groups.sizes[keep],
                weights[keep],
                finding.n_suppressed,
                float(weights[~keep].sum()),
            )
        )

    def burden(self, groups: NodeGroups, finding: Finding, loss: float | None) -> Burden:
        """Say what every release at or below a node leaves out.

        ``loss`` is what the node itself loses, if it is a release.
        """
        return Burden(groups, finding.lost == groups.sizes)

    def floor(self, low: Node, burden: Burden | None) -> float:
        """Bound from below what a release loses that is between a node and that of the burden."""
        return -np.inf

    def lower(self, low: Node, high: Node, burden: Burden | None, most: float) -> Node:
        """Take those levels off the upper node with which a release loses more than ``most``."""
        return high

    def stake(self, column: int, low: int, high: int) -> float:
        """Say how much is to be gained if an attribute does not go to the higher of two levels."""
        return self.slopes[column][high] - self.slopes[column][low]


class SizeRuler(Ruler):
    """For losses that depend on the sizes of groups.

    The metric itself says what a release that is coarser than some groups loses at least. Of the
    groups of the lower node, those that are lost at the upper one are taken for left out.
    """

    def __init__(self, rollup: RollUp, metric: SizeMetric, limit: int) -> None:
        super().__init__(rollup, metric, rollup.margins.blur())
        self._sizes = metric
        self._limit = limit

    def measure(self, groups: NodeGroups, finding: Finding) -> float:
        return self._sizes.of_sizes(groups.sizes[finding.keep], finding.n_suppressed)

    def floor(self, low: Node, burden: Burden | None) -> float:
        groups = self._rollup.at(low)
        if burden is None or not burden.gone.any():
            return self._sizes.floor(groups.sizes, self._limit)
        gone = burden.gone[self._rollup.labels(groups, burden.groups)]
        n_gone = int(groups.sizes[gone].sum())
        return self._sizes.floor(groups.sizes[~gone], self._limit - n_gone, n_gone)


class CellRuler(Ruler):
    """For losses that add up over cells.

    The mean loss of the cells of an attribute at a level is known from its margin. A node loses the
    sum of these, and for each record that is left out what a suppressed cell loses more. A record
    that is left out at a node costs no less at a finer one, where its cells lose less.
    """

    def __init__(self, rollup: RollUp, metric: CellMetric) -> None:
        super().__init__(rollup, metric, [])
        margins = rollup.margins
        self._total = float(margins.weights[0][-1].sum())
        all_importance = sum(a.importance for a in rollup.attributes)
        self._gaps: list[list[FloatArray]] = []
        for j, attribute in enumerate(rollup.attributes):
            share = attribute.importance / all_importance
            lost = metric.suppressed(attribute.taxonomy)
            cells = margins.losses(metric, j)
            self._gaps.append([share * (lost - cell) for cell in cells])
            means = [float(c @ w) for c, w in zip(cells, margins.weights[j], strict=True)]
            self.slopes.append([share * mean / self._total for mean in means])

    def measure(self, groups: NodeGroups, finding: Finding) -> float:
        weights = groups.sizes if groups.weights is None else groups.weights
        lost = np.where(finding.keep, 0.0, weights)
        return self._mean(groups.node) + self._extra(groups, lost)

    def burden(self, groups: NodeGroups, finding: Finding, loss: float | None) -> Burden:
        gone = finding.lost == groups.sizes
        if loss is not None and finding.n_lost == finding.n_suppressed:
            return Burden(groups, gone, loss - self._mean(groups.node))
        lost = finding.lost.astype(float)
        if groups.weights is not None:
            # The lightest records may be the ones that go: only of a whole group they are known.
            lost = np.where(gone, groups.weights, 0.0)
        return Burden(groups, gone, self._extra(groups, lost))

    def floor(self, low: Node, burden: Burden | None) -> float:
        return self._mean(low) + (0.0 if burden is None else burden.loss)

    def lower(self, low: Node, high: Node, burden: Burden | None, most: float) -> Node:
        spare = most - self.floor(low, burden)
        levels = []
        for slope, bottom, top in zip(self.slopes, low, high, strict=True):
            level = top
            while level > bottom and slope[level] - slope[bottom] > spare:
                level -= 1
            levels.append(level)
        return tuple(levels)

    def stake(self, column: int, low: int, high: int) -> float:
        return self.slopes[column][high] - self.slopes[column][high - 1]

    def _mean(self, node: Node) -> float:
        return sum(slope[level] for slope, level in zip(self.slopes, node, strict=True))

    def _extra(self, groups: NodeGroups, lost: FloatArray) -> float:
        """Measure what leaving records of these weights out adds to the mean loss."""
        at = np.flatnonzero(lost)
        if not at.size:
            return 0.0
        keys = groups.keys[:, at]
        gaps = np.zeros(at.size)
        for field, levels, level in zip(
            self._rollup.packing.fields, self._gaps, groups.node, strict=True
        ):
            add_field(keys[field.word], field.shift, field.mask, levels[level], gaps)
        return float(gaps @ lost[at]) / self._total


def ruler_for(rollup: RollUp, metric: Metric, limit: int) -> Ruler:
    """Take the ruler that knows most about a metric."""
    if isinstance(metric, CellMetric):
        return CellRuler(rollup, metric)
    if isinstance(metric, SizeMetric):
        return SizeRuler(rollup, metric, limit)
    return Ruler(rollup, metric, rollup.margins.blur())
