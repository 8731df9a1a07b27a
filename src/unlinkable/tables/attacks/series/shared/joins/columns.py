"""Columns: what releases with different columns show, in numbers that mean the same in all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from attrs import define

from unlinkable.errors import SchemaError
from unlinkable.tables.attacks.series.shared.joins.join_targets import Rule
from unlinkable.tables.attacks.series.shared.joins.nodes import Nodes
from unlinkable.tables.data import Frame, JointNumbering, number_together, read_together
from unlinkable.tables.taxonomies import Kind, Taxonomy
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["JoinColumn", "Releases", "join_columns", "nodes_of"]

Meanings = Mapping[str, Taxonomy]
"""What the texts of columns mean, as a release says."""

_Range = tuple[CodeArray, CodeArray]


@define(eq=False, frozen=True)
class JoinColumn:
    """A column by which records are matched.

    Attributes
    ----------
    name
        The column.
    is_shared
        Whether several releases have it: then values are matched.
    n_codes
        How many codes it has.
    parts
        For each release the ranges that its records show; None if it does not have the column.
    named
        The ranges of values that rules name.
    """

    name: str
    is_shared: bool
    n_codes: int
    parts: tuple[_Range | None, ...]
    named: Mapping[str, tuple[int, int]]


def join_columns(
    frames: Sequence[Mapping[str, Frame]],
    meanings: Sequence[Meanings],
    rules: Sequence[Rule],
    *,
    numbers: bool,
) -> tuple[JoinColumn, ...]:
    """Find the columns by which the records of releases are matched.

    Parameters
    ----------
    frames
        For each release its columns: a frame that has the column, by name.
    meanings
        What their texts mean.
    rules
        Values that do not go together.
    numbers
        Whether numbers and dates are matched, too.

    Raises
    ------
    SchemaError
        If a rule is about numbers, or a label means something else in one release than in another.
    """
    ruled = {name for rule in rules for name in (rule.column, rule.other)}
    found = []
    for name in dict.fromkeys(name for columns in frames for name in columns):
        having = [i for i, columns in enumerate(frames) if name in columns]
        if len(having) < 2 and name not in ruled:
            continue
        values = [r.value for r in rules if r.column == name]
        values += [r.opposite for r in rules if r.other == name]
        shown = [frames[i][name] for i in having]
        known = [meanings[i].get(name) for i in having]
        read = read_together(shown, name, known, values)
        is_number = read.kind is not Kind.CATEGORY
        if is_number and name in ruled:
            raise SchemaError(
                f"a rule names column {name!r}, which holds numbers or dates: rules are about "
                "categories"
            )
        if is_number and not numbers:
            continue
        found.append(_column(name, read, having, len(frames), values))
    return tuple(found)


def _column(
    name: str, read: JointNumbering, having: Sequence[int], n: int, values: Sequence[str]
) -> JoinColumn:
    parts: list[_Range | None] = [None] * n
    for place, i in enumerate(having):
        parts[i] = read.parts[place]
    lo, hi = read.also
    named = {v: (int(lo[at]), int(hi[at])) for at, v in enumerate(values)}
    return JoinColumn(name, len(having) > 1, read.n_codes, tuple(parts), named)


def nodes_of(
    columns: Sequence[JoinColumn], rules: Sequence[Rule], parts: Mapping[str, _Range], n: int
) -> Nodes:
    """Put together what records show on the columns by which they are matched.

    Parameters
    ----------
    columns, rules
        The columns, and the values that do not go together.
    parts
        By column, the ranges that the records show; columns that they lack are left out.
    n
        How many records there are.
    """
    shared = [column for column in columns if column.is_shared]
    lo, hi = np.zeros((2, n, len(shared)), np.int32)
    for j, column in enumerate(shared):
        if column.name in parts:
            lo[:, j], hi[:, j] = parts[column.name]
        else:
            hi[:, j] = column.n_codes
    by_name = {column.name: column for column in columns}
    first, second = np.zeros((2, n), np.int64)
    for bit, rule in enumerate(rules):
        for bits, name, value in (
            (first, rule.column, rule.value),
            (second, rule.other, rule.opposite),
        ):
            if name in parts and name in by_name:
                bits |= _is_under(parts[name], by_name[name].named[value]).astype(np.int64) << bit
    return Nodes(lo, hi, first, second)


def _is_under(shown: _Range, named: tuple[int, int]) -> BoolArray:
    under: BoolArray = (shown[0] >= named[0]) & (shown[1] <= named[1])
    return under


@define(eq=False, frozen=True, slots=False)
class Releases:
    """Releases with different columns.

    Attributes
    ----------
    frames
        What was published.
    columns
        The columns by which records are matched.
    rules
        The values that do not go together.
    x
        The columns that are known.
    """

    frames: tuple[Frame, ...]
    columns: tuple[JoinColumn, ...]
    rules: tuple[Rule, ...]
    x: Columns

    @classmethod
    def of(
        cls,
        frames: Sequence[Frame],
        meanings: Sequence[Meanings],
        x: Columns,
        rules: Sequence[Rule],
        *,
        numbers: bool,
    ) -> Releases:
        """Read what was published."""
        by_name = [dict.fromkeys(frame.columns, frame) for frame in frames]
        columns = join_columns(by_name, meanings, rules, numbers=numbers)
        return cls(tuple(frames), columns, tuple(rules), x)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many codes the columns have by which values are matched."""
        return tuple(column.n_codes for column in self.columns if column.is_shared)

    @property
    def matched(self) -> Columns:
        """The columns by which values are matched."""
        return tuple(column.name for column in self.columns if column.is_shared)

    def having(self, name: str) -> list[int]:
        """Give the releases that have a column."""
        return [i for i, frame in enumerate(self.frames) if name in frame.columns]

    def known(self, i: int) -> CodeArray:
        """Give what is known of the records of a release, a row for each."""
        names = [name for name in self.x if name in self.frames[i].columns]
        codes = [self.coded(name)[0][self.having(name).index(i)] for name in names]
        return np.column_stack(codes) if codes else np.zeros((self.frames[i].height, 0), np.int32)

    def nodes(self, i: int) -> Nodes:
        """Give how the records of a release match others."""
        parts = {c.name: part for c in self.columns if (part := c.parts[i]) is not None}
        return nodes_of(self.columns, self.rules, parts, self.frames[i].height)

    def coded(self, name: str) -> tuple[list[CodeArray], list[str | None]]:
        """Number the texts of a column in all releases that have it."""
        if name not in self._coded:
            frames = [self.frames[i] for i in self.having(name)]
            self._coded[name] = number_together(frames, name)
        return self._coded[name]

    def teller(self, name: str) -> int:
        """Say which release tells a column: the one with most different texts, the last of such.

        Raises
        ------
        SchemaError
            If there is none.
        """
        codes = self.coded(name)[0]
        n_texts = [np.unique(part).size for part in codes]
        return self.having(name)[max(range(len(codes)), key=lambda at: (n_texts[at], at))]

    def of_teller(self, name: str, i: int) -> tuple[CodeArray, list[str | None]]:
        """Give the numbers of a column's texts in one release, and the texts."""
        codes, texts = self.coded(name)
        return codes[self.having(name).index(i)], texts

    def look(self, rows: CountArray, names: Sequence[str]) -> dict[str, str]:
        """Say what records, one of each release or -1, show on the columns that are known."""
        shown = {}
        for i, row in enumerate(rows.tolist()):
            for name in self.x if row >= 0 else ():
                if (having := self.having(name)) and i in having:
                    codes, texts = self.coded(name)
                    called = name if len(having) == 1 else f"{name} of {names[i]}"
                    shown[called] = texts[codes[having.index(i)][row]] or ""
        return shown

    @cached_property
    def _coded(self) -> dict[str, tuple[list[CodeArray], list[str | None]]]:
        return {}
