"""Published regions: what was shown of everybody in all releases so far, in compact form.

Somebody is in all regions that were shown of him, and so in their intersection. A region that holds
another one of his adds nothing. What is left is kept as it was published: texts mean the same in
every release, codes do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.flows import add_box
from unlinkable.tables.data import Frame, number_together, ranges_together, texts_of
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.groups import number_rows
from unlinkable.tables.series.incremental.interning import intern_lists
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["PublishedRegions"]

_SETS, _SHOWN, _SET, _REGION = "inferable regions", "shown regions", " set", " region"


@define(eq=False, frozen=True)
class PublishedRegions:
    """What was shown of everybody.

    Attributes
    ----------
    known
        For each person the number of his set of regions; -1 if he was in no release.
    starts, members
        The sets, as lists of numbers of regions, rising.
    shown
        A row for every region: the published texts. None as long as nothing is kept.
    """

    known: CodeArray
    starts: CountArray
    members: CodeArray
    shown: Frame | None

    @classmethod
    def empty(cls) -> Self:
        """Give what was shown before anything was: nothing."""
        none = np.zeros(0, np.int32)
        return cls(none, np.zeros(1, np.int64), none, None)

    def of(self, person: int) -> list[dict[str, str | None]]:
        """List the regions of somebody that hold no other one: he is in all of them."""
        if self.shown is None or person >= self.known.size or self.known[person] < 0:
            return []
        at = int(self.known[person])
        rows = self.members[self.starts[at] : self.starts[at + 1]].tolist()
        told: list[dict[str, str | None]] = [self.shown.row(i, named=True) for i in rows]
        return told

    def hold(
        self,
        people: CountArray,
        now: Frame,
        taxonomies: Mapping[str, Sequence[Taxonomy | None]],
    ) -> BoolArray:
        """Tell who of these people is where all releases have shown him: in the intersection.

        Parameters
        ----------
        people
            Who they are. Whoever was not shown may be anywhere.
        now
            Where each of them is, on all columns that were shown.
        taxonomies
            What labels mean, by every release and now.

        Raises
        ------
        SchemaError
            If a label means something else in one release than in another.

        Examples
        --------
        >>> regions, who = PublishedRegions.empty(), np.array([0, 1])
        >>> for shown in (["[20-30)", "[20-30)"], ["[25-40)", "[20-30)"]):
        ...     regions = regions.updated(who, to_frame({"age": shown})[0], np.arange(2))
        >>> regions.hold(who, to_frame({"age": [22, 22]})[0], {}).tolist()
        [False, True]
        """
        found = np.ones(people.size, bool)
        if self.shown is None:
            return found
        at = np.append(self.known, np.int32(-1))[np.where(people < self.known.size, people, -1)]
        for name in self.shown.columns:
            known = taxonomies.get(name, ())
            (lo, hi), (point, _) = ranges_together([self.shown, now], name, known)
            low = np.maximum.reduceat(lo[self.members], self.starts[:-1])[at]
            high = np.minimum.reduceat(hi[self.members], self.starts[:-1])[at]
            found &= (at < 0) | ((point >= low) & (point < high))
        return found

    def updated(
        self,
        people: CountArray,
        shown: Frame | None,
        rows: CodeArray | CountArray,
        taxonomies: Mapping[str, Taxonomy] | None = None,
    ) -> Self:
        """Take in what a release shows of people.

        Parameters
        ----------
        people
            Who they are.
        shown
            What is shown, on all columns by which people may be known; None if nothing is to be
            kept.
        rows
            For each of the people the row with what is shown of him.
        taxonomies
            What labels mean. Without one, a label holds no other.
        """
        if shown is None:
            return self
        names = (shown if self.shown is None else self.shown).columns
        known = taxonomies or {}
        frames = [shown] if self.shown is None else [self.shown, shown]
        n_before = 0 if self.shown is None else self.shown.height
        codes = [np.concatenate(number_together(frames, name)[0]) for name in names]
        labels, first = number_rows(np.stack(codes, axis=1).astype(np.int32))
        # Regions that were shown before differ, and come first: their numbers stay.
        told = _as_texts(shown, names)[first[n_before:] - n_before]
        if self.shown is not None:
            told = self.shown.vstack(told)
        ranges = [ranges_together([told], name, [known.get(name)])[0] for name in names]
        lo, hi = (np.stack([r[side] for r in ranges], axis=1) for side in (0, 1))
        return self._with(people, labels[n_before:][rows], told, (lo, hi))

    def _with(
        self,
        people: CountArray,
        regions: CodeArray,
        shown: Frame,
        boxes: tuple[CodeArray, CodeArray],
    ) -> Self:
        n = max(self.known.size, int(people.max(initial=-1)) + 1)
        known = np.append(self.known, np.full(n - self.known.size, -1)).astype(np.int32)
        labels, at = number_rows(np.stack([known[people] + 1, regions], axis=1).astype(np.int32))
        before, n_old = known[people][at], self.starts.size - 1
        widths = np.append(np.diff(self.starts), 0)
        starts = np.append(self.starts[:-1], 0)
        indptr, members = _take(starts, widths, self.members, before)
        new = add_box(indptr, members, regions[at], *boxes)
        known[people] = n_old + labels
        starts = np.append(self.starts[:-1], self.members.size + new[0])
        whole = np.append(self.members, new[1])
        used, of_people = np.unique(known[known >= 0], return_inverse=True)
        indptr, members = _take(starts[:-1], np.diff(starts), whole, used)
        ids, first = intern_lists(indptr, members)
        known[known >= 0] = ids[of_people]
        indptr, members = _take(starts[:-1], np.diff(starts), whole, used[first])
        return type(self)(known, indptr, members.astype(np.int32), shown)

    def to_frames(self) -> dict[str, Frame]:
        """Give sets and regions as frames to store; nothing if nothing is kept."""
        if self.shown is None:
            return {}
        sets = np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))
        listed = {_SET: sets.tolist(), _REGION: self.members.tolist()}
        return {_SETS: to_frame(listed)[0], _SHOWN: self.shown}

    @classmethod
    def from_frames(cls, frames: Mapping[str, Frame], known: CodeArray) -> Self:
        """Read what `to_frames` gave, with the set of each person."""
        if _SETS not in frames:
            return cls.empty()
        sets = frames[_SETS].get_column(_SET).to_numpy()
        members = frames[_SETS].get_column(_REGION).to_numpy().astype(np.int32)
        starts = np.searchsorted(sets, np.arange(int(known.max(initial=-1)) + 2)).astype(np.int64)
        return cls(known, starts, members, frames[_SHOWN])


def _as_texts(shown: Frame, names: Sequence[str]) -> Frame:
    """Take all columns as texts: what is a number in one release may be a range in the next."""
    columns = [texts_of(shown, name).alias(name) for name in names]
    return shown.select(columns)


def _take(
    starts: CountArray, widths: CountArray, members: CodeArray, which: CodeArray
) -> tuple[CountArray, CodeArray]:
    """Take some lists out of many."""
    indptr = np.append(0, np.cumsum(widths[which])).astype(np.int64)
    at = np.arange(indptr[-1]) + np.repeat(starts[which] - indptr[:-1], widths[which])
    return indptr, members[at]
