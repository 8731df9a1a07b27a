"""Overlap: two releases as a graph of groups that share people, one to be taken from the other.

Whom and what all differences of a series of releases leave.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.counting import tally
from unlinkable.kernels.flows import Lists, Network, largest_surplus, smallest_populations
from unlinkable.tables.attacks.base.attack import MOST_SHOWN, Victim
from unlinkable.tables.attacks.series.series import Series, Sheet
from unlinkable.tables.attacks.shared.victims import most_confident
from unlinkable.tables.models import is_within, largest_below
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["DifferenceExposure", "Overlap", "SmallestDifferences", "Surplus"]

_WIDEST = 1 << 62
"""No sum of products may reach this."""


@define(eq=False, frozen=True)
class SmallestDifferences:
    """The smallest difference that each record is in, of those that are worth anything.

    A difference tells something of a person if it is smaller than the person's group in either
    release.

    Attributes
    ----------
    sizes
        How many records it has; 0 if there is none.
    values, counts
        The most frequent value in it, and how often it occurs.
    stands_out
        Whether that value exceeds its share by more than the groups that were needed do alone.
    """

    sizes: CountArray
    values: CodeArray
    counts: CountArray
    stands_out: BoolArray


@define(eq=False, frozen=True)
class Surplus:
    """The difference in which a value exceeds a share by the most records, in its parts.

    Attributes
    ----------
    parts
        The part in which each record is left over, -1 for those that are not.
    counts, sizes
        How often the value occurs in each part, and of how many records.
    """

    parts: CodeArray
    counts: CountArray
    sizes: CountArray

    def highest(self) -> Fraction:
        """Give the highest share that the value has in a part."""
        best = int(np.argmax(self.counts / self.sizes))
        return Fraction(int(self.counts[best]), int(self.sizes[best]))


@define(eq=False, frozen=True)
class Overlap:
    """Which groups of a release share people with which groups of another.

    Groups to be taken away (left) are those of whose records each is in the other release as well.
    Nobody can take a group away of which a record is missing there: what is left over would not be
    what the others have. A made-up record is in no other release. On the other side it cannot be
    told from a true one, and counts as a record.

    Attributes
    ----------
    net
        The left and the right group of each edge, and the edges of left and of right groups.
    people
        How many people are on each edge.
    free
        How many records of each right group are on none.
    sizes
        How many records each node has.
    edge_of
        The edge that each record of the release on the right is on; behind all edges, that of
        those who are on none, one for every group.
    first, second
        The releases: groups of the first are taken away from the second.
    """

    net: Network
    people: CountArray
    free: CountArray
    sizes: CountArray
    edge_of: CountArray
    first: Sheet
    second: Sheet

    @classmethod
    def of(cls, first: Sheet, second: Sheet, n_people: int) -> Self:
        """Lay two releases over each other. O(n log n) for n records."""
        there, here = _groups_of(second, n_people), _groups_of(first, n_people)
        missing = np.append(there, np.int32(-1))[first.people] < 0
        may_go = np.bincount(first.groups[missing], minlength=first.n_groups) == 0
        left = np.append(here, np.int32(-1))[second.people]
        on_edge = np.flatnonzero((left >= 0) & np.append(may_go, False)[left])
        n_right = second.n_groups
        pairs = left[on_edge].astype(np.int64) * n_right + second.groups[on_edge]
        found, which, people = np.unique(pairs, return_inverse=True, return_counts=True)
        edge_of = found.size + second.groups.astype(np.int64)
        edge_of[on_edge] = which
        ends = (found // n_right).astype(np.int32), (found % n_right).astype(np.int32)
        lists = [_lists(e, sheet.n_groups) for e, sheet in zip(ends, (first, second), strict=True)]
        sizes = [np.bincount(s.groups, minlength=s.n_groups) for s in (first, second)]
        taken = np.bincount(second.groups[on_edge], minlength=n_right)
        net = Network(*ends, *lists)
        free, nodes = sizes[1] - taken, np.concatenate(sizes)
        return cls(net, people.astype(np.int64), free, nodes, edge_of, first, second)

    @property
    def n_left(self) -> int:
        """How many groups the first release has."""
        return self.first.n_groups

    def smallest(self, limit: Fraction, most: int | None = None) -> SmallestDifferences:
        """Find the smallest difference that each record of the second release is in.

        Parameters
        ----------
        limit
            The share that values may have.
        most
            Look only for differences of fewer records than this, and at no values.
        """
        n_values = max(self.first.n_values, self.second.n_values) if most is None else 0
        sizes, values, counts, stands_out = smallest_populations(
            self.net,
            self.people,
            self.free,
            self.sizes,
            len(self.second) + 1 if most is None else most,
            self._hidden(n_values),
            self._ratio(limit),
            n_values,
        )
        at = self.edge_of
        return SmallestDifferences(sizes[at], values[at], counts[at], stands_out[at])

    def surplus(self, value: int, share: Fraction) -> Surplus | None:
        """Find the difference in which a value exceeds a share by the most records.

        A right group that exceeds it alone counts as if it did not: what is looked for is what
        taking away tells. None if there is no such difference.
        """
        (p, q), of_value = self._ratio(share), self._counts_of(value)
        weights = p * self.sizes - q * of_value
        gains, costs = weights[: self.n_left], np.maximum(weights[self.n_left :], 0)
        node_parts, surplus = largest_surplus(self.net, gains, costs)
        if surplus == 0:
            return None
        groups = self.second.groups
        parts = node_parts[self.n_left + groups]
        on_edge = self.edge_of < self.people.size
        is_taken = np.zeros(parts.size, bool)
        is_taken[on_edge] = node_parts[self.net.left[self.edge_of[on_edge]]] >= 0
        parts = np.where(is_taken, np.int32(-1), parts)
        n_parts = int(node_parts.max()) + 1
        node_counts = np.zeros((2, n_parts), np.int64)
        sign = np.where(np.arange(self.sizes.size) < self.n_left, -1, 1)
        chosen = node_parts >= 0
        for row, amount in zip(node_counts, (of_value, self.sizes), strict=True):
            np.add.at(row, node_parts[chosen], (sign * amount)[chosen])
        return Surplus(parts, node_counts[0], node_counts[1])

    def opens_channel(self, k: int, limit: Fraction) -> bool:
        """Whether some difference has fewer than k records, or a value with too large a share."""
        if k > 1 and self.smallest(limit, k).sizes.any():
            return True
        if limit >= 1:
            return False
        least = floor(limit * min(k, int(self.sizes.min(initial=k))))
        frequent = np.flatnonzero(np.bincount(self.second.values) > least)
        return any(self.surplus(v, limit) is not None for v in frequent.tolist())

    def _ratio(self, share: Fraction) -> tuple[int, int]:
        """Give a share as two numbers whose products with all records fit into 64 bits."""
        n_records = len(self.first) + len(self.second) + 1
        return largest_below(share, _WIDEST // n_records).as_integer_ratio()

    def _hidden(self, n_values: int) -> tuple[CountArray, CodeArray, CountArray]:
        """Count what every node hides, if there are values to look at."""
        if not n_values:
            return np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64)
        first, second = self.first, self.second
        groups = np.concatenate([first.groups, second.groups + np.int32(self.n_left)])
        values = np.concatenate([first.values, second.values])
        return tally(groups, values, self.sizes.size, n_values)

    def _counts_of(self, value: int) -> CountArray:
        counts = [
            np.bincount(s.groups[s.values == value], minlength=s.n_groups)
            for s in (self.first, self.second)
        ]
        return np.concatenate(counts)


def _groups_of(sheet: Sheet, n_people: int) -> CodeArray:
    """Give the group of everybody, -1 for those who are not in the release."""
    found = np.full(n_people, -1, np.int32)
    known = sheet.people >= 0
    found[sheet.people[known]] = sheet.groups[known]
    return found


def _lists(ends: CodeArray, n_groups: int) -> Lists:
    """List the edges of every group."""
    degrees = np.bincount(ends, minlength=n_groups)
    end = np.cumsum(degrees)
    return Lists(end - degrees, end, np.argsort(ends, kind="stable"))


class DifferenceExposure:
    """Who is exposed by the differences so far, and with what confidence.

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
        """How many of them are exposed by a difference."""
        return int((self._is_few | self._is_told).sum())

    @property
    def n_alone(self) -> int:
        """How many of them are exposed by a release alone."""
        return int(self._is_alone.sum())

    @property
    def worst_pair(self) -> tuple[int, int]:
        """The releases that expose most people: which is subtracted from which."""
        return max(self._fallen, key=lambda pair: int(self._fallen[pair].sum()))

    def look_alone(self, sheets: tuple[Sheet, ...]) -> None:
        """Find who is exposed by a release alone, and the confidence without subtracting."""
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
        smallest = overlap.smallest(self._limit)
        is_few = (smallest.sizes > 0) & (smallest.sizes < self._k)
        told = smallest.values, smallest.counts, smallest.sizes
        people = sheets[second].people
        self._note(pair, people, is_few, self._is_few, told)
        self._note(pair, people, (smallest.sizes > 0) & smallest.stands_out, self._is_told, told)
        real = smallest.sizes[is_few & (people >= 0)]
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
        """Note who is exposed, and what is learned of them if it is more than before."""
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
        """Describe the people with the highest confidence."""
        found = []
        for person in most_confident(self._sure, MOST_SHOWN).tolist():
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
