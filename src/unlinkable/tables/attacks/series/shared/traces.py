"""Traces: who can have which value, by following records from every release to every other.

Two releases at a time, and one value at a time: it is asked for each person whether they can have
the value, given how many people of each group of both releases have it. All other values count as
one. A person who cannot have the value by some two releases cannot have it at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np
from attrs import define

from unlinkable.kernels.counting import sum_by_label, tally
from unlinkable.kernels.flows import ByValue, Cells, mark_infeasible
from unlinkable.tables.attacks.series.series import Series, Sheet
from unlinkable.tables.attacks.series.shared.kinds import Kinds, histogram_of, kinds_of
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["FollowedOwners", "Traces", "follow_people", "is_exposed", "judge_records", "trace"]


@define(eq=False, frozen=True, slots=False)
class Traces:
    """Who can have which value.

    Attributes
    ----------
    kinds
        The owners of the records, by the groups that these are in.
    hidden
        For each release what its groups hide.
    common
        For each kind the values that all its groups hide.
    is_possible
        For every entry of ``common`` whether the kind can have the value.
    n_contradicted
        For how many values and pairs of releases there is no way to follow the records: a person's
        value changed. Nothing was concluded from these.
    """

    kinds: Kinds
    hidden: tuple[Histogram, ...]
    common: Histogram
    is_possible: BoolArray
    n_contradicted: int

    def candidates(self, release: int) -> CountArray:
        """Count for every entry of what the groups of a release hide who can have such a record."""
        kinds, common, those = self.kinds, self.common, self.hidden[release]
        groups = kinds.where[common.row, release]
        kept = np.flatnonzero(self.is_possible & (groups >= 0))
        at = self.entries(release, groups[kept], common.values[kept])
        return sum_by_label(kinds.sizes[common.row[kept]], at, those.values.size)

    def entries(self, release: int, groups: CodeArray, values: CodeArray) -> CodeArray:
        """Find the entries of these groups and values in what a release hides."""
        n_values = self.common.n_values
        asked = groups.astype(np.int64) * n_values + values
        return np.searchsorted(self._keys[release], asked).astype(np.int32)

    def allows(self, later: Kinds, common: Histogram) -> BoolArray:
        """Tell for every entry of what is common to a longer series whether it is possible here.

        People who were not in any of these releases could have everything.
        """
        kinds, mine = self.kinds, self.common
        made_up = later.first >= later.n_people
        owner = np.where(made_up, later.first - later.n_people + kinds.n_people, later.first)
        known = (owner < kinds.kind.size) & (made_up | (owner < kinds.n_people))
        kind = np.where(known, np.append(kinds.kind, -1)[np.where(known, owner, -1)], -1)[
            common.row
        ]
        there = kind >= 0
        keys = mine.row.astype(np.int64) * mine.n_values + mine.values
        asked = kind[there].astype(np.int64) * mine.n_values + common.values[there]
        allowed = np.ones(kind.size, bool)
        allowed[there] = self.is_possible[np.searchsorted(keys, asked)]
        return allowed

    @cached_property
    def _keys(self) -> tuple[CountArray, ...]:
        n_values = self.common.n_values
        return tuple(h.row.astype(np.int64) * n_values + h.values for h in self.hidden)


def trace(
    sheets: Sequence[Sheet], *, feasible: bool = True, earlier: Traces | None = None
) -> Traces:
    """Follow the records of all releases.

    Parameters
    ----------
    sheets
        The releases.
    feasible
        Whether it is asked if there is a way to follow all records at once. If not, a person can
        have every value that all their groups hide.
    earlier
        What all releases but the last one tell, if that is known: then only the last one is
        compared with the others.

    Cost
    ----
    O(m s) for every two releases with m cells of people who are in the same groups of both, and s
    values in a group, if people keep their values; else that of finding a flow for each value.

    Examples
    --------
    The only one with value 0 is in both releases. Person 0 is not with them in the second.

    >>> first = Sheet.of([0, 1, 2], [0, 0, 0], [1, 0, 1])
    >>> then = Sheet.of([0, 1, 2, 3], [0, 1, 1, 0], [1, 0, 1, 1])
    >>> traced = trace([first, then])
    >>> traced.candidates(0).tolist(), traced.candidates(1).tolist()
    ([2, 3], [2, 2, 2])
    """
    kinds, hidden = kinds_of(sheets), tuple(map(histogram_of, sheets))
    common = kinds.common(hidden)
    is_possible, n_contradicted = np.ones(common.values.size, bool), 0
    pairs = list(combinations(range(len(sheets)), 2))
    if earlier is not None:
        is_possible = earlier.allows(kinds, common)
        n_contradicted = earlier.n_contradicted
        pairs = [(i, j) for i, j in pairs if j == len(sheets) - 1]
    if feasible:
        order = np.argsort(common.values, kind="stable")
        ends = np.cumsum(np.bincount(common.values, minlength=common.n_values))
        asked = ByValue(np.append(0, ends), common.row[order], order)
        inside = [ByValue(*tally(s.values, s.groups, common.n_values, s.n_groups)) for s in sheets]
        for i, j in pairs:
            cells, first, cell_of = _cells(sheets, kinds, (i, j))
            n_contradicted += mark_infeasible(
                cells, inside[i], inside[j], first, asked, cell_of, is_possible
            )
    return Traces(kinds, hidden, common, is_possible, n_contradicted)


def _cells(
    sheets: Sequence[Sheet], kinds: Kinds, pair: tuple[int, int]
) -> tuple[Cells, ByValue, CodeArray]:
    """Put together who is in the same groups of both releases; those in neither are in no cell."""
    (i, j), n_values = pair, sheets[0].n_values
    n_a, n_b = sheets[i].n_groups, sheets[j].n_groups
    a, b = kinds.where[:, i].astype(np.int64), kinds.where[:, j].astype(np.int64)
    is_there = (a >= 0) | (b >= 0)
    keys = np.where(a < 0, n_a, a) * (n_b + 1) + np.where(b < 0, n_b, b)
    found, inverse = np.unique(keys[is_there], return_inverse=True)
    cell_of = np.full(len(kinds), -1, np.int32)
    cell_of[is_there] = inverse
    n = sum_by_label(kinds.sizes, cell_of, found.size)
    in_a, in_b = (found // (n_b + 1)).astype(np.int32), (found % (n_b + 1)).astype(np.int32)
    cells = Cells(np.searchsorted(in_a, np.arange(n_a + 2)), in_a, in_b, n, n_b)
    of = [kinds.kind[kinds.owners[release]] for release in pair]
    is_new = a[of[1]] < 0
    shown = np.concatenate([sheets[i].values, sheets[j].values[is_new]])
    where = np.concatenate([cell_of[of[0]], cell_of[of[1][is_new]]])
    return cells, ByValue(*tally(shown, where, n_values, found.size)), cell_of


@define(eq=False, frozen=True)
class FollowedOwners:
    """What following the records of a column tells of their owners.

    Attributes
    ----------
    falls, fell
        For each person whether a record of theirs is exposed, and whether one release alone does
        that.
    sure, value
        For each person the highest confidence in a value of a record of theirs, and that value.
    exposed
        How many records of each release are exposed.
    fewest
        The smallest number of candidates of a record; 0 if there is no record with any.
    n_contradicted
        For how many values and pairs of releases nothing was concluded.
    """

    falls: BoolArray
    fell: BoolArray
    sure: FloatArray
    value: CodeArray
    exposed: CountArray
    fewest: int
    n_contradicted: int


def is_exposed(
    n_records: CountArray, n_candidates: CountArray, k: int, limit: Fraction
) -> BoolArray:
    """Tell which records have too few candidates, or too many of these have their value.

    Where there is no candidate nobody is exposed: values changed.

    Examples
    --------
    >>> is_exposed(np.array([1, 2, 2]), np.array([2, 2, 5]), 2, Fraction(1, 2)).tolist()
    [False, True, False]
    """
    few = (n_candidates < k) | ~is_within(n_records, limit, n_candidates)
    return np.asarray(few & (n_candidates > 0))


def follow_people(
    series: Series, column: str, k: int, limit: Fraction, *, feasible: bool
) -> FollowedOwners:
    """Follow the records of a column by who is in which group."""
    sheets = series.sheets(column)
    traced = trace(sheets, feasible=feasible)
    candidates = [traced.candidates(i) for i in range(len(sheets))]
    return judge_records(
        sheets, traced.hidden, candidates, (k, limit), series.n_people, traced.n_contradicted
    )


def judge_records(
    sheets: Sequence[Sheet],
    hidden: Sequence[Histogram],
    candidates: Sequence[CountArray],
    bounds: tuple[int, Fraction],
    n_people: int,
    n_contradicted: int,
) -> FollowedOwners:
    """Tell from the number of candidates of all records which are exposed, and whose these are.

    Parameters
    ----------
    sheets, hidden
        The releases, and what their groups hide.
    candidates
        For each release, for every entry of what it hides how many candidates there are.
    bounds
        How many candidates there must be, and how confident of them anybody may be.
    n_people, n_contradicted
        As they are.
    """
    (k, limit), n = bounds, n_people
    falls, fell = np.zeros(n, bool), np.zeros(n, bool)
    sure, value = np.zeros(n), np.zeros(n, np.int32)
    exposed, fewest = np.zeros(len(sheets), np.int64), []
    for i, (sheet, those, left) in enumerate(zip(sheets, hidden, candidates, strict=True)):
        keys = those.row.astype(np.int64) * those.n_values + those.values
        at = np.searchsorted(keys, sheet.groups.astype(np.int64) * those.n_values + sheet.values)
        sizes = those.reduce(np.add, those.counts)[those.row]
        is_bad, was_bad = (
            is_exposed(those.counts, n_left, k, limit)[at] for n_left in (left, sizes)
        )
        exposed[i] = int(is_bad.sum())
        real = sheet.people >= 0
        falls[sheet.people[real & is_bad]] = True
        fell[sheet.people[real & was_bad]] = True
        share = np.where(left > 0, np.minimum(those.counts / np.maximum(left, 1), 1.0), 0.0)[at]
        whose = sheet.people[real]
        is_more = share[real] > sure[whose]
        sure[whose[is_more]] = share[real][is_more]
        value[whose[is_more]] = sheet.values[real][is_more]
        fewest.append(int(left[left > 0].min(initial=np.iinfo(np.int64).max)))
    least = min(fewest, default=0)
    least = 0 if least == np.iinfo(np.int64).max else least
    return FollowedOwners(falls, fell, sure, value, exposed, least, n_contradicted)
