"""Naming: who the people of a kind in a group are, as far as anybody can say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.worlds.shared.shown import Shown
from unlinkable.tables.data import SideTable, keep_rows
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import columns_of
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["Naming", "name_column"]


@define(eq=False, frozen=True)
class Naming:
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
        shown = Shown(self.target, self.target.counted().labels)
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
