"""Minimal distortion: how many steps the values of a table were generalized.

References
----------
.. [1] P. Samarati. "Protecting respondents' identities in microdata release." IEEE TKDE 13(6),
   2001. Section 4.1.1 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data
   Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from unlinkable.tables.metrics.base.grouped import SummedCellMetric
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["MinimalDistortion"]


@frozen
class MinimalDistortion(SummedCellMetric):
    """One unit for every cell and every step that it goes up in its taxonomy.

    A step is a level at which values of the published range come together; a level that covers no
    more than the one below it costs nothing. A range that is no node of the taxonomy goes as many
    steps as it takes to bring all of it together. A suppressed record goes up the whole height of
    every taxonomy. Units are multiplied with the importance of their attribute as it was given, and
    with the weight of the record.

    Range
    -----
    From 0, all values are published as they were, to the number of records times the sum of the
    heights of the taxonomies, all records are suppressed.

    Guides a search
    ---------------
    The loss never falls: a level at which values of a range come together is one for every wider
    range too, and a suppressed record goes all the way up.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> taxonomy = Flat().build(observe("blood", ["0", "A", "B", "AB"]))
    >>> MinimalDistortion().cells(taxonomy, np.array([0, 0]), np.array([1, 4])).tolist()
    [0.0, 1.0]
    """

    name: ClassVar[str] = "minimal-distortion"
    reference: ClassVar[str] = "Samarati 2001"

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        steps = np.zeros(len(lo))
        n_nodes = hi - lo
        for level in taxonomy.levels[1:]:
            n_above = level.blocks[hi - 1] - level.blocks[lo] + 1
            steps += n_above < n_nodes
            n_nodes = n_above
        return steps

    def suppressed(self, taxonomy: Taxonomy) -> float:
        return float(taxonomy.height)
