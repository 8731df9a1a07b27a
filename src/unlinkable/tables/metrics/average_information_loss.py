"""Average information loss: the shares of the attributes that a record's values cover, added up.

References
----------
.. [1] J.-W. Byun, T. Li, E. Bertino, N. Li, Y. Sohn. "Privacy-preserving incremental data
   dissemination." Journal of Computer Security 17(1), 2009. Section 6.1.2, definition 4.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.tables.metrics.base.grouped import CellMetric
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.tables.metrics.shared.extent import lengths
from unlinkable.tables.taxonomies import Kind, Taxonomy
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["AverageInformationLoss"]


@frozen
class AverageInformationLoss(CellMetric):
    r"""How much of every attribute a record's values cover, added up over the attributes.

    A group :math:`e` loses :math:`IL(e) = |e| \sum_j |G_j| / |D_j|`, and a table
    :math:`\sum_e IL(e) / |T|`. For numbers and dates, :math:`|G_j|` is the length of the published
    range, from the first value that it covers to the last one, and :math:`|D_j|` that of the
    attribute. For categories they are the number of values that are covered, and that there are:
    the paper gives the length of an interval as an example, and counting categories is our reading.

    A single number loses nothing, but a single category 1 of :math:`|D_j|`: the paper's formula is
    kept as it is. Missing values are values of their own: one by itself loses nothing beside
    numbers, and a range that holds missing values beside others all of the attribute. A suppressed
    record loses all of every attribute, of which the paper says nothing. Records count by their
    weights, and attributes by their importance: with importance :math:`w_j`, each share counts
    :math:`w_j` over the mean of all :math:`w_j`.

    Range
    -----
    From 0, all values are published as they were and none is a category, to the number of
    attributes, all are roots or left out. A category that is published as it was still costs one of
    all categories; a column of one number loses nothing unless it is suppressed.

    Guides a search
    ---------------
    The loss never falls: a range that grows covers no less, and a suppressed record loses all.

    Examples
    --------
    >>> import numpy as np
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> loss = AverageInformationLoss()
    >>> ages = Flat().build(observe("age", [20, 21, 40]))
    >>> loss.cells(ages, np.array([0, 0, 0]), np.array([1, 2, 3])).tolist()
    [0.0, 0.05, 1.0]
    >>> blood = Flat().build(observe("blood", ["0", "A", "B", "AB"]))
    >>> loss.cells(blood, np.array([0, 0, 0]), np.array([1, 2, 4])).tolist()
    [0.25, 0.5, 1.0]
    """

    name: ClassVar[str] = "average-information-loss"
    charges_values: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    reference: ClassVar[str] = "Byun et al. 2009"

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        if taxonomy.domain.kind is not Kind.CATEGORY:
            return lengths(taxonomy.domain, lo, hi)
        share: FloatArray = (hi - lo) / taxonomy.n
        return share

    def scale(self, shown: Shown) -> float:
        """Add the attributes up instead of taking their mean."""
        return float(len(shown.attributes))
