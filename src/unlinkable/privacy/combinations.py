"""Combinations: groups as they look to somebody who knows any few of their columns.

All combinations of a few columns are looked at, and hardly one is formed: see
`unlinkable.kernels.combinations`.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.groups import Groups, Histogram, number_rows
from unlinkable.kernels.combinations import look_from
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["Looked", "look"]

_NOWHERE = 1 << 62
"""No cell has so many people."""


@define(eq=False, frozen=True)
class Looked:
    """What was found on all combinations of columns.

    Attributes
    ----------
    is_kept
        Whether no combination breaks the bounds.
    good
        By group: whether it is part of no combination that breaks them.
    fewest, few_at, few_on
        The fewest people that agree on a combination, one of their groups, and the columns.
    share, share_at, share_on
        The largest share of a value, where it is, and on which columns.
    n_weighed
        How many sets of records were weighed.
    """

    is_kept: bool
    good: BoolArray
    fewest: int
    few_at: int
    few_on: Columns
    share: Fraction
    share_at: int
    share_on: Columns
    n_weighed: int


@define(eq=False, frozen=True)
class _Rows:
    """Groups, taken apart by the values that are bounded: see `unlinkable.kernels.cells`."""

    group: CodeArray
    sizes: CountArray
    values: CodeArray
    owner_ends: CountArray
    owners: CodeArray


def look(
    groups: Groups,
    at_most: int,
    k: int,
    most: Fraction = Fraction(1),
    hidden: Histogram | None = None,
    is_bounded: BoolArray | None = None,
    *,
    for_worst: bool = False,
    stops: bool = False,
) -> Looked:
    """Look at the groups on every combination of at most so many columns.

    Parameters
    ----------
    groups
        At least one group.
    at_most
        Columns that are known at once. Combinations of fewer are unions of these.
    k
        The fewest people that a combination may have.
    most
        The largest share that a value may have.
    hidden, is_bounded
        How often each value occurs in each group, and which codes are bounded.
    for_worst
        Whether to find the fewest people and the largest share, and not only what breaks the
        bounds.
    stops
        Whether to stop at the first combination that breaks them.
    """
    wide = min(at_most, len(groups.columns))
    varying = _varying(groups.keys)
    # With a column of one value, a combination is no finer than without it.
    length = min(wide, varying.size)
    least = max(wide - (len(groups.columns) - varying.size), 0)
    rows = _rows(groups, hidden, is_bounded)
    codes, rests = _codes(groups.keys, varying, rows.group)
    n_codes = codes.max(axis=1, initial=0).astype(np.int64) + 1
    p, q = _largest_below(most, int(groups.sizes.sum())).as_integer_ratio()
    good = np.ones(rows.group.size, bool)
    found = np.array([_NOWHERE, 0, 0, 1, 0, 0, 0] if for_worst else [0, 0, 1, 1, 0, 0, 0])
    places = np.full((2, length), -1, np.int64)
    tries = np.zeros((length + 1, varying.size + 1, 2), np.int64)
    weights = rows.sizes, rows.values, rows.owner_ends, rows.owners
    bounds = length, least, k, p, q, stops
    for first in range(max(min(varying.size - least + 1, varying.size), 1)):
        look_from(first, codes, rests, n_codes, weights, bounds, good, found, places, tries)
        if stops and found[5]:
            break
    fewest, few_at, peak, records, share_at, is_broken, n_weighed = found.tolist()
    by_group = np.ones(len(groups), bool)
    by_group[rows.group[~good]] = False
    few_on, share_on = (
        tuple(c for j, c in enumerate(groups.columns) if j in varying[place[place >= 0]])
        for place in places
    )
    return Looked(
        is_kept=not is_broken,
        good=by_group,
        fewest=fewest,
        few_at=int(rows.group[few_at]),
        few_on=few_on,
        share=Fraction(peak, records),
        share_at=int(rows.group[share_at]),
        share_on=share_on,
        n_weighed=n_weighed,
    )


def _varying(keys: CodeArray) -> CountArray:
    """Give the columns that have several values, those with many values first.

    What is left for later columns is then coarse, and whole branches need no look.
    """
    n_distinct = np.array([number_rows(keys[:, [j]])[1].size for j in range(keys.shape[1])])
    order = np.argsort(-n_distinct, kind="stable")
    return order[n_distinct[order] > 1]


def _rows(groups: Groups, hidden: Histogram | None, is_bounded: BoolArray | None) -> _Rows:
    group, values, counts = np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int64)
    if hidden is not None:
        marked = np.ones(hidden.n_values, bool) if is_bounded is None else is_bounded
        entries = np.flatnonzero(marked[hidden.values])
        number = np.cumsum(marked, dtype=np.int32)
        group, values = hidden.row[entries], number[hidden.values[entries]]
        counts = hidden.counts[entries]
    others = groups.sizes - np.bincount(group, counts, len(groups)).astype(np.int64)
    rest = np.flatnonzero(others).astype(np.int32)
    group = np.concatenate([group, rest])
    order = np.argsort(group, kind="stable")
    group = group[order]
    owner_ends = np.zeros(group.size + 1, np.int64)
    owners = np.empty(0, np.int32)
    if groups.owner is not None:
        people = groups.histograms[groups.owner,]
        is_first = np.diff(group, prepend=-1) > 0
        owner_ends[1:] = np.cumsum(np.where(is_first, people.distinct[group], 0))
        owners = people.values
    return _Rows(
        group=group,
        sizes=np.concatenate([counts, others[rest]])[order],
        values=np.concatenate([values, np.zeros(rest.size, np.int32)])[order],
        owner_ends=owner_ends,
        owners=owners,
    )


def _codes(keys: CodeArray, columns: CountArray, group: CodeArray) -> tuple[CodeArray, CodeArray]:
    """Give the codes of every row by column, and number what is left from each column on."""
    codes = np.ascontiguousarray(keys[:, columns].T)
    rests = np.zeros_like(codes)
    rest = np.zeros(len(keys), np.int32)
    for j in range(len(columns) - 1, -1, -1):
        rest, _ = number_rows(np.column_stack([codes[j], rest]))
        rests[j] = rest
    return np.ascontiguousarray(codes[:, group]), np.ascontiguousarray(rests[:, group])


def _largest_below(ratio: Fraction, most: int) -> Fraction:
    """Give the largest fraction up to a ratio whose denominator is at most so much.

    Shares of at most so many records are within the one if and only if they are within the other,
    and products with it fit into 64 bits. The two fractions next to the ratio are convergents of
    its continued fraction, or lie between two of them.

    Examples
    --------
    >>> _largest_below(Fraction(5, 7), 3), _largest_below(Fraction(2, 3), 3)
    (Fraction(2, 3), Fraction(2, 3))
    """
    if ratio.denominator <= most:
        return ratio
    (p, q), (next_p, next_q) = (0, 1), (1, 0)
    n, d = ratio.as_integer_ratio()
    while q + (n // d) * next_q <= most:
        p, q, next_p, next_q = next_p, next_q, p + (n // d) * next_p, q + (n // d) * next_q
        n, d = d, n % d
    steps = (most - q) // next_q
    either = Fraction(p + steps * next_p, q + steps * next_q), Fraction(next_p, next_q)
    return max(x for x in either if x <= ratio)
