"""Nodes: what decides whether records of different releases match.

Two values of a column match if one is the other or stands above it in the taxonomy: then their
ranges of codes overlap. Records match if their values do on every column that both releases have,
and no rule says that what the one shows excludes what the other shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.shared.overlaps import Boxes, Overlaps, Ranges
from unlinkable.tables.groups import number_rows
from unlinkable.typing import CodeArray, CountArray

__all__ = ["MOST_PAIRS", "Nodes", "match", "match_all"]

MOST_PAIRS = 50_000_000
"""More pairs than this are never held at once."""


@define(eq=False, frozen=True)
class Nodes:
    """What records show on the columns by which they are matched.

    Attributes
    ----------
    lo, hi
        A row for each, with the range of codes on every column that several releases have; all
        codes where a release does not have it.
    first, second
        As bits, the rules whose first and whose second value it shows.
    """

    lo: CodeArray
    hi: CodeArray
    first: CountArray
    second: CountArray

    def __len__(self) -> int:
        return len(self.lo)

    def take(self, which: CodeArray | CountArray) -> Self:
        """Keep some, in this order."""
        return type(self)(self.lo[which], self.hi[which], self.first[which], self.second[which])

    def meet(self, other: Self) -> Self:
        """Give what each of these and the one beside it show together."""
        return type(self)(
            np.maximum(self.lo, other.lo),
            np.minimum(self.hi, other.hi),
            self.first | other.first,
            self.second | other.second,
        )

    def distinct(self) -> tuple[CodeArray, CountArray]:
        """Number equal ones, and tell where each number appears first."""
        bits = [_narrow(self.first), _narrow(self.second)]
        return number_rows(np.column_stack([self.lo, self.hi, *bits]))

    def boxes(self) -> Boxes:
        """Give the ranges, column by column."""
        columns: list[Ranges] = []
        for j in range(self.lo.shape[1]):
            pairs = np.column_stack([self.lo[:, j], self.hi[:, j]])
            numbers, at = number_rows(pairs)
            columns.append((numbers, pairs[at]))
        return Boxes(len(self), tuple(columns))


def match(
    one: Nodes, other: Nodes, sizes: tuple[int, ...], most: int = MOST_PAIRS
) -> tuple[CountArray, CodeArray]:
    """List for every node those of another release that match it.

    Parameters
    ----------
    one, other
        The nodes.
    sizes
        How many codes each column has.
    most
        How many pairs there may be.

    Raises
    ------
    UnsupportedError
        If there are more.
    """
    overlaps = Overlaps(one.boxes(), other.boxes(), sizes)
    if sizes:
        ones = np.ones(len(one), np.int64), np.ones(len(other), np.int64)
        n_met = overlaps.sums(*ones)[2]
    else:
        n_met = np.full(len(one), len(other), np.int64)
    if int(n_met.sum()) > most:
        raise UnsupportedError(
            f"{int(n_met.sum()):,} pairs of what two releases show match, and {most:,} are counted "
            "at most: the releases have too little in common, leave out columns that are not needed"
        )
    if sizes:
        indptr, found = overlaps.pairs(n_met)
    else:
        indptr = np.append(0, np.cumsum(n_met)).astype(np.int64)
        found = np.tile(np.arange(len(other), dtype=np.int32), len(one))
    return _without_opposites(one, other, indptr, found)


def match_all(releases: Sequence[Nodes], sizes: tuple[int, ...]) -> tuple[Nodes, CodeArray]:
    """List the nodes of all releases that match each other, one of each release.

    Ranges that overlap two by two have a code in common, so it is enough to keep what all of them
    have in common. Returns that, and which nodes they are.
    """
    together = releases[0]
    which = np.arange(len(together), dtype=np.int32)[:, None]
    for other in releases[1:]:
        indptr, found = match(together, other, sizes)
        rows = np.repeat(np.arange(len(together)), np.diff(indptr))
        together = together.take(rows).meet(other.take(found))
        which = np.column_stack([which[rows], found])
    return together, which


def _without_opposites(
    one: Nodes, other: Nodes, indptr: CountArray, found: CodeArray
) -> tuple[CountArray, CodeArray]:
    """Leave out the pairs that a rule excludes."""
    if not (one.first.any() or one.second.any()):
        return indptr, found
    rows = np.repeat(np.arange(len(one)), np.diff(indptr))
    clash = (one.first[rows] & other.second[found]) | (one.second[rows] & other.first[found])
    kept = clash == 0
    n_kept = np.bincount(rows[kept], minlength=len(one))
    return np.append(0, np.cumsum(n_kept)).astype(np.int64), found[kept]


def _narrow(bits: CountArray) -> CodeArray:
    """Number the different sets of rules."""
    return np.unique(bits, return_inverse=True)[1].astype(np.int32).ravel()
