"""Distinctive attribute: which column distinguishes records by the most values.

A search that coarsens one column at a time may take that one next [1]_.

References
----------
.. [1] L. Sweeney. "Datafly: a system for providing anonymity in medical data." IFIP TC11 WG11.3,
   1998. Section 4.1.4, DA, in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data
   Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from unlinkable.errors import UnsupportedError
from unlinkable.tables.groups import number_rows
from unlinkable.tables.metrics.base.grouped import GroupMetric
from unlinkable.tables.metrics.base.shown import Shown

__all__ = ["DistinctiveAttribute"]


@frozen
class DistinctiveAttribute(GroupMetric):
    """The number of different values that the column with the most of them shows.

    Values are ranges as they are published: two records show the same if their ranges are equal. In
    the literature it is no measure of a release, but a rule for a search: the column with the most
    values is generalized next (`next_attribute`). As a measure it says how much detail is left in
    the column with the most, and nothing of the others or of how records are spread over the
    values. The details give the number for every column. Weights do not matter.

    Range
    -----
    From 1, all records show the same, upwards: where every column shows one level of its taxonomy,
    to the number of values of the column with the most; where ranges are chosen group by group, to
    the number of groups. 0 if nothing is published. More is better: more detail is left.

    Guides a search
    ---------------
    Not by pruning: where ranges are chosen group by group, merging groups can add a value. Four
    records show a, a, b and b; if the second and the third are put together, three values are
    shown: a, {a, b} and b. Where every column shows one level of its taxonomy, the number never
    rises.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.groups import Partition
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"job": ["cook", "clerk", "cook", "nurse"], "sex": ["f", "f", "m", "m"]},
    ...     quasi=["job", "sex"])
    >>> shown = Shown.of(Partition.at_levels(count(staff).finest, staff.attributes, [0, 0]),
    ...     staff.attributes)
    >>> DistinctiveAttribute().details(shown), DistinctiveAttribute().next_attribute(shown)
    ({'job': 3.0, 'sex': 2.0}, 'job')
    """

    name: ClassVar[str] = "distinctive-attribute"
    reference: ClassVar[str] = "Sweeney 1998"
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    higher_is_better: ClassVar[bool] = True
    boxes_suffice: ClassVar[bool] = True

    def value(self, shown: Shown) -> float:
        return float(max(_distinct(shown), default=0))

    def details(self, shown: Shown) -> dict[str, float]:
        """Give the number of different values that each attribute shows."""
        numbers = zip(shown.attributes, _distinct(shown), strict=True)
        return {attribute.name: float(n) for attribute, n in numbers}

    def next_attribute(self, shown: Shown) -> str:
        """Name the column with the most values, the first of them if there are several.

        Raises
        ------
        UnsupportedError
            If there is no quasi-identifying column.
        """
        if not shown.attributes:
            raise UnsupportedError("there is no quasi-identifying column to generalize")
        distinct = _distinct(shown)
        return shown.attributes[distinct.index(max(distinct))].name


def _distinct(shown: Shown) -> list[int]:
    """Count the different ranges of every attribute in groups that have records."""
    is_there = shown.sizes > 0
    lo, hi = shown.lo[is_there], shown.hi[is_there]
    ranges = (np.column_stack([lo[:, j], hi[:, j]]) for j in range(len(shown.attributes)))
    return [number_rows(pairs)[1].size for pairs in ranges]
