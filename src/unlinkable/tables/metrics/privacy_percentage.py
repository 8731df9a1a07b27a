"""Privacy percentage: how much of the quasi-identifier shows nothing at all.

References
----------
.. [1] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Equation 4.1, sections 4.3 and 4.4.1.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.params import Choice
from unlinkable.tables.metrics.base.grouped import GroupMetric
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["Hidden", "PrivacyPercentage"]


class Hidden(Choice, noun="thing to count"):
    """What is counted of a release that shows nothing."""

    CELLS = "cells"
    """Cells that show the root, out of all cells of the quasi-identifier."""
    ATTRIBUTES = "attributes"
    """Columns that show the root in every record, out of all columns of the quasi-identifier."""
    RECORDS = "records"
    """Records that show the root in every column, out of all records."""


@frozen
class PrivacyPercentage(GroupMetric):
    r"""The percentage of the quasi-identifier that is generalized to the top.

    :math:`100 \cdot` suppressed values / quasi-identifier values: a cell is suppressed if it shows
    all of the two or more values that its attribute has. A suppressed record counts as suppressed
    on every attribute. The thesis' equation divides by the number of quasi-identifiers, and its
    text counts columns in one place and records in another; only cells give a percentage that grows
    smoothly with k. The details give the percentage of the cells of every column. Cells count by
    the weights of their records; all columns count alike.

    The thesis calls it privacy, and weighs it against utility: the more is hidden, the safer. Here
    it is a loss like all others, since what is hidden is of no use: less is better. It does not say
    that anybody is safe: a release may hide nine cells of ten, and single out everybody with the
    tenth.

    Parameters
    ----------
    count
        What is counted. ``cells`` that show the root. ``attributes`` that show it in every record.
        ``records`` that show it in every column.

    Range
    -----
    From 0, nothing shows the root, to 100, nothing but roots is shown. A column of one value hides
    nothing when it is published, whatever it is called: it counts only where records are
    suppressed.

    Guides a search
    ---------------
    The percentage never falls: a cell that shows the root shows it still when its group is merged
    or left out.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import Attribute, observe
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> sex = Attribute("sex", Flat().build(observe("sex", ["f", "m"])))
    >>> lo, hi = np.array([[0, 0], [0, 0]]), np.array([[1, 2], [2, 2]])
    >>> shown = Shown((sex, sex), lo, hi, np.array([1, 3]), np.array([1.0, 3.0]))
    >>> PrivacyPercentage().value(shown)  # the second column, and 3 of 4 cells of the first
    87.5
    >>> PrivacyPercentage("attributes").value(shown), PrivacyPercentage("records").value(shown)
    (50.0, 75.0)
    """

    name: ClassVar[str] = "privacy-percentage"
    reference: ClassVar[str] = "Babu 2013"
    bounds: ClassVar[tuple[float, float | None]] = (0.0, 100.0)
    monotone: ClassVar[bool] = True
    boxes_suffice: ClassVar[bool] = True

    count: Hidden = field(default=Hidden.CELLS, converter=Hidden)

    def value(self, shown: Shown) -> float:
        if not shown.attributes or not shown.n_records:
            return 0.0
        match self.count:
            case Hidden.CELLS:
                return 100 * float(_shares(shown).mean())
            case Hidden.ATTRIBUTES:
                return 100 * float(_at_top(shown)[shown.sizes > 0].all(axis=0).mean())
            case Hidden.RECORDS:
                hidden = float(shown.weights[_at_top(shown).all(axis=1)].sum())
                return 100 * (hidden + shown.suppressed_weight) / shown.total_weight

    def details(self, shown: Shown) -> dict[str, float]:
        """Give the percentage of the cells of each attribute that show the root."""
        percents = (100 * _shares(shown)).tolist()
        return {a.name: percent for a, percent in zip(shown.attributes, percents, strict=True)}


def _shares(shown: Shown) -> FloatArray:
    """Measure how much of every attribute shows the root or is suppressed."""
    hidden = shown.weights @ _at_top(shown) + shown.suppressed_weight
    share: FloatArray = hidden / (shown.total_weight or 1.0)
    return share


def _at_top(shown: Shown) -> BoolArray:
    """Find which cells of which groups show all of two or more values."""
    n = np.array([a.taxonomy.n for a in shown.attributes], np.int64)
    is_top: BoolArray = (shown.hi - shown.lo == n) & (n > 1)
    return is_top
