"""Side tables: what is known besides the records, in files of its own.

A population to be lost in, what an adversary believes beforehand, which values are how far apart:
some promises refer to a table beside the one that is published. A promise names it; here it is
found and opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl
from attrs import define, field

from unlinkable.errors import DataError, ParameterError, SchemaError, in_short, unknown
from unlinkable.params import exact
from unlinkable.tables.data.reading.files import read_frame
from unlinkable.tables.data.reading.frames import to_frame
from unlinkable.tables.data.reading.options import ReadOptions
from unlinkable.typing import FloatArray

__all__ = ["Side", "SideTable", "as_side"]

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
