"""Choosing: for every region the good cut of the least penalty."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import define

from unlinkable.tables.methods.regions.shared.cuts import Cuts, Penalty
from unlinkable.tables.methods.regions.shared.ground import Ground, Regions
from unlinkable.tables.methods.regions.shared.judging import Judge
from unlinkable.tables.methods.shared.portions import portions
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Choice", "choose_cuts"]

_ROWS = 1 << 18
"""So many rows are sorted at a time, or those of one region."""

_CELLS = 1 << 20
"""So many ranges of halves are measured at a time, or those of one cut."""

_PRECISE = 1 << 42
"""To one part of so many, penalties are told apart."""


@define(eq=False, frozen=True)
class Choice:
    """The cuts that were chosen for regions.

    Attributes
    ----------
    middle
        The first row of the upper half of every region; -1 if no cut is good.
    lower
        Number of records below the cut.
    n_tried
        How many cuts were looked at.
    """

    middle: CountArray
    lower: CountArray
    n_tried: int


def choose_cuts(
    ground: Ground,
    regions: Regions,
    columns: tuple[CountArray, CodeArray],
    judge: Judge,
    penalty: Penalty,
    *,
    strict: bool,
    by_column: bool,
    ties: Penalty | None = None,
    only: Callable[[Cuts], BoolArray] | None = None,
    is_stopped: Callable[[], bool],
) -> Choice:
    """Find for every region the good cut of the least penalty, and move its rows accordingly.

    ``columns`` lists what to try: regions, rising, and a column for each. With ``by_column``, a cut
    on an earlier column is always preferred. Of equal cuts, one on the earliest column is taken,
    and of these the one that ``ties`` makes least, or the lowest. ``only`` marks the cuts that are
    worth being judged. Once the search is stopped, regions that were not looked at stay whole.
    """
    region, column = columns
    best = np.full(len(regions), np.inf)
    chosen = np.full(len(regions), -1, np.int64)
    below, lower = np.zeros((2, len(regions)), np.int64)
    n_tried = 0
    for part in portions((regions.end - regions.start)[region], _ROWS):
        if is_stopped():
            break
        items = region[part], column[part]
        cuts = Cuts.on(ground, regions, *items, least=judge.least, strict=strict)
        cuts = cuts if only is None else cuts.select(np.flatnonzero(only(cuts)))
        n_tried += len(cuts)
        cuts = cuts.select(np.flatnonzero(cuts.kept(judge)))
        first, penalties = _least(cuts, penalty, ties, by_column=by_column)
        item = cuts.item[first]
        owner = cuts.region[item]
        is_better = (chosen[owner] < 0) if by_column else (penalties < best[owner])
        first, item, owner = first[is_better], item[is_better], owner[is_better]
        best[owner], chosen[owner] = penalties[is_better], item + part.start
        below[owner], lower[owner] = cuts.below[first], cuts.lower[first]
    cut = chosen >= 0
    _sort(ground, regions, np.flatnonzero(cut), column[chosen[cut]], strict=strict)
    return Choice(np.where(cut, regions.start + below, -1), lower, n_tried)


def _least(
    cuts: Cuts, penalty: Penalty, ties: Penalty | None, *, by_column: bool
) -> tuple[CountArray, FloatArray]:
    """Choose a cut for each region that has one, and tell its penalty."""
    penalties = np.empty(len(cuts))
    for part in portions(np.full(len(cuts), cuts.n_columns), _CELLS):
        penalties[part] = penalty(cuts.select(part))
    penalties = _rounded(penalties)
    owner = cuts.region[cuts.item]
    rest = () if ties is None else (ties(cuts),)
    keys = (penalties, cuts.item) if by_column else (cuts.item, penalties, owner)
    order = np.lexsort((*rest, *keys))
    owner = owner[order]
    first = order[np.flatnonzero(np.diff(owner, prepend=-1))]
    return first, penalties[first]


def _rounded(penalties: FloatArray) -> FloatArray:
    """Take for equal what differs by rounding only: sums of logarithms, added in another order."""
    mantissa, exponent = np.frexp(penalties)
    rounded: FloatArray = np.ldexp(np.rint(mantissa * _PRECISE) / _PRECISE, exponent)
    return rounded


def _sort(
    ground: Ground, regions: Regions, region: CountArray, column: CodeArray, *, strict: bool
) -> None:
    """Put the rows of regions into the order of the columns on which they are cut."""
    for part in portions((regions.end - regions.start)[region], _ROWS):
        items = region[part], column[part]
        Cuts.on(ground, regions, *items, least=1, strict=strict).sort_rows()
