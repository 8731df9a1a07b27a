"""Victims: the people with the highest confidence, and what identifies them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import define

from unlinkable.tables.attacks.base.attack import MOST_SHOWN, Victim
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.data import SideTable, keep_rows, texts_of
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import columns_of
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray

__all__ = ["SharedValues", "TopVictims", "VictimNames", "most_confident", "name_column"]


class TopVictims:
    """The people with the highest confidence, out of all that are offered.

    Of equal confidence, those count who were offered first.

    Examples
    --------
    >>> surest = TopVictims(most=2)
    >>> surest.offer(np.array([0.5, 0.2]), lambda at: Victim({"job": f"a{at}"}, 0.5))
    >>> surest.offer(np.array([1.0, 0.5]), lambda at: Victim({"job": f"b{at}"}, 1 - at / 2))
    >>> [victim.who["job"] for victim in surest.victims]
    ['b0', 'a0']
    """

    def __init__(self, most: int = MOST_SHOWN) -> None:
        self._most = most
        self._found: list[tuple[float, Victim]] = []

    @property
    def victims(self) -> tuple[Victim, ...]:
        """The victims, in descending order of confidence."""
        return tuple(victim for _, victim in self._found)

    @property
    def highest(self) -> float:
        """The highest confidence; 0 if there is nobody."""
        return max((victim.confidence for victim in self.victims), default=0.0)

    def offer(self, sure: FloatArray, tell: Callable[[int], Victim]) -> None:
        """Take in how confident an adversary is of each set of people, and how to tell of one."""
        least = self._found[-1][0] if len(self._found) == self._most else 0.0
        picked = [at for at in most_confident(sure, self._most).tolist() if sure[at] > least]
        found = self._found + [(float(sure[at]), tell(at)) for at in picked]
        found.sort(key=lambda pair: -pair[0])
        self._found = found[: self._most]


def most_confident(sure: FloatArray, most: int = MOST_SHOWN) -> CountArray:
    """Give the places of the largest numbers, the largest first; among equals the first ones.

    Examples
    --------
    >>> most_confident(np.array([0.1, 0.7, 0.9, 0.7]), 2).tolist()
    [2, 1]
    """
    if sure.size <= most:
        return np.argsort(-sure, kind="stable")
    least = np.partition(sure, sure.size - most)[sure.size - most]
    above = np.flatnonzero(sure > least)
    ties = np.flatnonzero(sure == least)[: most - above.size]
    picked = np.concatenate([above, ties])
    return picked[np.argsort(-sure[picked], kind="stable")]


class SharedValues:
    """The columns on which all records of a group are alike, by group.

    Examples
    --------
    >>> import polars as pl
    >>> told = Target(pl.DataFrame({"job": ["cook", "clerk"], "ill": [1, 2]}), ("job",), ("ill",))
    >>> SharedValues(told, told.counted().labels).of(1)
    {'job': 'clerk'}
    """

    def __init__(self, target: Target, labels: CodeArray) -> None:
        self._target = target
        self._first = np.zeros(int(labels.max(initial=-1)) + 1, np.int64)
        self._first[labels[::-1]] = np.arange(labels.size - 1, -1, -1)

    def of(self, group: int) -> dict[str, str]:
        """Give what the people of a group show; the empty text for what is missing."""
        row = keep_rows(self._target.frame, self._first[[group]])
        return {name: texts_of(row, name)[0] or "" for name in self._target.alike}


@define(eq=False, frozen=True)
class VictimNames:
    """What people are called who are in a group and show the same on some columns.

    Attributes
    ----------
    target
        The release.
    groups
        Which group of the release each group is that is asked about.
    columns
        What people of a kind have in common.
    people, parts, identity
        A list of people, the group of the release that each is in (-1 if nobody can say), and the
        column with their names; None if there is no list.
    """

    target: Target
    groups: CountArray
    columns: Columns
    people: SideTable | None = None
    parts: CodeArray | None = None
    identity: str | None = None

    def __call__(self, seen: Histogram, entries: Sequence[int]) -> list[list[dict[str, str]]]:
        """Name the people of entries one by one, or say what all of them show."""
        shown = SharedValues(self.target, self.target.counted().labels)
        groups = self.groups[seen.row[list(entries)]].tolist()
        listed = self._listed(groups)
        found = []
        for entry, group in zip(entries, groups, strict=True):
            signature = _signature(seen, entry)
            names = listed.get((group, *signature), [])
            if len(names) == seen.counts[entry]:
                found.append([{self.identity or "": name} for name in names])
            else:
                texts = dict(zip(self.columns, signature, strict=True))
                found.append([{**shown.of(group), **texts}])
        return found

    def _listed(self, groups: Sequence[int]) -> dict[tuple[object, ...], list[str]]:
        """Give the names of people by the group that they are in, and what they show."""
        if self.people is None or self.parts is None or self.identity is None:
            return {}
        if not {*self.columns, self.identity} <= set(self.people.columns):
            return {}
        rows = np.flatnonzero(np.isin(self.parts, groups))
        some = SideTable(self.people.name, keep_rows(self.people.frame, rows))
        texts = [[text or "" for text in some.texts(name)] for name in self.columns]
        found: dict[tuple[object, ...], list[str]] = {}
        names = some.texts(self.identity)
        for group, name, *key in zip(self.parts[rows].tolist(), names, *texts, strict=True):
            found.setdefault((group, *key), []).append(name or "")
        return found


def name_column(people: SideTable, asked: str | None, target: Target) -> str | None:
    """Find the column of a list with the names: the one asked for, or the first that is new.

    Raises
    ------
    SchemaError
        If the list has no such column.
    """
    if asked is not None:
        people.require(asked)
        return asked
    return next((name for name in people.columns if name not in target.frame.columns), None)


def _signature(seen: Histogram, entry: int) -> tuple[str, ...]:
    code = seen.values[entry]
    return tuple(taxonomy.domain.text(int(codes[code])) for taxonomy, codes in columns_of(seen))
