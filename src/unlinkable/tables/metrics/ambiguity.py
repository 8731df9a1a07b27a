"""Ambiguity: how many records a published record could stand for.

References
----------
.. [1] M. E. Nergiz, C. Clifton. "Thoughts on k-anonymization." Data and Knowledge Engineering
   63(3), 2007. Ambiguity metric.
.. [2] J. Goldberger, T. Tassa. "Efficient anonymizations with enhanced utility." Transactions on
   Data Privacy 3(2), 2010.
"""

from __future__ import annotations

import sys
from typing import ClassVar

import numpy as np
from attrs import frozen

from unlinkable.tables.metrics.base.grouped import CellMetric
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["Ambiguity"]


@frozen
class Ambiguity(CellMetric):
    r"""The bits that published records leave open, out of all that there are.

    A record that shows ranges of :math:`w_1, \ldots, w_d` values could be any of :math:`\prod_j
    w_j` combinations of values, and one that shows only roots, or is suppressed, any of
    :math:`\prod_j n_j`. The measure is the mean of :math:`\sum_j \log_2 w_j` over the records, by
    their weights, divided by :math:`\sum_j \log_2 n_j`; attributes count by their importance.
    Combinations count whether or not the original has them. The details give the mean number of
    ``combinations``, which is the measure of the paper and of other tools: a mean that a few wide
    records decide.

    Range
    -----
    From 0, every record can be only itself, to 1, every record can be any. Where all attributes
    have one value, it is 0. The number of combinations among the details runs from 1 to that of all
    there are; beyond the largest float, 1.8e308, it is given as that.

    Guides a search
    ---------------
    The loss never falls: a range that grows covers no less, and a suppressed record loses all.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import Attribute, observe
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> blood = Attribute("blood", Flat().build(observe("blood", ["0", "A", "B", "AB"])))
    >>> sex = Attribute("sex", Flat().build(observe("sex", ["f", "m"])))
    >>> lo, hi = np.array([[0, 0], [0, 1]]), np.array([[4, 2], [1, 2]])
    >>> shown = Shown((blood, sex), lo, hi, np.array([1, 1]), np.array([1.0, 1.0]))
    >>> Ambiguity().value(shown), Ambiguity().details(shown)  # 8 combinations, and 1
    (0.5, {'combinations': 4.5})
    """

    name: ClassVar[str] = "ambiguity"
    reference: ClassVar[str] = "Nergiz and Clifton 2007"

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        bits: FloatArray = np.log2(hi - lo)
        return bits

    def suppressed(self, taxonomy: Taxonomy) -> float:
        return float(np.log2(max(taxonomy.n, 1)))

    def scale(self, shown: Shown) -> float:
        """Divide by the bits of a record of which nothing is known."""
        bits = np.array([self.suppressed(a.taxonomy) for a in shown.attributes])
        return 1 / (float(bits @ shown.importance) or 1.0)

    def value(self, shown: Shown) -> float:
        # Sums of logarithms may end up a little above their bound.
        return min(super().value(shown), 1.0)

    def details(self, shown: Shown) -> dict[str, float]:
        """Give the mean number of combinations of values that a record could stand for."""
        widths = (shown.hi - shown.lo).astype(float)
        all_values = np.array([float(a.taxonomy.n) for a in shown.attributes])
        with np.errstate(over="ignore"):
            total = float(widths.prod(axis=1) @ shown.weights)
            if shown.suppressed_weight:
                total += float(all_values.prod()) * shown.suppressed_weight
        mean = total / (shown.total_weight or 1.0)
        return {"combinations": min(mean, sys.float_info.max)}
