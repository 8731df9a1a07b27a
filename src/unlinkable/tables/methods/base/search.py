"""What every search for a release has in common.

A search asks only whether the promise holds; it does not know which model it serves. It sees the
finest groups, never a record, and proposes a partition of them. Methods that do anything else to
records than generalize them are in `unlinkable.tables.methods.base.record_method`. Whether a
release keeps its promise is never for the method to say: the verifier judges the published values
again.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import define, field, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.spelling import write_call
from unlinkable.tables.data import Schema
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.models.base import All
from unlinkable.tables.operations.base import Recoding, Scheme
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import CodeArray, Columns, Progress

__all__ = ["ColumnCells", "Method", "Search", "Solution", "Step", "Task"]


def _silent(share: float, words: str) -> None:
    """Report nothing."""


def _never() -> bool:
    """Go on to the end."""
    return False


@define(eq=False, frozen=True)
class Task:
    """What a search is asked for, beside the promise.

    Attributes
    ----------
    attributes
        The quasi-identifying columns, in the order of the columns of the finest groups.
    metric
        What is to be kept small.
    suppression
        Share of the records that may be left out.
    rng
        Random number generator.
    progress
        Progress callback.
    is_stopped
        Whether the search was asked to end with the best that it has. Only methods that are
        `stoppable` ask.
    """

    attributes: tuple[Attribute, ...]
    metric: GroupMetric
    suppression: Fraction = Fraction(0)
    rng: np.random.Generator = field(factory=lambda: np.random.default_rng(0))
    progress: Progress = _silent
    is_stopped: Callable[[], bool] = _never

    def may_suppress(self, n_records: int) -> int:
        """Count the records that may be left out."""
        return int(self.suppression * n_records)


@frozen
class Step:
    """One step of a search: a value was refined or generalized.

    Attributes
    ----------
    column
        Whose values.
    lo, hi
        The range of codes ``[lo, hi)`` that was replaced by its parts, or that replaced them.
    parts
        Where the parts begin: the first at ``lo``. If a value was disclosed among suppressed ones,
        the value alone.
    score
        The score by which the method chose the step.
    """

    column: str
    lo: int
    hi: int
    parts: tuple[int, ...]
    score: float


@define(eq=False, frozen=True)
class ColumnCells:
    """What a column that is no quasi-identifier shows, generalized cell by cell.

    Records of a part that have the same value, and the same value on another column that decides,
    show the same.

    Attributes
    ----------
    decides
        The other column: what people want guarded.
    part, value, other
        The part, the code of the value, and the code on the other column; each combination that
        occurs once.
    lo, hi
        ``[lo, hi)`` is what these records show.
    """

    decides: str
    part: CodeArray
    value: CodeArray
    other: CodeArray
    lo: CodeArray
    hi: CodeArray


@define(eq=False, frozen=True)
class Solution:
    """What a search found.

    Attributes
    ----------
    partition
        Which records are put together, and what they show.
    effort
        What it took: nodes checked, groups judged, rounds.
    optimal
        Whether it is proved that no other release of this kind loses less, whichever groups it
        leaves out; None if the method does not aim at that.
    node
        The level of every attribute, if all values of an attribute go to the same level.
    alternatives
        Other nodes that would do as well by the method's own lights, `node` among them: all
        minimal ones, or all of the least height. Empty if the method looks for one only.
    trace
        What was done, step by step, by methods that go such a way.
    is_complete
        Whether the search came to its own end, and was not stopped before.
    facts
        What else the holder should know of the result, by name. It may tell more of the original
        than the release does, and is not published with it.
    cells
        What columns other than quasi-identifiers show, if they are not published as they are.
    """

    partition: Partition
    effort: Mapping[str, int]
    optimal: bool | None = None
    node: Mapping[str, int] | None = None
    alternatives: tuple[Mapping[str, int], ...] = ()
    trace: tuple[Step, ...] = ()
    is_complete: bool = True
    facts: Mapping[str, float] = field(factory=dict)
    cells: Mapping[str, ColumnCells] = field(factory=dict)


class Method(abc.ABC):
    """A way from a table to a release that keeps a promise and loses little."""

    name: ClassVar[str]
    """What the method is called everywhere."""
    reference: ClassVar[str]
    """Where it is published."""
    truthful: ClassVar[bool]
    """Whether every published record is still true of the person it came from."""
    stoppable: ClassVar[bool] = False
    """Whether it has a release at any time, and ends with that when it is asked to stop."""

    def bind(self, schema: Schema) -> Self:
        """Fill in what was left to the roles of the columns to say.

        Raises
        ------
        SchemaError
            If the table does not have what the method is about.
        """
        return self

    @abc.abstractmethod
    def require(self, privacy: All, *, may_suppress: bool) -> None:
        """Refuse promises that the method cannot serve, before anything is done.

        Raises
        ------
        UnsupportedError
            If there is one; the message says why, and what would do.
        """

    def __str__(self) -> str:
        return write_call(self)


class Search(Method):
    """A search for a partition that keeps a promise and loses little.

    It asks only whether the promise holds; it does not know which model it serves.
    """

    scheme: ClassVar[type[Scheme]]
    """What kind of recoding it proposes: every proposal is held to it."""
    truthful: ClassVar[bool] = True

    def needs(self, schema: Schema) -> frozenset[Columns]:
        """Tell which hidden columns have to be counted, beside what promises and metrics need."""
        return frozenset()

    def misfits(self, recoding: Recoding) -> list[str]:
        """Say what of a proposal is not of the kind that the method makes."""
        return self.scheme.flaws(recoding)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        for model in privacy.models:
            if (reason := model.unsearchable) is not None:
                raise UnsupportedError(f"{self} cannot keep {model}: {reason}")

    @abc.abstractmethod
    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find which of the finest groups to put together, and what they show.

        Raises
        ------
        UnsupportedError
            If the method cannot serve this promise.
        InfeasibleError
            If no partition that the method can form keeps it.
        """
