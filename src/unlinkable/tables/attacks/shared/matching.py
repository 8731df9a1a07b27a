"""Matching: which records of a release could be whose, by what a list tells of people.

A person could have a record if what the list tells of them is compatible with what the record shows
on every shared column: equal where both are raw, and overlapping where one of them is generalized.
People who agree on all shared columns are one *kind*, records that show the same are one *look*;
who matches what is found for kinds and looks, not for people and records.

A missing value is a value of its own, as everywhere: it matches a missing value and ``*``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from attrs import define

from unlinkable.errors import SchemaError, UnsupportedError, unknown
from unlinkable.kernels.counting import count
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared.overlaps import Boxes, Overlaps, Ranges
from unlinkable.tables.data import LinkedColumn, LinkedSide, SideTable, link_columns
from unlinkable.tables.groups import RowNumbers
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["MOST_PAIRS", "Matching", "match", "shared_columns"]

MOST_PAIRS = 400_000_000
"""More pairs of kinds and looks than this are never held at once."""

_LITTLE = 0.1
"""A release that knows no more of the values of a list may write them in another way."""


@define(eq=False, frozen=True, slots=False)
class Matching:
    """Kinds of people, looks of records, and which match.

    Attributes
    ----------
    linked
        The shared columns.
    kind, look
        For every person of the list their kind, for every published record its look.
    first, first_look
        For every kind a person of it, for every look a record with it: the first one.
    overlaps
        What kinds and looks cover on each column.
    """

    linked: tuple[LinkedColumn, ...]
    kind: CodeArray
    look: CodeArray
    first: CountArray
    first_look: CountArray
    overlaps: Overlaps

    @property
    def columns(self) -> Columns:
        """The columns that the list and the release share."""
        return tuple(column.name for column in self.linked)

    @property
    def little_known(self) -> dict[str, float]:
        """The columns of which the release knows hardly any value of the list, with its share."""
        return {c.name: c.known for c in self.linked if c.known <= _LITTLE}

    @cached_property
    def kind_sizes(self) -> CountArray:
        """Number of people of each kind."""
        return count(self.kind, self.first.size)

    @cached_property
    def look_sizes(self) -> CountArray:
        """Number of records with each look."""
        return count(self.look, self.first_look.size)

    @property
    def indptr(self) -> CountArray:
        """Where the looks of each kind begin in `looks`, and where the last ones end."""
        return np.append(0, np.cumsum(self._sums[2])).astype(np.int64)

    @cached_property
    def looks(self) -> CodeArray:
        """The looks that match each kind, rising: ``looks[indptr[kind]:indptr[kind + 1]]``.

        Raises
        ------
        UnsupportedError
            If there are more than `MOST_PAIRS`: look at `chunks` one by one.
        """
        if self.n_pairs > MOST_PAIRS:
            raise UnsupportedError(
                f"{self.n_pairs:,} pairs of people and records match, more than can be listed at "
                "once: give more columns to join on, or a shorter list"
            )
        return self.overlaps.pairs(self._sums[2])[1]

    @property
    def n_pairs(self) -> int:
        """How many pairs of a kind and a look match."""
        return int(self._sums[2].sum())

    def n_records(self) -> CountArray:
        """Count the records that match each kind. Pairs are not listed for it."""
        return self._sums[0]

    def n_people(self) -> CountArray:
        """Count the people of the list who match each look. Pairs are not listed for it."""
        return self._sums[1]

    def chunks(self, most: int = 1 << 25) -> Iterator[tuple[CountArray, CountArray, CodeArray]]:
        """Give the matching looks of some kinds after the other: kinds, and indptr and looks.

        A chunk holds no more than ``most`` pairs, unless one kind alone has more.
        """
        n_met = self._sums[2]
        if self.n_pairs <= most:
            yield np.arange(n_met.size), self.indptr, self.looks
            return
        start, ends = 0, np.cumsum(n_met)
        while start < n_met.size:
            before = int(ends[start - 1]) if start else 0
            end = max(start + 1, int(np.searchsorted(ends, before + most, "right")))
            kinds = np.arange(start, end)
            part = Overlaps(
                self.overlaps.first.take(kinds), self.overlaps.second, self.overlaps.sizes
            )
            yield kinds, *part.pairs(n_met[start:end])
            start = end

    def on(self, columns: Columns) -> Matching:
        """Join on some of the columns only, without reading them again."""
        if columns == self.columns:
            return self
        return _matched([column for column in self.linked if column.name in columns])

    @cached_property
    def _sums(self) -> tuple[CountArray, CountArray, CountArray]:
        return self.overlaps.sums(self.kind_sizes, self.look_sizes)


def match(target: Target, people: SideTable, columns: Columns | None = None) -> Matching:
    """Join a list of people with the looks of a release.

    Parameters
    ----------
    target
        The release.
    people
        The list. Its values may be raw or generalized.
    columns
        The columns to join on; if not given, all columns by which people may be known that the
        list has.

    Cost
    ----
    O(n + m) for n people and m records where every column is raw on one side and of one level on
    the other; else O((n + m) log m) for boxes that hardly overlap, and more the more they do.

    Raises
    ------
    SchemaError
        If there is no column to join on.
    DataError
        If what a column shows cannot be read.

    Examples
    --------
    >>> import polars as pl
    >>> ages = ["[30-40)", "[30-40)", "[40-50)"]
    >>> told = pl.DataFrame({"age": ages, "ill": ["flu", "hiv", "flu"]})
    >>> voters = SideTable("voters", pl.DataFrame({"name": ["Ann", "Bob"], "age": [34, 60]}))
    >>> found = match(Target(told, ("age",), ("ill",)), voters)
    >>> found.n_records().tolist(), found.n_people().tolist()
    ([2, 0], [1, 0])
    """
    names = shared_columns(target, people, columns)
    return _matched(link_columns(target.frame, people.frame, names, target.taxonomies))


def _matched(linked: Sequence[LinkedColumn]) -> Matching:
    kind, first, kinds = _distinct([column.listed for column in linked])
    look, first_look, looks = _distinct([column.published for column in linked])
    sizes = tuple(column.n_codes for column in linked)
    return Matching(tuple(linked), kind, look, first, first_look, Overlaps(kinds, looks, sizes))


def shared_columns(target: Target, people: SideTable, columns: Columns | None = None) -> Columns:
    """Name the columns to join a list with a release on.

    Raises
    ------
    SchemaError
        If there are none, or one that was asked for is missing.
    """
    if columns is not None:
        people.require(*columns)
        for name in columns:
            if name not in target.frame.columns:
                raise SchemaError(f"{unknown('column', name, target.frame.columns)} in the release")
    found = columns or tuple(name for name in target.quasi if name in people.columns)
    if not found:
        raise SchemaError(
            f"{people.name!r} shares no column with the release by which people may be known: "
            f"name its columns as the release does ({', '.join(target.quasi) or 'none'})"
        )
    return found


def _distinct(sides: list[LinkedSide]) -> tuple[CodeArray, CountArray, Boxes]:
    """Number the distinct combinations of rows, and give the ranges of each."""
    rows, ranges = RowNumbers(sides[0].numbers.size), []
    for side in sides:
        numbers, bounds = side.ranges()
        rows.add_digits(side.numbers, numbers, len(bounds))
        ranges.append((side.numbers, numbers, bounds))
    labels, first = rows.finish()
    columns: tuple[Ranges, ...] = tuple(
        (numbers[shown[first]], bounds) for shown, numbers, bounds in ranges
    )
    return labels, first, Boxes(first.size, columns)
