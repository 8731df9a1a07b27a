r"""Crack check: whether a release leaves everybody enough records that could be his.

Let the next release be :math:`R_n`. For somebody who is first in :math:`R_i`, earlier releases
leave so many records of each value s on his way through them (`Cohort`), and the next release
has

.. math:: \min\bigl(g_n(s), \min_{h < i} D_h(s)\bigr)

of them that can be of people who came with him: no more than there are in his class, and no more
than are new since :math:`R_h` in the block of his class
(`unlinkable.tables.attacks.series.shared.crack_candidates`). The lesser of both is left. A step
of the search changes this only for classes that show the value that it refines, so only these are
judged again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from attrs import define, field, frozen

from unlinkable.kernels.counting import merge_stretches, sum_by_label
from unlinkable.kernels.flows import intersection_of_pairs
from unlinkable.tables.attacks.series import block_pairs
from unlinkable.tables.groups import number_rows
from unlinkable.tables.models import is_within
from unlinkable.tables.series.continuous.earlier_releases import Cohort, EarlierReleases
from unlinkable.tables.series.continuous.next_classes import Counts, NextClasses, counted
from unlinkable.tables.series.continuous.range_index import Starts
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Bounds", "CrackCheck"]


@frozen
class Bounds:
    """What must be left of everybody.

    Attributes
    ----------
    k
        So many records.
    c
        The largest share of them that may have the same value.
    only_actual
        Whether only those count who are in the releases, and not all who could be.
    """

    k: int
    c: Fraction
    only_actual: bool


@define(eq=False, frozen=True)
class CrackCheck:
    """Judges releases that could be the next.

    Attributes
    ----------
    earlier_releases
        Earlier releases.
    bounds
        What must be left of everybody.
    effort
        Counts the kinds of people that were judged.
    """

    earlier_releases: EarlierReleases
    bounds: Bounds
    effort: Counter[str]
    _seen: tuple[CountArray, CountArray] = field(init=False)

    @_seen.default
    def _wiped(self) -> tuple[CountArray, CountArray]:
        back = self.earlier_releases
        told = np.zeros((len(back.told), int(back.told.max(initial=-1)) + 1), np.int64)
        return np.zeros(back.n_values * (back.n_past + 1), np.int64), told

    def holds(self, state: NextClasses, refined: tuple[int, int, int] | None = None) -> bool:
        """Tell whether enough is left of everybody.

        Parameters
        ----------
        state
            All classes that there would be.
        refined
            The column and the codes ``[lo, hi)`` that were shown as one value before; classes
            without these are taken to be good. All are judged if it is not given.
        """
        return all(self.are_good(left, peak) for left, peak in self.remaining(state, refined))

    def are_good(self, left: CountArray, peak: CountArray) -> bool:
        """Whether so many records are enough, if so many of them have the same value."""
        return bool((left >= self.bounds.k).all() and is_within(peak, self.bounds.c, left).all())

    def remaining(
        self, state: NextClasses, refined: tuple[int, int, int] | None = None
    ) -> Iterator[tuple[CountArray, CountArray]]:
        """Yield what is left of people, and how many of it with the same value, time by time."""
        back = self.earlier_releases
        near, counts = self._near(state, refined)
        left = counts.newer[:, 0]
        cohorts = {mine.since: mine for mine in back.cohorts}
        for since in range(back.n_past + 1):
            if since:
                left = np.minimum(left, self._new_since(near, counts, since))
            if since in cohorts:
                pairs = self._pairs(near, counts, cohorts[since], refined)
                common = cohorts[since].common
                ours = (common.indptr, common.values, common.counts)
                yield self._left(ours, (counts.indptr, counts.values, left), *pairs)
        if back.n_new:
            is_judged = counts.is_judged
            if self.bounds.only_actual:
                n_new = sum_by_label(counts.newer[:, back.n_past], counts.row, is_judged.size)
                is_judged = is_judged & (n_new > 0)
            each = np.flatnonzero(is_judged).astype(np.int32)
            mine = (counts.indptr, counts.values, left)
            yield self._left(mine, mine, each, each)

    def _near(
        self, state: NextClasses, refined: tuple[int, int, int] | None
    ) -> tuple[NextClasses, Counts]:
        """Take the classes to be judged, and those in the same blocks."""
        back = self.earlier_releases
        codes = back.keys[state.order[state.start]]
        is_judged = np.ones(len(codes), bool)
        if refined is not None:
            column, lo, hi = refined
            mine = codes[:, column]
            is_judged = (mine >= lo) & (mine < hi)
            is_near = is_judged.copy()
            for starts in back.cuts:
                there = starts[column][mine]
                of_refined = there[is_judged][:1]
                is_near |= (there == of_refined) & (of_refined < starts[column].size)
            state, codes, is_judged = state.take(is_near), codes[is_near], is_judged[is_near]
        indptr, values, counts = merge_stretches(
            back.indptr, back.values, back.counts, state.order, state.start, state.end,
            self._seen[0],
        )  # fmt: skip
        return state, counted(codes, is_judged, indptr, values, counts, back.n_past + 1)

    def _new_since(self, state: NextClasses, counts: Counts, since: int) -> CountArray:
        """Count for each entry the records of its block that are newer than a release."""
        labels, _ = number_rows(
            _keys(counts.codes, self.earlier_releases.cuts[since - 1], state.shown)
        )
        keys = labels[counts.row].astype(np.int64) * self.earlier_releases.n_values + counts.values
        found, place = np.unique(keys, return_inverse=True)
        new = sum_by_label(counts.newer[:, since], place.astype(np.int32), found.size)
        return new[place]

    def _pairs(
        self,
        state: NextClasses,
        counts: Counts,
        mine: Cohort,
        refined: tuple[int, int, int] | None,
    ) -> tuple[CodeArray, CodeArray]:
        """List the ways through earlier releases, and the classes that they can lead to."""
        judged = np.flatnonzero(counts.is_judged).astype(np.int32)
        if mine.row_indptr is not None and mine.row_ways is not None:
            return _actual_pairs(state, judged, mine.row_indptr, mine.row_ways, len(mine.codes))
        ways = np.arange(len(mine.codes), dtype=np.int32)
        if refined is not None:
            column, lo, hi = refined
            codes, starts = mine.codes[:, column], mine.starts[column]
            around = starts[counts.codes[judged[:1], column]]
            ways = ways[((codes >= lo) & (codes < hi)) | (codes == around)]
        keys = np.concatenate([mine.codes[ways], counts.codes[judged]])
        labels, first = number_rows(_keys(keys, mine.starts, state.shown))
        there, here = block_pairs(labels[: ways.size], labels[ways.size :], first.size)
        return ways[there], judged[here]

    def _left(
        self,
        ours: tuple[CountArray, CodeArray, CountArray],
        theirs: tuple[CountArray, CodeArray, CountArray],
        first: CodeArray,
        second: CodeArray,
    ) -> tuple[CountArray, CountArray]:
        self.effort["kinds_judged"] += first.size
        told = self.earlier_releases.told
        left, peak, _ = intersection_of_pairs(*ours, *theirs, first, second, told, self._seen[1])
        return left, peak


def _keys(codes: CodeArray, starts: Starts, shown: Starts) -> CodeArray:
    """Tell on each column where the greater of the two ranges begins that hold a code."""
    columns = [
        np.minimum(starts[j][codes[:, j]], shown[j][codes[:, j]]) for j in range(codes.shape[1])
    ]
    return np.column_stack(columns)


def _actual_pairs(
    state: NextClasses, judged: CodeArray, indptr: CountArray, ways: CodeArray, n_ways: int
) -> tuple[CodeArray, CodeArray]:
    """List the ways of the people of each class."""
    seen = np.zeros(n_ways, np.int64)
    ones = np.ones(ways.size, np.int64)
    start, end = state.start[judged], state.end[judged]
    ends, mine, _ = merge_stretches(indptr, ways, ones, state.order, start, end, seen)
    return mine, np.repeat(judged, np.diff(ends))
