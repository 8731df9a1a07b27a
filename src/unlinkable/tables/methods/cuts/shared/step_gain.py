"""StepGain: what the steps of a column gain, by the values of that column alone.

The information gain of a step, or the loss that it removes, depends only on the records that have
the value it refines. So it is computed from the counts for each code of the column, and no record
is read again.
"""

from __future__ import annotations

import abc
from functools import cached_property

import numpy as np
from attrs import define

from unlinkable.kernels.taxonomy_cuts import best_split, gain_of_parts, gains_of_disclosures
from unlinkable.tables.groups import Histogram
from unlinkable.tables.metrics.base import CellMetric
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["ClassGain", "EvenSplit", "LossReduction", "StepGain"]

_MARGIN = 1e-9
"""A gain is greater than another if it is so by this share: less may be rounding."""


class StepGain(abc.ABC):
    """Computes the gain of steps on one column, and whether their records have several classes.

    Where nothing is known of classes, they are taken for several.
    """

    @abc.abstractmethod
    def of_parts(self, bounds: CodeArray) -> tuple[float, bool]:
        """Compute the gain of cutting the range from the first to the last bound at every one."""

    @abc.abstractmethod
    def of_best_split(self, lo: int, hi: int, places: CodeArray) -> tuple[int, float, bool]:
        """Find the best of the places to cut ``[lo, hi)`` in two; the lowest of equally good ones.

        Places rise, and there is at least one.
        """

    @abc.abstractmethod
    def of_disclosures(self, is_hidden: BoolArray) -> tuple[FloatArray, bool]:
        """Compute by code the gain of disclosing it alone, of all hidden ones."""


@define(eq=False, frozen=True)
class ClassGain(StepGain):
    """What steps tell of the class of a record that they concern, in bits.

    An interval is cut where that tells most.

    Attributes
    ----------
    classes
        How many records of each class have each code.
    """

    classes: Histogram

    def of_parts(self, bounds: CodeArray) -> tuple[float, bool]:
        h = self.classes
        gain, is_mixed = gain_of_parts(h.indptr, h.values, h.counts, h.n_values, bounds)
        return float(gain), bool(is_mixed)

    def of_best_split(self, lo: int, hi: int, places: CodeArray) -> tuple[int, float, bool]:
        h = self.classes
        at, gain, is_mixed = best_split(h.indptr, h.values, h.counts, h.n_values, lo, hi, places)
        return int(at), float(gain), bool(is_mixed)

    def of_disclosures(self, is_hidden: BoolArray) -> tuple[FloatArray, bool]:
        h = self.classes
        gains, is_mixed = gains_of_disclosures(h.indptr, h.values, h.counts, h.n_values, is_hidden)
        return gains, bool(is_mixed)


@define(eq=False, frozen=True, slots=False)
class EvenSplit(StepGain):
    """Nothing: what steps are worth is for groups to say. An interval is cut most evenly.

    That is where the squares of the numbers of records on both sides add up to the least.

    Attributes
    ----------
    sizes
        How many records have each code.
    """

    sizes: CountArray

    @cached_property
    def up_to(self) -> CountArray:
        """How many records have a code below each, and in all."""
        return np.append(0, np.cumsum(self.sizes))

    def of_parts(self, bounds: CodeArray) -> tuple[float, bool]:
        return 0.0, True

    def of_best_split(self, lo: int, hi: int, places: CodeArray) -> tuple[int, float, bool]:
        left, right = self.up_to[places] - self.up_to[lo], self.up_to[hi] - self.up_to[places]
        # The sum of two numbers is fixed, so their squares add up to the least where the product is
        # most.
        return int(places[np.argmax(left * right)]), 0.0, True

    def of_disclosures(self, is_hidden: BoolArray) -> tuple[FloatArray, bool]:
        return np.zeros(is_hidden.size), True


@define(eq=False, frozen=True, slots=False)
class LossReduction(StepGain):
    """By how much steps bring down a loss that adds up over cells.

    An interval is cut where that takes away most.

    Attributes
    ----------
    attribute, metric
        The column, and how the loss of its cells is measured.
    weights
        What the records with each code weigh.
    unit
        What one cell adds to the loss of the table, if it loses 1 and its record weighs 1.
    """

    attribute: Attribute
    metric: CellMetric
    weights: FloatArray
    unit: float

    @cached_property
    def up_to(self) -> FloatArray:
        """What the records with a code below each weigh, and all of them."""
        return np.append(0.0, np.cumsum(self.weights))

    def of_parts(self, bounds: CodeArray) -> tuple[float, bool]:
        whole = self._lost(bounds[:1], bounds[-1:])[0]
        return float(whole - self._lost(bounds[:-1], bounds[1:]).sum()), True

    def of_best_split(self, lo: int, hi: int, places: CodeArray) -> tuple[int, float, bool]:
        low, high = np.full_like(places, lo), np.full_like(places, hi)
        whole = self._lost(low[:1], high[:1])[0]
        gains = whole - self._lost(low, places) - self._lost(places, high)
        # Gains within rounding of the best are equal, and the lowest place wins.
        best = int(np.argmax(gains >= gains.max() - _MARGIN * abs(gains.max())))
        return int(places[best]), float(gains[best]), True

    def of_disclosures(self, is_hidden: BoolArray) -> tuple[FloatArray, bool]:
        codes = np.arange(is_hidden.size, dtype=np.int32)
        cells = self.metric.cells(self.attribute.taxonomy, codes, codes + np.int32(1))
        root = self.metric.cells(
            self.attribute.taxonomy, np.zeros(1, np.int32), np.array([is_hidden.size], np.int32)
        )
        saved: FloatArray = (root[0] - cells) * self.weights * self.unit
        return saved, True

    def _lost(self, lo: CodeArray, hi: CodeArray) -> FloatArray:
        weights = self.up_to[hi] - self.up_to[lo]
        lost: FloatArray = self.metric.cells(self.attribute.taxonomy, lo, hi) * weights * self.unit
        return lost
