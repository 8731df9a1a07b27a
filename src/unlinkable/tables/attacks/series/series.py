"""Series: releases of the same people, one after the other, as an adversary sees them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Self

import numpy as np
from attrs import define, field

from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError, unknown
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.data import number_together, ranges_together
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["NOBODY", "Edition", "Series", "Sheet"]

NOBODY = -1
"""Whose a record is that was made up."""


@define(eq=False, frozen=True)
class Edition:
    """One release of a series.

    Attributes
    ----------
    target
        What was published.
    people
        Whose each published record is, as a number that is a person's in all releases, `NOBODY` for
        records that were made up; None if nobody can say.
    name
        What the release is called.
    """

    target: Target
    people: CountArray | None = None
    name: str = "a release"

    def __attrs_post_init__(self) -> None:
        if self.people is not None and len(self.people) != len(self.target):
            raise ParameterError(
                f"{self.name} has {len(self.target)} records, and {len(self.people)} are said whose"
            )


@define(eq=False, frozen=True)
class Sheet:
    """One release in numbers: who is in which group, and what the records of the group hide.

    A group is what nobody can tell apart: the records that show the same, or those of a bucket. The
    worst adversary knows who is in which group; which of its records is whose they do not know.

    Attributes
    ----------
    people
        Whose each record is (`Edition.people`).
    groups
        The group of each record, from 0.
    values
        What each record hides, in numbers that mean the same in all releases.
    n_groups, n_values
        How many groups and values there are.
    """

    people: CountArray
    groups: CodeArray
    values: CodeArray
    n_groups: int
    n_values: int

    @classmethod
    def of(
        cls, people: Iterable[int], groups: Iterable[int], values: Iterable[int], n_values: int = 0
    ) -> Self:
        """Take plain numbers, as many of each as there are records.

        Examples
        --------
        >>> Sheet.of([7, 8, 9], [0, 0, 1], [2, 1, 1]).n_groups
        2
        """
        who = np.array([*people], np.int64)
        where, what = np.array([*groups], np.int32), np.array([*values], np.int32)
        n_groups = int(where.max()) + 1 if where.size else 0
        return cls(who, where, what, n_groups, max(n_values, int(what.max(initial=-1)) + 1))

    def __len__(self) -> int:
        return self.groups.size


@define(eq=False, frozen=True, slots=False)
class Series:
    """Releases of the same people, the earliest first.

    Attributes
    ----------
    editions
        The releases.
    names
        What people are called, by their numbers; they are called by their numbers if not given.

    Examples
    --------
    >>> import polars as pl
    >>> first = pl.DataFrame({"job": ["artist", "artist"], "ill": ["flu", "hiv"]})
    >>> then = pl.DataFrame({"job": ["*", "*", "*"], "ill": ["hiv", "cold", "flu"]})
    >>> series = Series((
    ...     Edition(Target(first, ("job",), ("ill",)), np.array([0, 1])),
    ...     Edition(Target(then, ("job",), ("ill",)), np.array([1, 2, 0])),
    ... ))
    >>> [sheet.groups.tolist() for sheet in series.sheets("ill")]
    [[0, 0], [0, 0, 0]]
    >>> [series.texts("ill")[c] for c in series.sheets("ill")[1].values]
    ['hiv', 'cold', 'flu']
    """

    editions: tuple[Edition, ...]
    names: Sequence[str] | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.editions)

    def called(self, person: int) -> dict[str, str]:
        """Identify a victim."""
        if self.names is None or person >= len(self.names):
            return {"person": f"{person + 1}"}
        return {"person": self.names[person]}

    @property
    def knows_people(self) -> bool:
        """Whether it is known whose every record is."""
        return all(edition.people is not None for edition in self.editions)

    @cached_property
    def n_people(self) -> int:
        """One more than the largest number of a person."""
        known = [e.people for e in self.editions if e.people is not None]
        return max((int(people.max(initial=-1)) + 1 for people in known), default=0)

    @property
    def repeated(self) -> str | None:
        """The first release in which a person has several records; None if there is none."""
        for edition in self.editions:
            people = edition.people
            if people is not None and np.bincount(people[people >= 0]).max(initial=0) > 1:
                return edition.name
        return None

    @property
    def has_same_columns(self) -> bool:
        """Whether all releases show the same columns."""
        return len({frozenset(edition.target.frame.columns) for edition in self.editions}) < 2

    @property
    def quasi(self) -> Columns:
        """The columns by which people may be known that all releases have."""
        first, *rest = [edition.target.quasi for edition in self.editions]
        return tuple(name for name in first if all(name in other for other in rest))

    @property
    def sensitive(self) -> Columns:
        """The columns with what nobody should find out that all releases have."""
        first, *rest = [edition.target.sensitive for edition in self.editions]
        return tuple(name for name in first if all(name in other for other in rest))

    def columns_about(self, asked: str | None) -> Columns:
        """Name the sensitive columns that an attack is about: the one asked for, or all.

        Raises
        ------
        SchemaError
            If there is none that all releases have.
        """
        if not self.sensitive:
            raise SchemaError("no sensitive column is in all releases: there is nothing to compare")
        if asked is not None and asked not in self.sensitive:
            raise SchemaError(unknown("sensitive column of all releases", asked, self.sensitive))
        return self.sensitive if asked is None else (asked,)

    @cached_property
    def groups(self) -> tuple[CodeArray, ...]:
        """For each release the group of every record: what nobody can tell apart."""
        return tuple(edition.target.counted().labels for edition in self.editions)

    def sheets(self, column: str) -> tuple[Sheet, ...]:
        """Give every release in numbers, with the values of a sensitive column.

        Raises
        ------
        ParameterError
            If it is not known whose records are.
        """
        codes, texts = self._coded(column)
        n_values = len(texts)
        sheets = []
        for edition, groups, values in zip(self.editions, self.groups, codes, strict=True):
            if edition.people is None:
                raise ParameterError(f"nobody can say whose the records of {edition.name} are")
            n_groups = int(groups.max(initial=-1)) + 1
            sheets.append(Sheet(edition.people, groups, values, n_groups, n_values))
        return tuple(sheets)

    def values(self, column: str) -> tuple[CodeArray, ...]:
        """Give for each release the number of every record's value of a column."""
        return tuple(self._coded(column)[0])

    def texts(self, column: str) -> tuple[str | None, ...]:
        """Give what the numbers of a column's values mean."""
        return tuple(self._coded(column)[1])

    @cached_property
    def boxes(self) -> tuple[tuple[CodeArray, CodeArray], ...]:
        """Give for each release what its groups show, in one code space for all.

        ``lo`` and ``hi`` have a row for every group and a column for each of `quasi`. Two groups
        can hold the same person if their ranges overlap on every column.

        Raises
        ------
        UnsupportedError
            If a release has buckets: records of a bucket do not show the same.
        SchemaError
            If a label means something else in one release than in another.
        DataError
            If a value that came later stands between those of a set that is out already.
        """
        for edition in self.editions:
            if edition.target.bucket is not None:
                raise UnsupportedError(f"{edition.name} has buckets: what they show is no region")
        columns = [self._ranges(name) for name in self.quasi]
        found = []
        for i, groups in enumerate(self.groups):
            first = np.unique(groups, return_index=True)[1]
            shape = (first.size, len(columns))
            lo, hi = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
            for j, parts in enumerate(columns):
                lo[:, j], hi[:, j] = parts[i][0][first], parts[i][1][first]
            found.append((lo, hi))
        return tuple(found)

    def _ranges(self, column: str) -> list[tuple[CodeArray, CodeArray]]:
        frames = [edition.target.frame for edition in self.editions]
        taxonomies = [edition.target.taxonomies.get(column) for edition in self.editions]
        try:
            return ranges_together(frames, column, taxonomies)
        except DataError as error:
            raise DataError(
                f"{error}. If values came later that stand between those of an earlier release, "
                "the series has to begin anew: with a taxonomy that names all values there may be "
                "(tree or csv, not auto), or that masks them, and labels of the taxonomy "
                '(mondrian(labels="taxonomy"))'
            ) from None

    def _coded(self, column: str) -> tuple[list[CodeArray], list[str | None]]:
        if column not in self._numbered:
            frames = [edition.target.frame for edition in self.editions]
            self._numbered[column] = number_together(frames, column)
        return self._numbered[column]

    @cached_property
    def _numbered(self) -> dict[str, tuple[list[CodeArray], list[str | None]]]:
        return {}
