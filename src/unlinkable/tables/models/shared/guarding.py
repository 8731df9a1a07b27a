"""Guarding nodes: what of a sensitive column each person wants guarded, and how well it is.

A guard is a node of the taxonomy of the sensitive column, by its label, or one of its values. In
a group it is breached as far as the values under it are likely: each by itself, or all together. A
published value may be a node as well, and then stands for all values under it alike.
"""

from __future__ import annotations

import math
from typing import Any, Self, TypeAlias

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.params import Choice
from unlinkable.tables.groups import Histogram, number_rows
from unlinkable.tables.taxonomies import Domain, Taxonomy, read_range
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Breaches", "GuardReading", "breaches"]

Integers: TypeAlias = NDArray[Any]
"""Whole numbers, of 64 bits or, where these do not do, Python's own."""

_WIDEST = 1 << 62
"""No sum of 64-bit integers may reach this."""


class GuardReading(Choice, noun="reading"):
    """What must not be inferred of somebody who guards a node."""

    LEAF = "leaf"
    """Any single value under the node: that it is one of them may be known."""
    SUBTREE = "subtree"
    """That it is one of the values under the node."""


@define(eq=False, frozen=True)
class Breaches:
    """How likely what is guarded is, for every guard in every group.

    Attributes
    ----------
    group
        The group.
    amounts, wholes
        The probability as a ratio of two whole numbers.
    """

    group: CodeArray
    amounts: Integers
    wholes: Integers


def breaches(
    hidden: Histogram, guarded: Histogram, reading: GuardReading, columns: tuple[str, str]
) -> Breaches:
    """Find how likely each guarded node is in its group.

    Parameters
    ----------
    hidden
        The sensitive values of each group.
    guarded
        The sensitive values and guards of each group, counted together.
    reading
        What must not be inferred.
    columns
        The names of the sensitive column and of the guards.

    Raises
    ------
    DataError
        If a guard is no node of the taxonomy.
    """
    (taxonomy, _), (guards, wanted) = guarded.parts
    lo, hi = _nodes(taxonomy, guards.domain, wanted, columns)
    guard = wanted[guarded.values]
    at = np.flatnonzero(hi[guard] > lo[guard])
    _, first = number_rows(np.column_stack([guarded.row[at], guard[at]]))
    group, guard = guarded.row[at[first]], guard[at[first]]
    leaves = _Leaves.of(hidden, taxonomy)
    amounts = leaves.under(group, lo[guard], hi[guard], reading)
    records = hidden.reduce(np.add, hidden.counts)[group]
    return Breaches(group, amounts, records.astype(amounts.dtype) * leaves.unit)


def _nodes(
    taxonomy: Taxonomy, guards: Domain, wanted: CodeArray, columns: tuple[str, str]
) -> tuple[CodeArray, CodeArray]:
    """Find for every guard the values under it; none for those who guard nothing."""
    lo, hi = np.zeros(guards.n, np.int32), np.zeros(guards.n, np.int32)
    strange = 0
    for code in np.unique(wanted).tolist():
        if not (text := guards.text(code)):
            continue
        try:
            lo[code], hi[code] = read_range(taxonomy, text)
        except DataError:
            strange += 1
            continue
        wide = taxonomy.widen(lo[[code]], hi[[code]])
        strange += (int(wide[0][0]), int(wide[1][0])) != (lo[code], hi[code])
    if strange:
        raise DataError(
            f"{strange} of the guards in column {columns[1]!r} are no nodes of the taxonomy of "
            f"{columns[0]!r}: write a value or a label of the taxonomy, or nothing for somebody "
            "who guards nothing"
        )
    return lo, hi


@define(eq=False, frozen=True)
class _Leaves:
    """How much of each group has each leaf, in fractions of a record.

    Attributes
    ----------
    keys
        Group times number of leaves, plus leaf; rising.
    amounts
        How many parts of a record have it.
    unit
        So many parts are a record.
    n
        Number of leaves.
    """

    keys: CountArray
    amounts: Integers
    unit: int
    n: int

    @classmethod
    def of(cls, hidden: Histogram, taxonomy: Taxonomy) -> Self:
        """Hand out every published value to the leaves that it stands for."""
        meant = _meant(taxonomy, hidden.values)
        unit = math.lcm(1, *(leaves.size for leaves in meant.values()))
        is_wide = int(hidden.counts.sum()) * unit >= _WIDEST
        counts = hidden.counts.astype(object) if is_wide else hidden.counts
        base = hidden.row.astype(np.int64) * taxonomy.n
        if not meant:
            return cls(base + hidden.values, counts, unit, taxonomy.n)
        plain = np.flatnonzero(~np.isin(hidden.values, list(meant)))
        keys, amounts = [base[plain] + hidden.values[plain]], [counts[plain] * unit]
        for code, leaves in meant.items():
            at = np.flatnonzero(hidden.values == code)
            keys.append((base[at, None] + leaves).ravel())
            amounts.append(np.repeat(counts[at] * (unit // leaves.size), leaves.size))
        found, inverse = np.unique(np.concatenate(keys), return_inverse=True)
        total = np.zeros(found.size, counts.dtype)
        np.add.at(total, inverse, np.concatenate(amounts))
        return cls(found, total, unit, taxonomy.n)

    def under(
        self, group: CodeArray, lo: CodeArray, hi: CodeArray, reading: GuardReading
    ) -> Integers:
        """Give what each group has of the leaves in a range: of all, or the most of one."""
        base = group.astype(np.int64) * self.n
        start, end = np.searchsorted(self.keys, base + lo), np.searchsorted(self.keys, base + hi)
        if reading is GuardReading.SUBTREE:
            before: Integers = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.amounts)])
            total: Integers = before[end] - before[start]
            return total
        out = np.zeros(group.size, self.amounts.dtype)
        filled = end > start
        ends = np.column_stack([start[filled], end[filled]]).ravel()
        if ends.size:
            out[filled] = np.maximum.reduceat(np.append(self.amounts, 0), ends)[::2]
        return out


def _width(taxonomy: Taxonomy, label: str) -> int:
    lo, hi = read_range(taxonomy, label)
    return hi - lo


def _meant(taxonomy: Taxonomy, codes: CodeArray) -> dict[int, CodeArray]:
    """Give the leaves that published nodes stand for; values that stand for themselves are none."""
    domain = taxonomy.domain
    labels = {taxonomy.root, *taxonomy.named}
    known = {code: label for label in labels if (code := domain.code_of(label)) >= 0}
    # The label of a single value means that value: padding repeats it on every level.
    nodes = {code for code, label in known.items() if _width(taxonomy, label) > 1}
    found = {}
    for code in sorted(nodes):
        lo, hi = read_range(taxonomy, domain.text(code))
        leaves = np.array([c for c in range(lo, hi) if c not in nodes], np.int32)
        if leaves.size and (codes == code).any():
            found[code] = leaves
    return found
