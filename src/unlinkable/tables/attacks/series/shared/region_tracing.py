"""Regions: following records by what groups show, and a list of people with raw values.

Who does not know the group of anybody sees regions. A record can be in a group of a later release
whose region overlaps its own and that holds its value. People count as candidates if they fit both.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from unlinkable.errors import SchemaError
from unlinkable.kernels.counting import expand_stretches, keep_common, tally
from unlinkable.kernels.flows import (
    ByValue,
    Cells,
    FittingGroups,
    PossibleCells,
    count_candidates,
    keep_traceable,
    mark_infeasible,
)
from unlinkable.tables.attacks.series.series import Edition, Series, Sheet
from unlinkable.tables.attacks.series.shared.kinds import histogram_of, rows_of
from unlinkable.tables.attacks.series.shared.traces import FollowedOwners, judge_records
from unlinkable.tables.attacks.shared.matching import match
from unlinkable.tables.attacks.shared.overlaps import Boxes, Overlaps
from unlinkable.tables.data import SideTable
from unlinkable.tables.groups import Histogram
from unlinkable.typing import CodeArray, Columns

__all__ = ["follow_regions"]


def follow_regions(
    series: Series,
    column: str,
    k: int,
    limit: Fraction,
    listed: SideTable,
    *,
    feasible: bool,
) -> FollowedOwners:
    """Follow the records of a column to later releases by what groups show.

    It is known how many people left and how many are new, not who. If nobody left, all records of
    the earlier release are in the later one.

    Raises
    ------
    SchemaError
        If the list has none of the columns by which people may be known.
    UnsupportedError
        If a release has buckets.
    """
    known = tuple(name for name in series.quasi if name in listed.columns)
    if not known:
        raise SchemaError(
            f"{listed.name!r} has none of the columns by which people may be known in all releases "
            f"({', '.join(series.quasi) or 'none'})"
        )
    sheets = series.sheets(column)
    hidden = [histogram_of(sheet) for sheet in sheets]
    fits = [_fits(*both, listed, known) for both in zip(series.editions, sheets, strict=True)]
    kept = [np.ones(_n_places(f, h), bool) for f, h in zip(fits, hidden, strict=True)]
    n_contradicted = 0
    for i, j in combinations(range(len(series)), 2):
        cells = _cells(series, sheets, (i, j))
        steps, n_failed = _steps(cells, (sheets[i], sheets[j]), (hidden[i], hidden[j]), feasible)
        n_contradicted += n_failed
        keep_traceable(fits[i], hidden[i].indptr, hidden[i].values, fits[j], steps, kept[i])
    candidates = [
        count_candidates(f, h.indptr, left, h.values.size)
        for f, h, left in zip(fits, hidden, kept, strict=True)
    ]
    return judge_records(sheets, hidden, candidates, (k, limit), series.n_people, n_contradicted)


def _fits(edition: Edition, sheet: Sheet, listed: SideTable, known: Columns) -> FittingGroups:
    """List the groups whose region each person of a list is in."""
    matching = match(edition.target, listed, known)
    first = np.zeros(sheet.n_groups, np.int64)
    first[sheet.groups[::-1]] = np.arange(len(sheet))[::-1]
    look = matching.look[first]
    by_look = np.argsort(look, kind="stable").astype(np.int32)
    n_of = np.bincount(look, minlength=matching.first_look.size)
    starts = np.append(0, np.cumsum(n_of))
    widths = n_of[matching.looks]
    _, at = expand_stretches(starts[matching.looks], widths)
    indptr = np.append(0, np.cumsum(widths))[matching.indptr]
    return FittingGroups(matching.kind, indptr.astype(np.int64), by_look[at])


def _n_places(fits: FittingGroups, hidden: Histogram) -> int:
    widths = np.append(0, np.cumsum(hidden.distinct[fits.groups]))
    return int((widths[fits.starts[1:]] - widths[fits.starts[:-1]])[fits.kind].sum())


def _cells(series: Series, sheets: tuple[Sheet, ...], pair: tuple[int, int]) -> Cells:
    """Take all overlapping groups of two releases for cells that any number of people are in."""
    one, other = (sheets[i] for i in pair)
    first, second = (_boxes(*series.boxes[i]) for i in pair)
    sizes = np.maximum(*(series.boxes[i][1].max(axis=0, initial=1) for i in pair))
    overlaps = Overlaps(first, second, tuple(sizes.tolist()))
    n_a, n_b = one.n_groups, other.n_groups
    n_met = overlaps.sums(np.ones(n_a, np.int64), np.ones(n_b, np.int64))[2]
    _, met = overlaps.pairs(n_met)
    a = np.repeat(np.arange(n_a), n_met)
    n_left, n_new = (
        int((~np.isin(x.people, y.people[y.people >= 0])).sum())
        for x, y in ((one, other), (other, one))
    )
    left = np.arange(n_a) if n_left else np.zeros(0, np.int64)
    new = np.arange(n_b) if n_new else np.zeros(0, np.int64)
    in_a = np.concatenate([a, left, np.full(new.size, n_a)])
    in_b = np.concatenate([met, np.full(left.size, n_b), new])
    most = [len(one), n_left, n_new]
    n = np.repeat(most, [a.size, left.size, new.size])
    order = np.lexsort((in_b, in_a))
    starts = np.searchsorted(in_a[order], np.arange(n_a + 2))
    return Cells(starts, in_a[order].astype(np.int32), in_b[order].astype(np.int32), n[order], n_b)


def _boxes(lo: CodeArray, hi: CodeArray) -> Boxes:
    numbers = np.arange(len(lo), dtype=np.int32)
    columns = tuple((numbers, np.stack([lo[:, j], hi[:, j]], axis=1)) for j in range(lo.shape[1]))
    return Boxes(len(lo), columns)


def _steps(
    cells: Cells, sheets: tuple[Sheet, Sheet], hidden: tuple[Histogram, Histogram], feasible: bool
) -> tuple[PossibleCells, int]:
    """Tell which cells records with each value can be in."""
    one, other = hidden
    n_values, n_real = one.n_values, int(cells.starts[-2])
    a, b = cells.a[:n_real], cells.b[:n_real]
    found = keep_common(
        *rows_of([one], a),
        np.where(b == cells.n_b, -1, b).astype(np.int32),
        other.indptr,
        other.values,
        other.counts,
    )
    there = Histogram(*found, n_values)
    is_open, n_failed = np.ones(there.values.size, bool), 0
    if feasible:
        order = np.argsort(there.values, kind="stable")
        ends = np.cumsum(np.bincount(there.values, minlength=n_values))
        asked = ByValue(np.append(0, ends), there.row[order], order)
        in_a, in_b = (ByValue(*tally(s.values, s.groups, n_values, s.n_groups)) for s in sheets)
        nothing = ByValue(
            np.zeros(n_values + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64)
        )
        cell_of = np.arange(n_real, dtype=np.int32)
        n_failed = mark_infeasible(cells, in_a, in_b, nothing, asked, cell_of, is_open)
    starts = cells.starts[:-1]
    return PossibleCells(starts, b, there.indptr, there.values, is_open, cells.n_b), n_failed
