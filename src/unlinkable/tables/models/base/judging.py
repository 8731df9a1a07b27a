"""Judging: whether a table keeps a promise, told from how its groups are judged."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.ceilings import Ceilings
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.search_traits import SearchTraits
from unlinkable.tables.models.base.verdict import Basis, Verdict
from unlinkable.typing import BoolArray, CodeArray, FloatArray

if TYPE_CHECKING:
    from unlinkable.tables.models.base.model import GroupModel

__all__ = ["Judging"]


class Judging(SearchTraits, Ceilings):
    """How a table is judged, group by group, as each adversary sees them."""

    parameter: ClassVar[str]
    """The parameter in whose unit `level` measures."""
    higher_is_safer: ClassVar[bool] = True
    """Which way `level` runs."""

    @abc.abstractmethod
    def judge(self, groups: Groups) -> BoolArray:
        """Decide for each group whether it is as it must be."""

    @abc.abstractmethod
    def level(self, groups: Groups) -> FloatArray:
        """Measure each group in the unit of the parameter."""

    def witness(self, groups: Groups, at: int) -> str:
        """Say in words what is the matter with one group, as the adversary sees it."""
        level = float(self.level(groups)[at])
        return f"{self.parameter} is {level:.6g} here"

    def seen(self, groups: Groups) -> Iterable[tuple[Groups, CodeArray]]:
        """Give the groups as every adversary sees them, and where each group is among them."""
        shorter = self.merging is Merging.UNSAFE
        return groups.known(self.knows(groups.columns), shorter=shorter)

    def good(self, groups: Groups) -> BoolArray:
        """Decide for each group whether all that an adversary may see of it is as it must be."""
        if self.local:
            return self.judge(groups)
        good = np.ones(len(groups), bool)
        for seen, parent in self.seen(groups):
            good &= self.judge(seen)[parent]
        return good

    def holds(self, groups: Groups) -> bool:
        """Whether every set of records that an adversary may be left with is as it must be."""
        return all(bool(self.judge(seen).all()) for seen, _ in self.seen(groups))

    def survives(self, groups: Groups, parts: BoolArray, column: str) -> bool:
        """Whether the promise still holds after groups were split on a column, given it held.

        Whoever does not know that column sees what they saw. Whoever does sees some of the parts
        together, and nothing else with them: all records with such a value were split.

        Parameters
        ----------
        groups
            All groups after the split; records that differ on the column now and were alike on it
            before are all among the parts.
        parts
            Which of the groups came out of the split.
        column
            On which column they differ.
        """
        if self.collective:
            return self.holds(groups)
        if column not in self.knows(groups.columns).columns:
            return True
        split = groups.select(parts)
        return all(
            bool(self.judge(seen).all()) for seen, _ in self.seen(split) if column in seen.columns
        )

    def verdict(self, groups: Groups) -> Verdict:
        """Judge all groups, and say where and by how much the promise is broken."""
        model, good = cast("GroupModel", self), np.ones(len(groups), bool)
        sign = 1.0 if self.higher_is_safer else -1.0
        least, worst, place = np.inf, -1, (groups.columns, "")
        for seen, parent in self.seen(groups):
            good &= self.judge(seen)[parent]
            reached = sign * self.level(seen)
            at = int(np.argmin(reached)) if len(seen) else -1
            if at >= 0 and (worst < 0 or reached[at] < least):
                least, worst = float(reached[at]), int(np.flatnonzero(parent == at)[0])
                place = seen.columns, self.witness(seen, at)
        if worst < 0:
            return Verdict(model, True, {self.parameter: None}, good, -1, basis=self.basis(groups))
        return Verdict(
            model,
            bool(good.all()),
            self.reached(groups, sign * least),
            good,
            worst,
            seen_on=place[0],
            why=place[1],
            basis=self.basis(groups),
            reading="; ".join(filter(None, [self.reading(groups), self.unseen(groups)])),
        )

    def reached(self, groups: Groups, level: float) -> Mapping[str, float | None]:
        """Name what the table reaches, given the level of its worst group."""
        return {self.parameter: level}

    def basis(self, groups: Groups) -> Basis:
        """State what the verdict on these groups rests on."""
        return Basis.COUNTED

    def reading(self, groups: Groups) -> str:
        """State which reading of the definition the verdict follows, if there are several."""
        return ""

    def unseen(self, groups: Groups) -> str:
        """State which of the values that the promise is about no record has: it is easily kept."""
        return ""
