"""Normalized certainty penalty: the share of an attribute that a published value covers.

References
----------
.. [1] J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu. "Utility-based anonymization using
   local recoding." KDD 2006. Section 3, weighted certainty penalty.
.. [2] G. Ghinita, P. Karras, P. Kalnis, N. Mamoulis. "Fast data anonymization with low information
   loss." VLDB 2007. Section 2.2, global certainty penalty.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.tables.metrics.base.grouped import CellMetric
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.tables.metrics.shared.extent import Extent, lengths
from unlinkable.tables.taxonomies import Kind, Taxonomy
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["NormalizedCertaintyPenalty"]


@frozen
class NormalizedCertaintyPenalty(CellMetric):
    r"""How many values a published value could stand for, out of all; nothing for a single one.

    A cell that covers :math:`w` of the attribute's :math:`n` values loses 0 if :math:`w = 1`, else
    :math:`w / n`. A suppressed record loses 1 on every attribute, as one that shows only roots
    does. The penalty of a record is the mean over its cells by the importance of their attributes
    (`by_group`), that of an attribute the mean over the records (`by_attribute`), and that of a
    table the mean over both: the global certainty penalty (GCP).

    Parameters
    ----------
    numbers
        How ranges of numbers and dates are measured. ``count``: by how many of the values that
        occur are covered, as categories are; a value that few records have then counts as much as
        one that many have, and outliers matter little. ``length``: by how far the last value
        covered is from the first one, out of the length of the attribute, as in the paper.

    Range
    -----
    From 0, all values are published as they were, to 1, all are roots or left out. A column of one
    value loses nothing unless it is suppressed.

    Guides a search
    ---------------
    The loss never falls: a range that grows covers no less, and a suppressed record loses all.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> loss = NormalizedCertaintyPenalty()
    >>> taxonomy = Flat().build(observe("blood", ["0", "A", "B", "AB"]))
    >>> loss.cells(taxonomy, np.array([0, 0, 0]), np.array([1, 2, 4])).tolist()
    [0.0, 0.5, 1.0]
    >>> ages = Flat().build(observe("age", [20, 21, 40, 60]))
    >>> loss.cells(ages, np.array([0]), np.array([2])).tolist()
    [0.5]
    >>> paper = NormalizedCertaintyPenalty(Extent.LENGTH)
    >>> paper.cells(ages, np.array([0]), np.array([2])).tolist()
    [0.025]
    """

    name: ClassVar[str] = "normalized-certainty-penalty"
    reference: ClassVar[str] = "Xu et al. 2006"

    numbers: Extent = field(default=Extent.COUNT, converter=Extent)

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        if self.numbers is Extent.LENGTH and taxonomy.domain.kind is not Kind.CATEGORY:
            return lengths(taxonomy.domain, lo, hi)
        width = hi - lo
        return np.where(width > 1, width / max(taxonomy.n, 1), 0.0)

    def by_group(self, shown: Shown) -> FloatArray:
        """Measure the penalty of a record of every group; that of a suppressed one is 1."""
        penalty = np.zeros(len(shown.sizes))
        for j, attribute in enumerate(shown.attributes):
            cells = self.cells(attribute.taxonomy, shown.lo[:, j], shown.hi[:, j])
            penalty += shown.importance[j] * cells
        return penalty
