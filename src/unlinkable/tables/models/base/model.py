"""What every promise is made of.

A privacy model is two statements: what the adversary may know of a victim (`knows`), and what must
then be true of every set of records that they are left with (`judge`).
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

import numpy as np
from attrs import evolve

from unlinkable.noise import Budget
from unlinkable.spelling import write_call
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.ceilings import Ceilings
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.base.verdict import Basis, Verdict
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["GroupModel", "ValueNormalizer"]

ValueNormalizer = Callable[[str, str], str]
"""Writes a value as its column does, given the column and any text that means the value."""


class GroupModel(Ceilings, abc.ABC):
    """A promise that can be seen in the groups of a release."""

    name: ClassVar[str]
    """What the promise is called everywhere."""
    reference: ClassVar[str]
    """Where it is defined."""
    threats: ClassVar[Threat]
    """What it guards against."""
    in_words: ClassVar[str]
    """What it promises, in a sentence for people who do not know models. Parameters stand in
    braces, with the way to say them: `unlinkable.tables.models.promised` fills them in."""
    does_not_promise: ClassVar[tuple[str, ...]]
    """What it does not promise, in sentences, the gravest gap first."""
    parameter: ClassVar[str]
    """The parameter in whose unit `level` measures."""
    counts_people: ClassVar[bool] = False
    """Whether it counts people instead of records where owners are known."""
    needs_owner: ClassVar[bool] = False
    """Whether it means nothing where it is not known which records belong to the same person."""
    higher_is_safer: ClassVar[bool] = True
    """Which way `level` runs."""
    judges_absence: ClassVar[bool] = False
    """Whether groups without records are judged, too: who could be in the table, and is not."""
    about_values: ClassVar[bool] = False
    """Whether it is only about the hidden values of a group, and about how many share each: then
    it does not matter whether the records of the group show the same."""
    about_beliefs: ClassVar[bool] = False
    """Whether it is about an adversary who knows who is in a group, and how likely each of them has
    a value: then, too, it does not matter whether the records of the group show the same."""
    about_originals: ClassVar[bool] = False
    """Whether it looks at people as they were before anything was published, and who is in a group
    must be known for that."""

    @property
    @abc.abstractmethod
    def merging(self) -> Merging:
        """What merging groups does to the promise."""

    @property
    def collective(self) -> bool:
        """Whether there is one verdict on all groups together, and none on a group alone."""
        return False

    @property
    def local(self) -> bool:
        """Whether a group can be judged without looking at the others."""
        return not self.collective

    @property
    def relative(self) -> bool:
        """Whether groups are compared with the whole table, so that leaving records out matters."""
        return self.collective

    @property
    def unsearchable(self) -> str | None:
        """Why no search among groups can keep the promise; None if one can."""
        return None

    @property
    def least_size(self) -> int:
        """How many records a group needs at least, as far as that is known beforehand."""
        return 1

    def odds(self, alike: Groups) -> Iterable[tuple[str, CodeArray, FloatArray]]:
        """State how likely people are held to have hidden values, if the promise is about that.

        Yields for every prior the hidden column, the codes of the guarded values that occur, and
        the logarithm of the odds of each of them (columns) for the people of each group (rows). All
        people of a group must show the same on the columns that a prior speaks of.
        """
        return ()

    def budget(self, n_records: int) -> Budget | None:
        """State what noise on a table of this size may cost; None if it is not about noise."""
        return None

    @property
    def sources(self) -> Columns:
        """The side tables that the promise refers to, by name."""
        return ()

    def bind(self, context: BindingContext) -> tuple[GroupModel, ...]:
        """Bind the promise to the columns of a table, and open what it refers to.

        A promise that leaves its column open becomes one promise for each sensitive column. One
        that is about no sensitive column is itself.
        """
        return (self,)

    def with_normalized_values(self, normalize: ValueNormalizer) -> GroupModel:
        """Give the promise with its listed values as ``normalize(column, value)`` writes them."""
        return self

    def needs(self) -> frozenset[Columns]:
        """Name the hidden columns that must be counted in each group."""
        return frozenset()

    def prepared(self, finest: Groups) -> GroupModel:
        """Examine the table once before groups of it are judged again and again."""
        return self

    @abc.abstractmethod
    def judge(self, groups: Groups) -> BoolArray:
        """Decide for each group whether it is as it must be."""

    @abc.abstractmethod
    def level(self, groups: Groups) -> FloatArray:
        """Measure each group in the unit of the parameter."""

    def good(self, groups: Groups) -> BoolArray:
        """Decide for each group whether all that an adversary may see of it is as it must be."""
        if self.local:
            return self.judge(groups)
        good = np.ones(len(groups), bool)
        for seen, parent in self.seen(groups):
            good &= self.judge(seen)[parent]
        return good

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Bound from below how many records of each group every finer release leaves out.

        A finer release splits these groups, leaves out at most ``limit`` records, and keeps the
        promise. A search stops at groups that lose more than they may. Where a group that keeps
        the promise keeps it whatever is merged in, a group that breaks it loses all its records: if
        one of them could stay, so could the group. Other promises say nothing unless they know
        better.
        """
        if self.merging is not Merging.ABSORBS or self.relative:
            return np.zeros(len(groups), np.int64)
        return np.where(self.good(groups), 0, groups.sizes)

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
        good = np.ones(len(groups), bool)
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
            return Verdict(self, True, {self.parameter: None}, good, -1, basis=self.basis(groups))
        return Verdict(
            self,
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

    def witness(self, groups: Groups, at: int) -> str:
        """Say in words what is the matter with one group, as the adversary sees it."""
        level = float(self.level(groups)[at])
        return f"{self.parameter} is {level:.6g} here"

    def seen(self, groups: Groups) -> Iterable[tuple[Groups, CodeArray]]:
        """Give the groups as every adversary sees them, and where each group is among them."""
        shorter = self.merging is Merging.UNSAFE
        return groups.known(self.knows(groups.columns), shorter=shorter)

    def consequences(self) -> tuple[GroupModel, ...]:
        """Give other promises that every table keeps which keeps this one."""
        return ()

    def covers(self, other: GroupModel) -> bool:
        """Whether every table that keeps this promise keeps another of the same kind.

        By default that is so if it asks for as much, and all other parameters are the same.
        """
        if type(other) is not type(self):
            return False
        mine, asked = getattr(self, self.parameter), getattr(other, self.parameter)
        as_much = mine >= asked if self.higher_is_safer else mine <= asked
        same: Callable[..., GroupModel] = evolve
        return as_much and same(self, **{self.parameter: asked}) == other

    def weaker(self) -> GroupModel | None:
        """Give a promise that asks for a little less, to try what that would save."""
        return None

    def explain_failure(self, groups: Groups) -> str:
        """Explain why the table breaks the promise even as one group, and what would help."""
        verdict = self.verdict(groups)
        return (
            f"all {groups.n_records} records together reach {verdict.achieved}, not {self}: "
            "ask for less"
        )

    def __str__(self) -> str:
        return write_call(self)
