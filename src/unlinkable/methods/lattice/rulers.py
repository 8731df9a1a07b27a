"""Rulers: what a lattice node loses, and what all nodes between two of them lose at least.

Between two nodes, values are no finer than at the lower one, and what no release below the upper one
can keep is left out. Both bound the loss from below; how, depends on the metric.
"""

from __future__ import annotations

import abc

import numpy as np
from attrs import define

from unlinkable.kernels.rollup import add_field
from unlinkable.methods.lattice.judging import Finding
from unlinkable.methods.lattice.lattice import Node
from unlinkable.methods.lattice.memory import NodeGroups
from unlinkable.methods.lattice.rollup import RollUp
from unlinkable.typing import BoolArray, FloatArray
from unlinkable.utility.base import CellMetric, Metric, Shown, SizeMetric

__all__ = ["Burden", "Ruler", "ruler_for"]


@define(eq=False, frozen=True)
class Burden:
    """What every release at or below a node leaves out.

    Attributes
    ----------
    groups
        The groups of the node.
    gone
        Those of which nothing is left.
    n_gone
        Number of records in them.
    loss
        What leaving records out adds to the loss at least, if the loss is one of cells.
    """

    groups: NodeGroups
    gone: BoolArray
    n_gone: int
    loss: float


class Ruler(abc.ABC):
    """Measures nodes of a lattice, and bounds what is between two of them."""

    def __init__(self, rollup: RollUp, metric: Metric, limit: int) -> None:
        self.rollup = rollup
        self.limit = limit
        self.slopes = rollup.margins.blur()
        """How much every level of every attribute gives away."""

    @abc.abstractmethod
    def measure(self, groups: NodeGroups, finding: Finding) -> float:
        """Measure what the release at a node loses."""

    def burden(self, groups: NodeGroups, finding: Finding) -> Burden:
        """Say what every release at or below a node leaves out."""
        gone = finding.lost == groups.sizes
        return Burden(groups, gone, int(groups.sizes[gone].sum()), 0.0)

    def floor(self, low: Node, burden: Burden | None) -> float:
        """Bound from below what releases lose from one node up to that of the burden."""
        return -np.inf

    def lower(self, low: Node, high: Node, burden: Burden | None, most: float) -> Node:
        """Take levels off the upper node that lose more than ``most`` whatever the others are."""
        return high


class CellRuler(Ruler):
    """For losses that add up over cells.

    The mean loss of the cells of an attribute at a level is known from its margin. A node loses the
    sum of these, and for each record that is left out what a suppressed cell loses more.
    """

    def __init__(self, rollup: RollUp, metric: CellMetric, limit: int) -> None:
        margins = rollup.margins
        self.rollup = rollup
        self.limit = limit
        given = np.array([a.importance for a in rollup.attributes], float)
        self._total = float(margins.weights[0][-1].sum())
        self._gaps: list[list[FloatArray]] = []
        self.slopes = []
        for j, (attribute, cells) in enumerate(zip(rollup.attributes, margins.losses(metric), strict=True)):
            importance = float(given[j] / given.sum())
            gone = metric.suppressed(attribute.taxonomy)
            means = [loss @ weight for loss, weight in zip(cells, margins.weights[j], strict=True)]
            self.slopes.append([importance * float(mean) / self._total for mean in means])
            self._gaps.append([importance * (gone - loss) for loss in cells])

    def measure(self, groups: NodeGroups, finding: Finding) -> float:
        weights = groups.sizes if groups.weights is None else groups.weights
        return self._mean(groups.node) + self._extra(groups, np.where(finding.keep, 0, weights))

    def burden(self, groups: NodeGroups, finding: Finding) -> Burden:
        # The lightest records may be the ones that are lost: only a whole group has a known weight.
        lost = finding.lost
        if groups.weights is not None:
            lost = np.where(lost == groups.sizes, groups.weights, 0)
        return Burden(groups, lost == groups.sizes, 0, self._extra(groups, lost))
