"""What a cut loses: the loss of its two halves as they would be published."""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.tables.groups import nameable
from unlinkable.tables.methods.regions.shared.cuts import Cuts
from unlinkable.tables.metrics import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import CellMetric, GroupMetric
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import FloatArray

__all__ = ["Loss"]


@define(eq=False, frozen=True)
class Loss:
    """The loss of both halves of a cut, added up over cells.

    A metric that does not add up over cells (it may depend on sizes alone) says nothing about where
    to cut; the normalized certainty penalty then decides.

    Attributes
    ----------
    attributes
        The quasi-identifying columns.
    metric
        What is to be kept small.
    in_taxonomy
        Whether only nodes of the taxonomies are published.
    """

    attributes: tuple[Attribute, ...]
    metric: GroupMetric
    in_taxonomy: bool

    def __call__(self, cuts: Cuts) -> FloatArray:
        """Measure cuts."""
        metric = self.metric
        cells = metric if isinstance(metric, CellMetric) else NormalizedCertaintyPenalty()
        lo, hi = nameable(*cuts.boxes(), self.attributes, in_taxonomy=self.in_taxonomy)
        losses = np.zeros(len(lo))
        for j, attribute in enumerate(self.attributes):
            shown = cells.cells(attribute.taxonomy, lo[:, j], hi[:, j])
            losses += attribute.importance * shown
        both: FloatArray = (losses * cuts.weights()).reshape(-1, 2).sum(axis=1)
        return both
