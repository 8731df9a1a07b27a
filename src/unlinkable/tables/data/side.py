"""Side tables: what is known besides the records, in files of its own, and the population."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl
from attrs import define, evolve, field

from unlinkable.errors import DataError, ParameterError, SchemaError, in_short, unknown
from unlinkable.params import exact
from unlinkable.tables.data.reading.files import read_frame
from unlinkable.tables.data.reading.frames import to_frame
from unlinkable.tables.data.reading.options import ReadOptions
from unlinkable.tables.data.schema import ColumnPlan, Role, Schema
from unlinkable.tables.data.table import Table
from unlinkable.tables.taxonomies.builders import Auto, ReadyMade
from unlinkable.typing import FloatArray

__all__ = ["Side", "SideTable", "as_side", "population_table", "with_populations"]

_SIDE = ReadOptions(may_be_one_column=True)
"""A list of values is a table as well."""


@define(eq=False, frozen=True)
class SideTable:
    """A table that a promise refers to.

    Attributes
    ----------
    name
        What it is called.
    frame
        Its records.
    """

    name: str
    frame: pl.DataFrame

    def __len__(self) -> int:
        return self.frame.height

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(self.frame.columns)

    def require(self, *columns: str) -> None:
        """Refuse a table without these columns.

        Raises
        ------
        SchemaError
            If one is missing.
        """
        for name in columns:
            if name not in self.frame.columns:
                raise SchemaError(f"{unknown('column', name, self.columns)} in {self.name!r}")

    def texts(self, column: str) -> list[str | None]:
        """Give a column as texts; None for a missing value.

        Raises
        ------
        SchemaError
            If there is no such column.
        """
        self.require(column)
        return self.frame.get_column(column).cast(pl.String).to_list()

    def numbers(self, column: str) -> FloatArray:
        """Give a column as numbers.

        Raises
        ------
        SchemaError
            If there is no such column.
        DataError
            If a value is missing, or is not a number.
        """
        self.require(column)
        try:
            found = [float(exact(text or "")) for text in self.texts(column)]
        except ParameterError:
            raise DataError(
                f"column {column!r} of {self.name!r} must hold a number in every row"
            ) from None
        return np.array(found, float)


@define(eq=False, frozen=True)
class Side:
    """All side tables: those that are given, and those that are read from files when asked for.

    Attributes
    ----------
    folder
        Where paths start from; None if no file is to be read, whatever it is called.
    given
        Tables that are at hand, by the names that promises use.
    """

    folder: Path | None = field(factory=Path)
    given: Mapping[str, Any] = field(factory=dict)
    _opened: dict[str, SideTable] = field(factory=dict, repr=False)

    @classmethod
    def of(cls, given: Mapping[str, Any] | None = None, folder: Path | None = None) -> Self:
        """Take frames of any kind under their names."""
        return cls(folder or Path(), dict(given or {}))

    @classmethod
    def closed(cls, given: Mapping[str, Any] | None = None) -> Self:
        """Take frames of any kind under their names, and read nothing else.

        For promises that somebody else has written: what they name may be any file of the machine.

        Examples
        --------
        >>> Side.closed().open("../people.csv")
        Traceback (most recent call last):
        ...
        unlinkable.errors.DataError: no side table '../people.csv': there are none here, and no
        file is opened in its place
        """
        return cls(None, dict(given or {}))

    def open(self, name: str) -> SideTable:
        """Find a side table: given under this name, or a file.

        Raises
        ------
        DataError
            If it is neither.
        ParameterError
            If a table is given in place of its name.

        Examples
        --------
        >>> side = Side.of({"people": {"age": [30, 40]}})
        >>> len(side.open("people"))
        2
        """
        if not isinstance(name, str):
            raise ParameterError(
                "a side table is called by its name, like 'people', and given with "
                f"side={{'people': ...}}: got {in_short(name)} for the name"
            )
        if name not in self._opened:
            frame = to_frame(self.given[name])[0] if name in self.given else self._read(name)
            self._opened[name] = SideTable(name, frame)
        return self._opened[name]

    def path(self, name: str) -> Path:
        """Find where the file of this name is, for what is not a table.

        Raises
        ------
        DataError
            If no file is to be read.
        """
        if self.folder is None:
            known = ", ".join(map(repr, self.given))
            there = f"given are {known}" if known else "there are none here"
            raise DataError(
                f"no side table {in_short(name)}: {there}, and no file is opened in its place"
            )
        return self.folder / name

    def opened(self) -> Iterator[SideTable]:
        """Give all tables that were asked for."""
        yield from self._opened.values()

    def _read(self, name: str) -> pl.DataFrame:
        file = self.path(name)
        try:
            return read_frame(file, options=_SIDE)
        except DataError as error:
            known = f"; given are {', '.join(map(repr, self.given))}" if self.given else ""
            raise DataError(f"no side table {name!r}: {error}{known}") from None


def as_side(given: Mapping[str, object] | Side | None) -> Side:
    """Take side tables by their names.

    Raises
    ------
    ParameterError
        If they have none.
    """
    if given is None or isinstance(given, Mapping):
        return Side.of(given)
    if not isinstance(given, Side):
        raise ParameterError(
            f"side must name tables, like side={{'people': frame}}, got {in_short(given)}"
        )
    return given


def with_populations(
    table: Table, populations: Mapping[str, SideTable]
) -> tuple[Table, dict[str, Table]]:
    """Give a table and its populations taxonomies that cover the values of all of them.

    Raises
    ------
    SchemaError
        If a population lacks a quasi-identifying column.
    DataError
        If its values are of another kind than those of the table.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> patients = as_table({"job": ["cook"]}, quasi="job")
    >>> people = SideTable("people", pl.DataFrame({"job": ["cook", "clerk", "cook"]}))
    >>> patients, tables = with_populations(patients, {"people": people})
    >>> patients.taxonomy("job").domain.values.tolist(), len(tables["people"])
    (['clerk', 'cook'], 3)
    """
    if not populations:
        return table, {}
    quasi = table.schema.quasi
    frames = {
        name: _like(population, table.frame, quasi) for name, population in populations.items()
    }
    own = _untyped(table.frame.select(quasi))
    everyone = pl.concat([own, *frames.values()])
    plans = [_plan(table, name) for name in quasi]
    joint = Table(everyone, Schema(plans))
    given = {
        name: ReadyMade(found := joint.taxonomy(name), joint.builder(name).listed(found))
        for name in quasi
    }
    columns = [
        evolve(column, taxonomy=given.get(column.name, column.taxonomy))
        for column in table.schema.columns
    ]
    schema = Schema([ColumnPlan(name, Role.QUASI, given[name]) for name in quasi])
    tables = {name: Table(frame, schema) for name, frame in frames.items()}
    return Table(table.frame, Schema(columns), table.origin, table.source), tables


def population_table(population: SideTable, like: Table) -> Table:
    """Take a population as it stands, with the taxonomies that a table's columns ask for."""
    quasi = like.schema.quasi
    population.require(*quasi)
    plans = [ColumnPlan(name, Role.QUASI, like.schema[name].taxonomy) for name in quasi]
    return Table(population.frame.select(quasi), Schema(plans))


def _plan(table: Table, name: str) -> ColumnPlan:
    plan = table.schema[name]
    if isinstance(plan.taxonomy, Auto) and plan.taxonomy.by_hidden:
        raise SchemaError(
            f"the taxonomy of {name!r} follows the sensitive columns, which a population does not "
            "have: give the column another taxonomy"
        )
    return plan


def _like(population: SideTable, frame: pl.DataFrame, quasi: tuple[str, ...]) -> pl.DataFrame:
    population.require(*quasi)
    found = _untyped(population.frame.select(quasi))
    wanted = _untyped(frame.select(quasi)).schema
    for name in quasi:
        if found.schema[name] == wanted[name]:
            continue
        column = found.get_column(name).cast(wanted[name], strict=False)
        if column.null_count() > found.get_column(name).null_count():
            raise DataError(
                f"column {name!r} of {population.name!r} is not of the kind that the table has "
                f"({found.schema[name]}, and {wanted[name]} there): write it in the same way"
            )
        found = found.with_columns(column)
    return found


def _untyped(frame: pl.DataFrame) -> pl.DataFrame:
    """Give texts in dictionary form as plain texts: two dictionaries do not fit together."""
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
