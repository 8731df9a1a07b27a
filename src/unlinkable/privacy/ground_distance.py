"""The earth mover's distance: the work of turning one distribution into another.

The work is the mass that is moved times how far. How far apart two values are is the *ground
distance*; with each of the three that are used here, the least work has a closed form [1]_.

References
----------
.. [1] N. Li, T. Li, S. Venkatasubramanian. "t-closeness: privacy beyond k-anonymity and
   l-diversity." ICDE 2007. Section 4.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import DTypeLike, NDArray

from unlinkable.errors import ParameterError, SchemaError, unknown
from unlinkable.groups import Histogram
from unlinkable.kernels import emd
from unlinkable.kernels.tallies import sum_by_label
from unlinkable.privacy.ratios import is_within
from unlinkable.table.taxonomy import Taxonomy
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["GroundDistance", "are_within", "distances"]

_WIDEST = 1 << 62
"""Amounts of work up to this are added up as 64-bit integers."""

_CLOSE = 1e-9
"""Floats decide what is further than this from the bound."""


class GroundDistance(StrEnum):
    """How far apart two sensitive values are, from 0 to 1.

    A missing value has no place in an order, and in a taxonomy it stands directly under the root:
    its distance from every other value is 1, whatever the ground distance.
    """

    EQUAL = "equal"
    """Any two values are 1 apart."""
    ORDERED = "ordered"
    """The distance of their places among the m values that occur in the table, out of m - 1."""
    HIERARCHICAL = "hierarchical"
    """The height of the least common node of the taxonomy, out of the height of the root."""

    @classmethod
    def _missing_(cls, value: object) -> GroundDistance:
        raise ParameterError(unknown("ground distance", value, cls))


@define(eq=False, frozen=True)
class _Work:
    """The distance of group g is ``amounts[g]`` out of ``unit`` for each of its records."""

    amounts: NDArray[Any]
    unit: int


def distances(
    hidden: Histogram, sizes: CountArray, whole: CountArray, ground: GroundDistance
) -> FloatArray:
    """Measure how far each group of these sizes is from the whole table."""
    work = _work(hidden, whole, ground, _dtype(hidden, sizes, whole))
    far: FloatArray = work.amounts / np.maximum(sizes * float(work.unit), 1.0)
    return far


def are_within(
    hidden: Histogram,
    sizes: CountArray,
    whole: CountArray,
    ground: GroundDistance,
    bound: Fraction,
) -> BoolArray:
    """Decide exactly which groups are at most ``bound`` from the whole table.

    The amounts of work are whole numbers of at most 2 m n N for m values, n records in the group
    and N in the table. Up to 2^62, which a table of a billion records with two values reaches, they
    are computed as such. Above, floats decide what is clear and Python's integers what is close.
    """
    dtype = _dtype(hidden, sizes, whole)
    if dtype is np.int64:
        work = _work(hidden, whole, ground, dtype)
        return is_within(work.amounts, bound * work.unit, sizes)
    gap = distances(hidden, sizes, whole, ground) - float(bound)
    good = gap < 0
    close = np.abs(gap) <= _CLOSE
    if close.any():
        work = _work(hidden.select(close), whole, ground, object)
        good[close] = is_within(work.amounts, bound * work.unit, sizes[close])
    return good


def _dtype(hidden: Histogram, sizes: CountArray, whole: CountArray) -> type[np.int64 | np.float64]:
    height = hidden.taxonomy.height if hidden.taxonomy else 1
    steps = 2 * max(whole.size, height) + 2
    most = steps * int(sizes.max(initial=1)) * int(whole.sum())
    return np.int64 if most < _WIDEST else np.float64


def _work(hidden: Histogram, whole: CountArray, ground: GroundDistance, dtype: DTypeLike) -> _Work:
    match ground:
        case GroundDistance.EQUAL:
            return _equal(hidden, whole, dtype)
        case GroundDistance.ORDERED:
            return _ordered(hidden, whole, dtype)
        case GroundDistance.HIERARCHICAL:
            return _hierarchical(hidden, whole, dtype)


def _equal(hidden: Histogram, whole: CountArray, dtype: DTypeLike) -> _Work:
    run = emd.surplus_of_any_size if dtype is object else emd.surplus
    total, counts = _number(whole.sum(), dtype), hidden.counts.astype(dtype, copy=False)
    amounts = run(hidden.indptr, hidden.values, counts, whole.astype(dtype, copy=False), total)
    return _Work(amounts, int(whole.sum()))


def _hierarchical(hidden: Histogram, whole: CountArray, dtype: DTypeLike) -> _Work:
    """Every node but the root is carried its surplus one level up, and from there down.

    The way between two values is as many levels up as down, so half the way is counted: the mean
    over the levels below the root of the distance with equal ground distance.
    """
    run = emd.surplus_of_any_size if dtype is object else emd.surplus
    total, counts = _number(whole.sum(), dtype), hidden.counts.astype(dtype, copy=False)
    taxonomy = _taxonomy(hidden)
    amounts = np.zeros(hidden.n_groups, dtype)
    for level in taxonomy.levels[:-1]:
        there = sum_by_label(whole, level.blocks, level.n_nodes).astype(dtype, copy=False)
        amounts += run(hidden.indptr, level.blocks[hidden.values], counts, there, total)
    return _Work(amounts, int(whole.sum()) * max(taxonomy.height, 1))


def _ordered(hidden: Histogram, whole: CountArray, dtype: DTypeLike) -> _Work:
    occurs = whole > 0
    rank = np.cumsum(occurs) - 1
    # Ranks are multiplied with amounts, so they must not be smaller numbers than these.
    ranks = rank.astype(object if dtype is object else np.int64)[hidden.values]
    rows = hidden.indptr, ranks, hidden.counts.astype(dtype, copy=False)
    there, total = whole[occurs].astype(dtype, copy=False), _number(whole.sum(), dtype)
    missing = _taxonomy(hidden).domain.missing
    if missing >= 0 and occurs[missing]:
        by_heap = emd.steps_with_missing_of_any_size if dtype is object else emd.steps_with_missing
        amounts = by_heap(*rows, there, total)
        return _Work(amounts, int(whole.sum()) * max(there.size - 2, 1))
    by_search = emd.steps_of_any_size if dtype is object else emd.steps
    below = np.cumsum(there)
    area = np.append(np.zeros(1, dtype), np.cumsum(below))
    amounts = by_search(*rows, below, area, total)
    return _Work(amounts, int(whole.sum()) * max(there.size - 1, 1))


def _taxonomy(hidden: Histogram) -> Taxonomy:
    if hidden.taxonomy is None:
        raise SchemaError(
            "several columns that are counted together have neither an order nor a taxonomy: "
            "use the equal ground distance"
        )
    return hidden.taxonomy


def _number(count: np.int64, dtype: DTypeLike) -> float | int:
    return float(count) if dtype is np.float64 else int(count)
