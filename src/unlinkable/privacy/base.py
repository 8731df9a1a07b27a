"""What every promise is made of.

A privacy model is two statements: what the adversary may know of a victim (`knows`), and what must
then be true of every set of records that he is left with (`judge`).
"""

from __future__ import annotations

import abc
from collections.abc import Iterable
from enum import Flag, IntEnum, auto
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.groups import Groups, Knowledge
from unlinkable.privacy.verdict import Basis, Verdict
from unlinkable.spelling import write_call
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["All", "Basis", "GroupModel", "Merging", "Threat", "Verdict"]


class Threat(Flag):
    """Which attacks a promise guards against."""

    RECORD = auto()
    """A victim is linked to a record."""
    ATTRIBUTE = auto()
    """A victim is linked to a sensitive value."""
    TABLE = auto()
    """A victim is found to be in the table."""
    PROBABILISTIC = auto()
    """What is believed of a victim changes much."""


class Merging(IntEnum):
    """What merging groups does to a promise that they keep."""

    UNSAFE = 0
    """Two groups that keep it may break it together."""
    SAFE = 1
    """Groups that keep it keep it together: a coarser table is as good as a finer one."""
    ABSORBS = 2
    """A group that keeps it keeps it whatever else is merged in."""


class GroupModel(abc.ABC):
    """A promise that can be seen in the groups of a release."""

    name: ClassVar[str]
    """What the promise is called everywhere."""
    reference: ClassVar[str]
    """Where it is defined."""
    threats: ClassVar[Threat]
    """What it guards against."""
    parameter: ClassVar[str]
    """The parameter in whose unit `level` measures."""
    counts: ClassVar[bool] = False
    """Whether that parameter is a whole number."""
    counts_people: ClassVar[bool] = False
    """Whether it counts people instead of records where owners are known."""
    higher_is_safer: ClassVar[bool] = True
    """Which way `level` runs."""

    @property
    @abc.abstractmethod
    def merging(self) -> Merging:
        """What merging groups does to the promise."""

    @property
    def local(self) -> bool:
        """Whether a group can be judged without looking at the others."""
        return True

    @property
    def relative(self) -> bool:
        """Whether groups are compared with the whole table, so that leaving records out matters."""
        return False

    def bind(self, sensitive: Columns) -> tuple[GroupModel, ...]:
        """Say which of a table's sensitive columns the promise is about.

        A promise that leaves its column open becomes one promise for each sensitive column. One
        that is about no sensitive column is itself.
        """
        return (self,)

    def needs(self) -> frozenset[Columns]:
        """Name the hidden columns that must be counted in each group."""
        return frozenset()

    def knows(self, columns: Columns) -> Knowledge:
        """Say what the adversary may know, out of the quasi-identifier."""
        return Knowledge(columns)

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

    def least_lost(self, groups: Groups, limit: int) -> CountArray:
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

    def verdict(self, groups: Groups) -> Verdict:
        """Judge all groups, and say where and by how much the promise is broken."""
        good = np.ones(len(groups), bool)
        sign = 1.0 if self.higher_is_safer else -1.0
        reached = np.full(len(groups), np.inf)
        for seen, parent in self.seen(groups):
            good &= self.judge(seen)[parent]
            reached = np.minimum(reached, sign * self.level(seen)[parent])
        if not len(groups):
            return Verdict(self, True, None, good, -1)
        worst = int(np.argmin(reached))
        return Verdict(self, bool(good.all()), sign * float(reached[worst]), good, worst)

    def seen(self, groups: Groups) -> Iterable[tuple[Groups, CodeArray]]:
        """Give the groups as every adversary sees them, and where each group is among them."""
        shorter = self.merging is Merging.UNSAFE
        return groups.known(self.knows(groups.columns), shorter=shorter)

    def weaker(self) -> GroupModel | None:
        """Give a promise that asks for a little less, to try what that would save."""
        return None

    def explain_failure(self, groups: Groups) -> str:
        """Say why the table breaks the promise even as one group, and what would help."""
        verdict = self.verdict(groups)
        return (
            f"all {groups.n_records} records together reach {verdict.achieved}, not {self}: "
            "ask for less"
        )

    def __str__(self) -> str:
        return write_call(self)


def _as_tuple(models: Iterable[GroupModel]) -> tuple[GroupModel, ...]:
    return tuple(models)


@frozen
class All(GroupModel):
    """Several promises at once.

    It merges as its least tolerant part does, and is judged part by part.
    """

    name: ClassVar[str] = "all"
    reference: ClassVar[str] = ""
    parameter: ClassVar[str] = ""

    models: tuple[GroupModel, ...] = field(converter=_as_tuple)

    @property
    def merging(self) -> Merging:
        return min((m.merging for m in self.models), default=Merging.ABSORBS)

    @property
    def local(self) -> bool:
        return all(m.local for m in self.models)

    @property
    def relative(self) -> bool:
        return any(m.relative for m in self.models)

    def bind(self, sensitive: Columns) -> tuple[GroupModel, ...]:
        return tuple(bound for m in self.models for bound in m.bind(sensitive))

    def needs(self) -> frozenset[Columns]:
        return frozenset().union(*(m.needs() for m in self.models))

    def judge(self, groups: Groups) -> BoolArray:
        good = np.ones(len(groups), bool)
        for model in self.models:
            good &= model.judge(groups)
        return good

    def good(self, groups: Groups) -> BoolArray:
        good = np.ones(len(groups), bool)
        for model in self.models:
            good &= model.good(groups)
        return good

    def least_lost(self, groups: Groups, limit: int) -> CountArray:
        lost = np.zeros(len(groups), np.int64)
        for model in self.models:
            np.maximum(lost, model.least_lost(groups, limit), out=lost)
        return lost

    def holds(self, groups: Groups) -> bool:
        return all(m.holds(groups) for m in self.models)

    def level(self, groups: Groups) -> FloatArray:
        """Several promises have no common unit."""
        raise TypeError("a conjunction has no level of its own: ask its models")

    def verdicts(self, groups: Groups) -> tuple[Verdict, ...]:
        """Judge every part."""
        return tuple(m.verdict(groups) for m in self.models)

    def __str__(self) -> str:
        return " and ".join(map(str, self.models))
