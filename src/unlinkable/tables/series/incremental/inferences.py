"""Inferences: Byun's history table, what can be inferred of everybody from all releases so far.

It has, for each person, the release that he was first in, the sensitive values that he may have
(the multiset that all his groups have in common), and the regions that he was published in. A new
release is intersected with that, and not with every release before [1]_; `whereabouts` has what it
takes to follow records. What is equal for many people is kept once: people have numbers of
multisets and of sets of regions.

References
----------
.. [1] J.-W. Byun, T. Li, E. Bertino, N. Li, Y. Sohn. "Privacy-preserving incremental data
   dissemination." Journal of Computer Security 17(1), 2009. Section 5.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.kernels.counting import keep_common
from unlinkable.tables.attacks.series import Sheet, histogram_of, rows_of
from unlinkable.tables.data import Frame
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.groups import Histogram, number_rows
from unlinkable.tables.series.incremental.interning import intern_multisets
from unlinkable.tables.series.incremental.published_regions import PublishedRegions
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Inferences"]

_PEOPLE, _VALUES, _RELEASES = "inferable people", "inferable values", "inferable releases"
_Text = str | None


@define(eq=False, frozen=True, kw_only=True)
class Inferences:
    """What can be inferred of everybody from all releases so far, about one sensitive column.

    Attributes
    ----------
    first
        The release that each person was first in, from 0; -1 if he was in none. (TS)
    known
        For each person the number of the multiset of values that he may have; -1 if he was in
        no release. (IS)
    starts, values, counts
        The multisets, as a CSR matrix of numbers of values, rising.
    texts
        What the numbers of values mean.
    regions
        What was shown of each person. (IQ)
    n_releases
        How many releases there were.

    Examples
    --------
    >>> first = Sheet.of([0, 1], [0, 0], [0, 1])
    >>> then = Sheet.of([0, 1, 2], [0, 1, 0], [0, 1, 2])
    >>> table = Inferences.start(first, ["flu", "hiv"]).updated(then, ["flu", "hiv", "cold"])
    >>> table.may_have(0), table.may_have(2)
    ({'flu': 1}, {'flu': 1, 'cold': 1})
    """

    first: CodeArray
    known: CodeArray
    starts: CountArray
    values: CodeArray
    counts: CountArray
    texts: tuple[_Text, ...]
    regions: PublishedRegions
    n_releases: int

    @classmethod
    def empty(cls) -> Self:
        """Give what is known before anything is published: nothing."""
        none = np.zeros(0, np.int32)
        return cls(
            first=none,
            known=none,
            starts=np.zeros(1, np.int64),
            values=none,
            counts=np.zeros(0, np.int64),
            texts=(),
            regions=PublishedRegions.empty(),
            n_releases=0,
        )

    @classmethod
    def start(
        cls,
        sheet: Sheet,
        texts: Sequence[_Text] | None = None,
        shown: Frame | None = None,
        taxonomies: Mapping[str, Taxonomy] | None = None,
    ) -> Self:
        """Take in the first release, as `updated` does."""
        return cls.empty().updated(sheet, texts, shown, taxonomies)

    @property
    def n_values(self) -> int:
        """How many values have been numbered."""
        return len(self.texts)

    @property
    def n_people(self) -> int:
        """One more than the largest number of a person who was in a release."""
        return self.first.size

    def may_have(self, person: int) -> dict[_Text, int]:
        """List the values that somebody may have, with their counts."""
        at = int(self.known[person])
        if at < 0:
            return {}
        part = slice(*self.starts[at : at + 2].tolist())
        named = [self.texts[value] for value in self.values[part].tolist()]
        return dict(zip(named, self.counts[part].tolist(), strict=True))

    def known_of(self, people: CountArray) -> CodeArray:
        """Give the number of the multiset of each of these people; -1 for who was in no release."""
        known = np.append(self.known, -1)
        return known[np.where((people >= 0) & (people < self.n_people), people, -1)]

    def updated(
        self,
        sheet: Sheet,
        texts: Sequence[_Text] | None = None,
        shown: Frame | None = None,
        taxonomies: Mapping[str, Taxonomy] | None = None,
    ) -> Self:
        """Take in one more release.

        Parameters
        ----------
        sheet
            Who is in which group, and what groups hide.
        texts
            What the numbers of the values mean; themselves if not given.
        shown
            What is published of each record on the columns by which people may be known; nothing is
            kept of these if not given.
        taxonomies
            What labels mean that are shown.
        """
        texts = tuple(map(str, range(sheet.n_values))) if texts is None else tuple(texts)
        here = self.with_texts(tuple(dict.fromkeys((*texts, *self.texts))))
        shown, rows = (None, sheet.groups) if shown is None else _once(shown, sheet)
        real = sheet.people >= 0
        people, groups = sheet.people[real], sheet.groups[real]
        n_people = max(here.n_people, int(people.max(initial=-1)) + 1)
        known, first = (_longer(column, n_people) for column in (here.known, here.first))
        labels, at = number_rows(np.stack([known[people] + 1, groups], axis=1).astype(np.int32))
        before, group = known[people][at], groups[at]
        hidden = evolve(histogram_of(sheet), n_values=here.n_values)
        old = Histogram(here.starts, here.values, here.counts, here.n_values)
        begun = rows_of([old, hidden], np.where(before < 0, old.n_groups + group, before))
        to_cut = np.where(before < 0, -1, group).astype(np.int32)
        new = Histogram(
            *keep_common(*begun, to_cut, hidden.indptr, hidden.values, hidden.counts), here.n_values
        )
        known[people] = old.n_groups + labels
        first[people[first[people] < 0]] = here.n_releases
        kept, known = intern_multisets([old, new], known)
        return evolve(
            here,
            first=first,
            known=known,
            starts=kept[0],
            values=kept[1],
            counts=kept[2],
            regions=here.regions.updated(people, shown, rows[real], taxonomies),
            n_releases=here.n_releases + 1,
        )

    def with_texts(self, texts: Sequence[_Text]) -> Self:
        """Give the same with other numbers of values: those of ``texts``, which must have them all.

        Numbers that an attack or a table gives to values mean something there only.
        """
        if tuple(texts) == self.texts:
            return self
        place = {text: i for i, text in enumerate(texts)}
        number = np.array([place[text] for text in self.texts], np.int32)
        values = number[self.values] if self.values.size else self.values
        rows = np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))
        order = np.lexsort((values, rows))
        return evolve(self, values=values[order], counts=self.counts[order], texts=tuple(texts))

    def to_frames(self) -> dict[str, Frame]:
        """Give everything as frames to store: a row for every person, multisets, and regions."""
        sets = np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))
        people: dict[str, object] = {
            "first": self.first.tolist(),
            "values": self.known.tolist(),
            "regions": _longer(self.regions.known, self.n_people).tolist(),
        }
        told = {
            "set": sets.tolist(),
            "value": [self.texts[value] for value in self.values.tolist()],
            "count": self.counts.tolist(),
        }
        frames = {_PEOPLE: people, _VALUES: told, _RELEASES: {"number": [self.n_releases]}}
        return {n: to_frame(f)[0] for n, f in frames.items()} | self.regions.to_frames()

    @classmethod
    def from_frames(cls, frames: Mapping[str, Frame]) -> Self:
        """Read what `to_frames` gave."""
        people, told = frames[_PEOPLE], frames[_VALUES]
        first, known, regions = (
            people.get_column(name).to_numpy().astype(np.int32)
            for name in ("first", "values", "regions")
        )
        named: list[_Text] = told.get_column("value").to_list()
        texts = tuple(dict.fromkeys(named))
        place = {text: i for i, text in enumerate(texts)}
        values = np.array([place[text] for text in named], np.int32)
        sets: CountArray = told.get_column("set").to_numpy().astype(np.int64)
        order = np.lexsort((values, sets))
        n_sets = int(known.max(initial=-1)) + 1
        return cls(
            first=first,
            known=known,
            starts=np.searchsorted(sets, np.arange(n_sets + 1)).astype(np.int64),
            values=values[order],
            counts=told.get_column("count").to_numpy().astype(np.int64)[order],
            texts=texts,
            regions=PublishedRegions.from_frames(frames, regions),
            n_releases=int(frames[_RELEASES].get_column("number")[0]),
        )


def _once(shown: Frame, sheet: Sheet) -> tuple[Frame, CodeArray | CountArray]:
    """Take one record of each group if all records of a group show the same, as they mostly do."""
    looks = shown.hash_rows().to_numpy()
    first = np.zeros(sheet.n_groups, np.int64)
    first[sheet.groups] = np.arange(len(sheet))
    if (looks[first][sheet.groups] == looks).all():
        return shown[first], sheet.groups
    return shown, np.arange(len(sheet))


def _longer(column: CodeArray, n: int) -> CodeArray:
    return np.append(column, np.full(max(n - column.size, 0), -1, np.int32)).astype(np.int32)
