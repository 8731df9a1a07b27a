"""Whom and what all differences of a series of releases leave."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from unlinkable.kernels.counting import tally
from unlinkable.tables.attacks.base.attack import MOST_SHOWN, Victim
from unlinkable.tables.attacks.grouped.shared.surest import pick_surest
from unlinkable.tables.attacks.series.series import Series, Sheet
from unlinkable.tables.attacks.series.shared.overlap import Overlap
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["LeftOver"]


class LeftOver:
    """Who falls to the differences looked at so far, and how sure an adversary is of them.

    Parameters
    ----------
    series
        The releases.
    k, limit
        How many people must be left, and which share a value may have among them.
    """

    def __init__(self, series: Series, k: int, limit: Fraction) -> None:
        n = series.n_people
        self._series, self._k, self._limit = series, k, limit
        self._is_there, self._is_alone = np.zeros(n, bool), np.zeros(n, bool)
        self._is_few, self._is_told = np.zeros(n, bool), np.zeros(n, bool)
        self._sure = np.zeros(n)
        self._columns: list[str] = []
        self._about = np.full((n, 3), -1, np.int64)
        self._smallest = 0
        self._fallen: dict[tuple[int, int], BoolArray] = {}
        self.highest = self._highest_alone = Fraction(0)

    @property
    def n_people(self) -> int:
        """How many people are in any release."""
        return int(self._is_there.sum())

    @property
    def n_fallen(self) -> int:
        """How many of them fall to a difference."""
        return int((self._is_few | self._is_told).sum())

    @property
    def n_alone(self) -> int:
        """How many of them fall to what a release tells alone."""
        return int(self._is_alone.sum())

    @property
    def worst_pair(self) -> tuple[int, int]:
        """The releases to which the most people fall: which is taken away from which."""
        return max(self._fallen, key=lambda pair: int(self._fallen[pair].sum()))

    def look_alone(self, sheets: tuple[Sheet, ...]) -> None:
        """See who falls to a release alone, and how sure anybody is without subtracting."""
        for sheet in sheets:
            indptr, _, counts = tally(sheet.groups, sheet.values, sheet.n_groups, sheet.n_values)
            sizes = np.add.reduceat(counts, indptr[:-1]) if counts.size else counts
            peaks = np.maximum.reduceat(counts, indptr[:-1]) if counts.size else counts
            falls = (sizes < self._k) | ~is_within(peaks, self._limit, sizes)
            known = sheet.people >= 0
            self._is_there[sheet.people[known]] = True
            self._is_alone[sheet.people[known]] |= falls[sheet.groups[known]]
            if sizes.size:
                best = int(np.argmax(peaks / sizes))
                share = Fraction(int(peaks[best]), int(sizes[best]))
                self._highest_alone = max(self._highest_alone, share)
        self.highest = max(self.highest, self._highest_alone)

    def take_away(self, column: str, sheets: tuple[Sheet, ...], first: int, second: int) -> None:
        """Take groups of a release away from another one, in all ways that tell anything."""
        if column not in self._columns:
            self._columns.append(column)
        overlap = Overlap.of(sheets[first], sheets[second], self._series.n_people)
        pair = first, second
        crowds = overlap.crowds(self._limit)
        is_few = (crowds.sizes > 0) & (crowds.sizes < self._k)
        told = crowds.values, crowds.counts, crowds.sizes
        people = sheets[second].people
        self._note(pair, people, is_few, self._is_few, told)
        self._note(pair, people, (crowds.sizes > 0) & crowds.stands_out, self._is_told, told)
        real = crowds.sizes[is_few & (people >= 0)]
        if real.size:
            self._smallest = min(self._smallest or self._k, int(real.min()))
        for value in np.unique(sheets[second].values).tolist():
            self._stand_out(overlap, value, pair)

    def _stand_out(self, overlap: Overlap, value: int, pair: tuple[int, int]) -> None:
        """Find the highest share of a value, and the difference that exceeds the limit the most.

        The highest share is raised until no difference has more (Dinkelbach's iteration).
        """
        while self.highest < 1:
            found = overlap.surplus(value, self.highest)
            if found is None:
                break
            self.highest = found.highest()
        if self.highest > self._limit:
            found = overlap.surplus(value, self._limit)
            if found is not None:
                parts = found.parts
                told = np.full(parts.size, value, np.int32), found.counts[parts], found.sizes[parts]
                self._note(pair, overlap.second.people, parts >= 0, self._is_told, told)

    def _note(
        self,
        pair: tuple[int, int],
        people: CountArray,
        falls: BoolArray,
        fallen: BoolArray,
        told: tuple[CodeArray, CountArray, CountArray],
    ) -> None:
        """Write down who falls, and what is told of him if it is more than was told before."""
        at = np.flatnonzero(falls & (people >= 0))
        if not at.size:
            return
        who, (values, counts, sizes) = people[at], told
        fallen[who] = True
        self._fallen.setdefault(pair, np.zeros(fallen.size, bool))[who] = True
        sure = counts[at] / sizes[at]
        is_surer = sure > self._sure[who]
        who, at = who[is_surer], at[is_surer]
        self._sure[who] = sure[is_surer]
        self._about[who] = np.column_stack(
            [np.full(at.size, len(self._columns) - 1), values[at], sizes[at]]
        )

    def victims(self) -> tuple[Victim, ...]:
        """Tell of those whom he is surest of."""
        found = []
        for person in pick_surest(self._sure, MOST_SHOWN).tolist():
            if self._sure[person] > 0:
                column, value, size = self._about[person].tolist()
                name = self._columns[column]
                learned = {name: str(self._series.texts(name)[value])}
                sure = float(self._sure[person])
                found.append(Victim(self._series.called(person), sure, learned, records=size))
        return tuple(found)

    def details(self) -> dict[str, int | float | str | None]:
        """Give the numbers behind the result."""
        return {
            "fallen_few_left": int(self._is_few.sum()),
            "fallen_value": int(self._is_told.sum()),
            "smallest_difference": self._smallest or None,
            "pairs_with_channel": len(self._fallen),
            "fallen_alone": self.n_alone,
            "highest_alone": float(self._highest_alone),
        }
