"""What an adversary assumes of how a release was made.

Asking whether a release would have been made from a table.

There are two ways to know. The method itself is asked what it would publish; or nothing is known of
it but that it generalizes only when needed, so that a more precise release must break a promise.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

import numpy as np
from attrs import define

from unlinkable.errors import DataError, UnlinkableError, UnsupportedError
from unlinkable.params import Choice
from unlinkable.tables.attacks.base.target import Oracle, Target
from unlinkable.tables.attacks.minimal.shared.possible_tables import PossibleTables
from unlinkable.tables.data import (
    ColumnPlan,
    Frame,
    Role,
    Schema,
    Table,
    beside,
    codes_of,
    keep_rows,
    texts_of,
)
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies import read_ranges
from unlinkable.tables.taxonomies.builders import Verbatim
from unlinkable.typing import Columns, CountArray

__all__ = [
    "Assumption",
    "MethodReplay",
    "NeedReplay",
    "Replay",
    "Selective",
    "as_assumption",
    "finest",
    "one_step_finer",
    "same_release",
]


class Assumption(Choice):
    """What the adversary knows of how a release was made."""

    METHOD = "method"
    """The method with all its parameters: the adversary runs it."""
    MINIMAL = "minimal"
    """That values are generalized only if the original values break a promise."""
    ONE_STEP = "one-step"
    """That no column could be told one step more precisely without breaking a promise."""

    @property
    def words(self) -> str:
        """What the adversary knows, as part of a sentence."""
        if self is Assumption.METHOD:
            return "the method"
        return "that nothing is generalized without need"


def as_assumption(value: Assumption | str | None) -> Assumption | None:
    """Read what is assumed; None leaves it to what is at hand."""
    return None if value is None else Assumption(value)


@runtime_checkable
class Selective(Protocol):
    """A method that says which columns besides the quasi-identifier it looks at."""

    @property
    def reads(self) -> Columns:
        """The names of these columns."""


class Replay(Protocol):
    """Decides whether a release would have been made from a table."""

    def keeps(self, records: CountArray) -> bool:
        """Whether it would, if every person has what this record tells."""


@define(eq=False, frozen=True)
class MethodReplay:
    """Replay the method.

    Attributes
    ----------
    tables, target
        What is possible, and what was published.
    oracle
        The method.
    rng
        The source of its chance.
    """

    tables: PossibleTables
    target: Target
    oracle: Oracle
    rng: np.random.Generator

    def keeps(self, records: CountArray) -> bool:
        try:
            answer = self.oracle.publish(self.tables.table(records), self.rng)
        except UnlinkableError:
            return False
        return same_release(answer, self.target, tuple(self.tables.told.columns))

    def require_same(self, original: Table) -> None:
        """Refuse a method that does not make the release again from the original records.

        Raises
        ------
        UnsupportedError
            If it does not.
        """
        told = tuple(self.tables.told.columns)
        columns = [original.schema[name] for name in (*self.target.quasi, *told)]
        table = Table(original.frame.select([c.name for c in columns]), Schema(columns))
        try:
            answer = self.oracle.publish(table, self.rng)
        except UnlinkableError as error:
            raise UnsupportedError(f"the method cannot be asked: {error}") from error
        if not same_release(answer, self.target, told):
            raise UnsupportedError(
                f"{self.oracle.algorithm} does not make this release again from the original "
                "records: it was made in another way, and what it gives away cannot be said"
            )


def same_release(answer: Target, target: Target, told: Columns) -> bool:
    """Whether two releases tell the same, in whatever order, and whatever buckets are called."""
    if len(answer) != len(target) or (answer.bucket is None) != (target.bucket is None):
        return False
    if any(name not in answer.frame.columns for name in (*target.quasi, *told)):
        return False
    if target.bucket is None:
        columns = (*target.quasi, *told)
        return _sorted(answer.frame, columns).equals(_sorted(target.frame, columns))
    return _in_buckets(answer, told) == _in_buckets(target, told)


def _sorted(frame: Frame, columns: Columns) -> Frame:
    return frame.select([texts_of(frame, name) for name in columns]).sort(columns)


def _in_buckets(target: Target, told: Columns) -> list[str]:
    """Write down what each bucket shows and what it hides, in the order of these texts."""
    assert target.bucket is not None
    halves = []
    for columns in (target.quasi, told):
        together = _sorted(target.frame, (target.bucket, *columns))
        listed = together.group_by(target.bucket, maintain_order=True).all()
        halves.append(listed.select(columns).rows())
    return sorted(repr(bucket) for bucket in zip(*halves, strict=True))


@define(eq=False, frozen=True)
class NeedReplay:
    """Replay whether a promise would have been broken by more precise releases.

    Attributes
    ----------
    tables, target
        What is possible, and what was published with which promises.
    finer
        The groups of each more precise release.
    people
        Those who are in them.
    """

    tables: PossibleTables
    target: Target
    finer: tuple[Counted, ...]
    people: CountArray

    @classmethod
    def of(
        cls, tables: PossibleTables, target: Target, frames: Iterable[Frame], people: CountArray
    ) -> NeedReplay:
        """Group people by what they would show."""
        return cls(tables, target, tuple(map(_grouped, frames)), people)

    def keeps(self, records: CountArray) -> bool:
        privacy = All(self.target.promises)
        needs = privacy.needs()
        hidden = self._hidden(records[self.people], {n for names in needs for n in names})
        for counted in self.finer:
            groups = counted.also(hidden, needs).finest
            if privacy.prepared(groups).holds(groups):
                return False
        return True

    def _hidden(self, records: CountArray, names: set[str]) -> Table:
        """Give what promises refer to: also original quasi-identifiers, which everybody keeps."""
        told, builders = keep_rows(self.tables.told, records), self.target.builders
        known = [name for name in self.tables.people.columns if name in names]
        frame = beside(told, keep_rows(self.tables.people, self.people), known)
        columns = [
            ColumnPlan(name, Role.SENSITIVE, builders.get(name, Verbatim()))
            for name in sorted(names)
        ]
        return Table(frame.select([column.name for column in columns]), Schema(columns))


def finest(tables: PossibleTables) -> tuple[list[Frame], CountArray]:
    """Give what everybody would show if nothing were generalized, and who has a record."""
    people = np.flatnonzero(tables.pools >= 0)
    return [keep_rows(tables.people, people)], people


def one_step_finer(tables: PossibleTables, target: Target) -> tuple[list[Frame], CountArray]:
    """Give what everybody would show if one column were told one step more precisely.

    The step goes down the taxonomy, for all values of the column that are generalized.

    Raises
    ------
    DataError
        If nobody is told what the values of a column mean.
    """
    people = np.flatnonzero(tables.pools >= 0)
    record = np.zeros(int(tables.record_pools.max(initial=-1)) + 1, np.int64)
    record[tables.record_pools] = np.arange(tables.record_pools.size)
    records = record[tables.pools[people]]
    now, next_ = {}, {}
    for name in target.quasi:
        if name not in target.taxonomies:
            raise DataError(
                f"nobody is told what the values of {name!r} mean: ask about assumes=minimal"
            )
        now[name], next_[name] = _steps(tables, target, name, people, records)
    frames = [
        to_frame({**now, name: next_[name]})[0]
        for name in target.quasi
        if not np.array_equal(now[name], next_[name])
    ]
    return frames, people


def _steps(
    tables: PossibleTables, target: Target, name: str, people: CountArray, records: CountArray
) -> tuple[CountArray, CountArray]:
    """Number what people show on a column, and what they would show one step further down."""
    taxonomy = target.taxonomies[name]
    shown_lo, shown_hi = read_ranges(taxonomy, texts_of(target.frame, name), column=name)
    lo, hi = shown_lo[records].astype(np.int64), shown_hi[records].astype(np.int64)
    codes = codes_of(tables.people, name, taxonomy.domain)[people]
    new_lo, new_hi, is_open = lo.copy(), hi.copy(), hi - lo > 1
    for nodes in reversed(taxonomy.levels):
        node_lo, node_hi = nodes.lo[codes], nodes.hi[codes]
        steps = (
            is_open
            & (codes >= 0)
            & (node_lo >= lo)
            & (node_hi <= hi)
            & (node_hi - node_lo < hi - lo)
        )
        new_lo[steps], new_hi[steps] = node_lo[steps], node_hi[steps]
        is_open &= ~steps
    return lo * (taxonomy.n + 1) + hi, new_lo * (taxonomy.n + 1) + new_hi


def _grouped(frame: Frame) -> Counted:
    columns = [ColumnPlan(name, Role.QUASI, Verbatim()) for name in frame.columns]
    return count(Table(frame, Schema(columns)))
