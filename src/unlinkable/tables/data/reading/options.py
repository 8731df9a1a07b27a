"""Options for reading a file whose layout or types would be guessed wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from attrs import field, fields, frozen

from unlinkable.errors import DataError, ParameterError, unknown

__all__ = ["ColumnType", "ReadOptions"]


class ColumnType(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    DATE = "date"
    DATETIME = "datetime"
    BOOLEAN = "boolean"


def _as_types(value: Mapping[str, str]) -> Mapping[str, ColumnType | str]:
    return MappingProxyType({name: _as_type(name, kind) for name, kind in value.items()})


def _as_type(name: str, kind: str) -> ColumnType | str:
    if "%" in kind:
        return kind
    try:
        return ColumnType(kind)
    except ValueError:
        raise ParameterError(
            f"column {name!r}: {unknown('type', kind, ColumnType)}; "
            "a pattern like '%d/%m/%Y' reads dates"
        ) from None


def _as_texts(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(dict.fromkeys(value))


def _is_separator(instance: object, attribute: Any, value: str | None) -> None:
    if value is not None and (len(value) != 1 or not value.isascii() or value in '"\r\n'):
        raise ParameterError(f"separator must be one character such as ',' or ';', got {value!r}")


@frozen(kw_only=True)
class ReadOptions:
    r"""How to read a file; what is None is found out by looking at the file.

    Attributes
    ----------
    separator
        The character between the fields of a CSV file. Telling it also allows a file of one
        column, which is otherwise taken for a file with another separator.
    encoding
        Of a CSV file or of the texts in a file of SPSS, SAS or Stata: ``"utf-8"``, ``"cp1252"``.
    header
        Whether the first line of a CSV file or of a sheet names the columns.
    types
        By column, what its values are (`ColumnType`), or a pattern for its dates
        (``"%d/%m/%Y"``). Only named columns are affected.
    infer
        Whether columns of a CSV file whose values are all numbers or dates are read as such. If
        not, all are text, exactly as it is written.
    sheet
        Name or position (from 0) of the sheet of a workbook; the first one if None.
    query
        What to ask an SQL database.
    missing
        Texts that stand for a missing value, besides the empty field. Nothing is taken for
        missing because it looks like it: ``"NA"`` may be Namibia.
    may_be_empty
        Whether a table without records is fine.
    may_be_one_column
        Whether a CSV file of one column is fine without its separator being told.

    Examples
    --------
    >>> ReadOptions(types={"zip": "text"}).types["zip"]
    <ColumnType.TEXT: 'text'>
    >>> ReadOptions(types={"zip": "txt"})
    Traceback (most recent call last):
    ...
    unlinkable.errors.ParameterError: column 'zip': no type 'txt' among 6 (did you mean 'text'?);
    a pattern like '%d/%m/%Y' reads dates
    """

    separator: str | None = field(default=None, validator=_is_separator)
    encoding: str | None = None
    header: bool | None = None
    types: Mapping[str, ColumnType | str] = field(factory=dict, converter=_as_types)
    infer: bool = True
    sheet: str | int | None = None
    query: str | None = None
    missing: tuple[str, ...] = field(default=(), converter=_as_texts)
    may_be_empty: bool = False
    may_be_one_column: bool = False

    def refuse(self, source: object, *names: str) -> None:
        """Refuse options that were given but mean nothing for this source.

        Raises
        ------
        DataError
            If one of the named options was given.
        """
        for option in fields(ReadOptions):
            if option.name in names and getattr(self, option.name) is not None:
                raise DataError(f"{source}: {option.name!r} means nothing here; leave it out")
