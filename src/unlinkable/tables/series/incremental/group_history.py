"""GroupHistory: who was in which group of every release, and what he can have by following records.

Byun's history table has for everybody the values and the region that all releases have in common
[1]_. That is enough to intersect. It is not enough to follow records: how many people of a group of
some release have a value is a condition of its own, for every release, and neither a multiset nor a
region that all releases have in common tells who was in that group together. So the table keeps the
groups as well, as numbers: people who were together in all releases have one row.

What two earlier releases exclude stays excluded. It is written down once, and only the next release
has to be held against the others.

References
----------
.. [1] J.-W. Byun, T. Li, E. Bertino, N. Li, Y. Sohn. "Privacy-preserving incremental data
   dissemination." Journal of Computer Security 17(1), 2009. Sections 4.5 and 5.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.errors import UnsupportedError
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.series import Kinds, Sheet, Traces, histogram_of, trace
from unlinkable.tables.data import Frame
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.series.incremental.interning import intern_lists
from unlinkable.typing import CodeArray, CountArray

__all__ = ["GroupHistory"]

_PEOPLE, _GROUPS, _VALUES = "followed people", "followed groups", "followed values"
_CAN = "can have"
_Text = str | None


@define(eq=False, frozen=True, slots=False, kw_only=True)
class GroupHistory:
    """Who was in which group of every release, about one sensitive column.

    Nobody changes his value, and no record is made up.

    Attributes
    ----------
    kind
        For each person the number of those who were together with him in all releases; -1 if he
        was in no release.
    value
        What he has; -1 if he was in no release.
    where
        For each kind the group that held it in each release, -1 if it was not there.
    can
        For each kind the number of the set of values that it can have.
    starts, values
        These sets, as lists of numbers of values, rising.
    texts
        What the numbers of values mean.

    Examples
    --------
    The only one with value 0 is in both releases. Person 0 is not with him in the second.

    >>> table = GroupHistory.empty()
    >>> for groups in ([0, 0, 0], [0, 1, 1]):
    ...     table = table.updated(Sheet.of([0, 1, 2], groups, [1, 0, 1]), ["hiv", "flu"])
    >>> [table.can_have(person) for person in range(3)]
    [['flu'], ['hiv', 'flu'], ['hiv', 'flu']]
    >>> [groups.tolist() for groups in table.groups_of(np.array([2, 0, 7]))]
    [[0, 0, -1], [1, 0, -1]]
    """

    kind: CodeArray
    value: CodeArray
    where: CodeArray
    can: CodeArray
    starts: CountArray
    values: CodeArray
    texts: tuple[_Text, ...]

    @classmethod
    def empty(cls) -> Self:
        """Give what is known before anything is published: nothing."""
        none = np.zeros(0, np.int32)
        where, starts = np.zeros((0, 0), np.int32), np.zeros(1, np.int64)
        return cls(
            kind=none, value=none, where=where, can=none, starts=starts, values=none, texts=()
        )

    @property
    def n_people(self) -> int:
        """One more than the largest number of a person who was in a release."""
        return self.kind.size

    @property
    def n_releases(self) -> int:
        """How many releases there were."""
        return int(self.where.shape[1])

    def can_have(self, person: int) -> list[_Text]:
        """List the values that somebody can have by following records."""
        if person >= self.n_people or self.kind[person] < 0:
            return []
        at = int(self.can[self.kind[person]])
        return [self.texts[value] for value in self.values[slice(*self.starts[at : at + 2])]]

    def values_of(self, people: CountArray) -> CodeArray:
        """Give the number of what each of these people has; -1 for who was in no release."""
        return np.append(self.value, np.int32(-1))[self._rows(people)]

    def groups_of(self, people: CountArray) -> list[CodeArray]:
        """Give for each release the groups of these people, -1 for who was not in it."""
        kinds = np.append(self.kind, np.int32(-1))[self._rows(people)]
        where = np.append(self.where, np.full((1, self.n_releases), -1, np.int32), axis=0)
        return [np.ascontiguousarray(column[kinds]) for column in where.T]

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """All releases in numbers. Their records are in the order of people."""
        found = []
        for groups in self.groups_of(np.arange(self.n_people)):
            there = np.flatnonzero(groups >= 0)
            n_groups = int(groups.max(initial=-1)) + 1
            values = self.value[there]
            found.append(Sheet(there, groups[there], values, n_groups, len(self.texts)))
        return tuple(found)

    @cached_property
    def traces(self) -> Traces:
        """What following the records of all releases tells, as `trace` would find it anew."""
        owners = tuple(sheet.people for sheet in self.sheets)
        first = np.unique(self.kind, return_index=True)[1][-len(self.where) :]
        kinds = Kinds(owners, self.kind, self.where, first, self.n_people)
        hidden = tuple(map(histogram_of, self.sheets))
        common, n = kinds.common(hidden), len(self.texts)
        sets = np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))
        asked = self.can[common.row].astype(np.int64) * n + common.values
        return Traces(kinds, hidden, common, np.isin(asked, sets * n + self.values), 0)

    def updated(self, sheet: Sheet, texts: Sequence[_Text] | None = None) -> Self:
        """Take in one more release.

        Parameters
        ----------
        sheet
            Who is in which group, and what records hide.
        texts
            What the numbers of the values mean; themselves if not given.

        Raises
        ------
        UnsupportedError
            If somebody's value is not what it was, or a record was made up.
        """
        texts = tuple(map(str, range(sheet.n_values))) if texts is None else tuple(texts)
        here = self.with_texts(tuple(dict.fromkeys((*texts, *self.texts))))
        here._require_followed(sheet)
        new = evolve(sheet, n_values=len(here.texts))
        traced = trace([*here.sheets, new], earlier=here.traces if len(here.where) else None)
        value = np.full(traced.kinds.n_people, -1, np.int32)
        value[: here.n_people] = here.value
        value[new.people] = new.values
        possible = np.flatnonzero(traced.is_possible)
        n_left = np.bincount(traced.common.row[possible], minlength=len(traced.kinds))
        starts, values = np.append(0, np.cumsum(n_left)), traced.common.values[possible]
        can, first = intern_lists(starts, values)
        kept = [values[starts[i] : starts[i + 1]] for i in first.tolist()]
        return evolve(
            here,
            kind=traced.kinds.kind,
            value=value,
            where=traced.kinds.where,
            can=can,
            starts=np.append(0, np.cumsum(n_left[first])).astype(np.int64),
            values=np.concatenate([values[:0], *kept]),
        )

    def with_texts(self, texts: Sequence[_Text]) -> Self:
        """Give the same with other numbers of values: those of ``texts``, which must have all."""
        if tuple(texts) == self.texts:
            return self
        place = {text: i for i, text in enumerate(texts)}
        number = np.array([*(place[text] for text in self.texts), -1], np.int32)
        values = number[self.values]
        sets = np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))
        order = np.lexsort((values, sets))
        return evolve(self, value=number[self.value], values=values[order], texts=tuple(texts))

    def to_frames(self) -> dict[str, Frame]:
        """Give everything as frames to store: people, those who were together, and values."""
        named = np.array([*self.texts, None], object)
        sets = np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))
        groups = {str(i + 1): column.tolist() for i, column in enumerate(self.where.T)}
        frames: dict[str, Mapping[str, object]] = {
            _PEOPLE: {"kind": self.kind.tolist(), "value": named[self.value].tolist()},
            _GROUPS: {_CAN: self.can.tolist(), **groups},
            _VALUES: {"set": sets.tolist(), "value": named[self.values].tolist()},
        }
        return {name: to_frame(frame)[0] for name, frame in frames.items()}

    @classmethod
    def from_frames(cls, frames: Mapping[str, Frame]) -> Self | None:
        """Read what `to_frames` gave; None if that is not there."""
        if _PEOPLE not in frames:
            return None
        people, groups, told = frames[_PEOPLE], frames[_GROUPS], frames[_VALUES]
        kind = people.get_column("kind").to_numpy().astype(np.int32)
        has: list[_Text] = people.get_column("value").to_list()
        texts = tuple(dict.fromkeys(text for text, k in zip(has, kind, strict=True) if k >= 0))
        place = {text: i for i, text in enumerate(texts)}
        value = np.array([place.get(text, -1) for text in has], np.int32)
        values = np.array([place[text] for text in told.get_column("value")], np.int32)
        sets: CountArray = told.get_column("set").to_numpy().astype(np.int64)
        can = groups.get_column(_CAN).to_numpy().astype(np.int32)
        where = np.zeros((can.size, groups.width - 1), np.int32)
        for i in range(groups.width - 1):
            where[:, i] = groups.get_column(str(i + 1)).to_numpy()
        return cls(
            kind=kind,
            value=np.where(kind >= 0, value, np.int32(-1)),
            where=where,
            can=can,
            starts=np.searchsorted(sets, np.arange(int(can.max(initial=-1)) + 2)).astype(np.int64),
            values=values[np.lexsort((values, sets))],
            texts=texts,
        )

    def _rows(self, people: CountArray) -> CountArray:
        """Find people in a list that has one more at its end, for all who were in no release."""
        return np.where((people >= 0) & (people < self.n_people), people, -1)

    def _require_followed(self, sheet: Sheet) -> None:
        """Refuse records that nobody could follow from the earlier releases to this one."""
        told = self.values_of(sheet.people)
        changed = int(((told >= 0) & (told != sheet.values)).sum())
        if changed:
            raise UnsupportedError(
                "records are followed by values that stay, and "
                f"{quantity(changed, 'value')} changed from one release to another"
            )
        if (sheet.people < 0).any():
            raise UnsupportedError("records that were made up are nobody's, and not followed")
