"""Knots: parts of a tangle in numbers of their own, so that parts of one shape are counted once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.tables.attacks.series.shared.tangle import Tangle
from unlinkable.tables.attacks.series.shared.world_counting import Knot
from unlinkable.typing import CountArray

__all__ = ["Knots", "Names"]


@define(eq=False, frozen=True)
class Names:
    """What kinds, groups and labels of a knot are called in the releases."""

    kinds: list[int]
    groups: list[int]
    labels: list[int]


class Knots:
    """Parts of a tangle in numbers of their own."""

    def __init__(self, tangle: Tangle, kind_of: CountArray, somebody: CountArray) -> None:
        self._tangle = tangle
        self.n_each = np.bincount(kind_of, minlength=somebody.size)
        kind_at = np.full(tangle.n_people, -1, np.int64)
        kind_at[somebody] = np.arange(somebody.size)
        mine = kind_at[tangle.person] >= 0
        kinds, groups = kind_at[tangle.person[mine]], tangle.group[mine]
        self.where: dict[int, list[int]] = {}
        self.hides: dict[int, dict[int, int]] = {}
        self._kinds = _split(tangle.part_of[somebody])
        self._pairs = kinds, groups, _split(tangle.part[groups])
        hard = np.isin(tangle.part, tangle.part_of[somebody])
        self._groups = _split(tangle.part, np.flatnonzero(hard))
        self.inside: dict[int, list[int]] = {}

    def tie(self, part: int) -> tuple[Knot, Names]:
        """Give a part in numbers of its own; parts of one shape come out equal."""
        tangle = self._tangle
        groups = self._groups[part].tolist()
        for g in groups:
            cells = slice(tangle.starts[g], tangle.starts[g + 1])
            labels, counts = tangle.label[cells].tolist(), tangle.count[cells].tolist()
            self.hides[g] = dict(zip(labels, counts, strict=True))
            self.inside[g] = []
        kinds, places, at = self._pairs
        mine = at[part]
        for kind, g in zip(kinds[mine].tolist(), places[mine].tolist(), strict=True):
            self.where.setdefault(kind, []).append(g)
            self.inside[g].append(kind)
        number = {g: i for i, g in enumerate(groups)}
        own = [(tuple(number[g] for g in self.where[k]), k) for k in self._kinds[part].tolist()]
        own.sort()
        columns = {
            x: tuple(self.hides[g].get(x, 0) for g in groups) for g in groups for x in self.hides[g]
        }
        labels = sorted(columns, key=lambda x: (columns[x], x))
        records = tuple(tuple(self.hides[g].get(x, 0) for x in labels) for g in groups)
        knot = Knot(tuple((int(self.n_each[k]), places) for places, k in own), records)
        return knot, Names([k for _, k in own], groups, labels)

    def left_over(
        self, part: int, shares: list[list[Fraction]], names: Names
    ) -> dict[int, dict[int, Fraction]]:
        """Say how likely labels are for people who are in one release only, by their groups."""
        share_of = dict(zip(names.kinds, shares, strict=True))
        found = {}
        for g in names.groups:
            n_left = int(self._tangle.sizes[g]) - sum(int(self.n_each[k]) for k in self.inside[g])
            if n_left == 0:
                continue
            found[g] = {
                x: (
                    self.hides[g][x]
                    - sum(int(self.n_each[k]) * share_of[k][i] for k in self.inside[g])
                )
                / Fraction(n_left)
                for i, x in enumerate(names.labels)
                if x in self.hides[g]
            }
        return found


def _split(part: CountArray, among: CountArray | None = None) -> dict[int, CountArray]:
    """List the places of each part."""
    among = np.arange(part.size) if among is None else among
    among = among[np.argsort(part[among], kind="stable")]
    parts, first = np.unique(part[among], return_index=True)
    return dict(zip(parts.tolist(), np.split(among, first[1:]), strict=True))
