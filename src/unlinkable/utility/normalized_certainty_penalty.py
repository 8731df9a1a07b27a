"""Normalized certainty penalty: the share of an attribute that a published value covers.

References
----------
.. [1] J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu. "Utility-based anonymization using
   local recoding." KDD 2006.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from unlinkable.table.taxonomy import Taxonomy
from unlinkable.typing import CodeArray, FloatArray
from unlinkable.utility.base import CellMetric

__all__ = ["NormalizedCertaintyPenalty"]


@frozen
class NormalizedCertaintyPenalty(CellMetric):
    r"""How many values a published value could stand for, out of all; nothing for a single one.

    A cell that covers :math:`w` of the attribute's :math:`n` values loses 0 if :math:`w = 1`, else
    :math:`w / n`. A suppressed record loses 1 on every attribute, as one that shows only roots
    does. The mean over the cells of a table is also known as the global certainty penalty. Numbers
    count by how many of their values are covered, as categories do, not by how long the interval
    is.

    Range
    -----
    From 0, all values are published as they were, to 1, all are roots or left out.

    Examples
    --------
    >>> import numpy as np
    >>> from unlinkable.table import Flat, observe
    >>> taxonomy = Flat().build(observe("blood", ["0", "A", "B", "AB"]))
    >>> loss = NormalizedCertaintyPenalty()
    >>> loss.cells(taxonomy, np.array([0, 0, 0]), np.array([1, 2, 4])).tolist()
    [0.0, 0.5, 1.0]
    """

    name: ClassVar[str] = "normalized-certainty-penalty"
    reference: ClassVar[str] = "Xu et al. 2006"

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        width = hi - lo
        return np.where(width > 1, width / max(taxonomy.n, 1), 0.0)
