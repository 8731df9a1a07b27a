"""Columns made from codes: values that were drawn by chance, as people write them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from unlinkable.errors import UnsupportedError
from unlinkable.tables.data.release_columns import Column, Frame
from unlinkable.tables.data.table import Table
from unlinkable.tables.taxonomies import Kind
from unlinkable.tables.taxonomies.builders import Csv, Tree
from unlinkable.typing import CodeArray

__all__ = ["column_from_codes", "frame_from_codes", "is_listed", "with_codes"]


def with_codes(frame: Frame, table: Table, name: str, codes: CodeArray) -> Frame:
    """Replace the values of a column by those of codes of its taxonomy."""
    return frame.with_columns(column_from_codes(table, name, codes))


def column_from_codes(table: Table, name: str, codes: CodeArray) -> Column:
    """Write codes of the taxonomy of a column as values, in the type that the column has.

    Values that no record has are known to the taxonomy alone. Where one of these is asked for, and
    the type of the column has no room for it, the column becomes one of texts.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"age": [40, 20, None]}, quasi="age")
    >>> column_from_codes(staff, "age", np.array([0, 0, 1, 2], np.int32)).to_list()
    [20, 20, 40, None]
    """
    taxonomy, column = table.taxonomy(name), table.frame.get_column(name)
    somewhere = np.full(taxonomy.n, -1, np.int64)
    own = table.codes(name)
    somewhere[own] = np.arange(own.size)
    if (somewhere[codes] >= 0).all():
        return column.gather(somewhere[codes])
    domain = taxonomy.domain
    values = [domain.scalar(code) for code in range(domain.n)]
    made = pl.Series(name, values, strict=False).gather(codes)
    is_number = domain.kind is not Kind.CATEGORY and made.dtype != column.dtype
    return made.cast(column.dtype) if is_number else made


def frame_from_codes(table: Table, codes: Mapping[str, CodeArray]) -> Frame:
    """Make a frame of codes of the taxonomies of columns."""
    return pl.DataFrame([column_from_codes(table, name, own) for name, own in codes.items()])


def is_listed(table: Table, name: str) -> bool:
    """Whether the values of a column were listed beforehand, and not found among the records.

    A tree or a hierarchy file lists values whether they occur or not. All other taxonomies are made
    from the values that occur, which tells that somebody has each of them.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> staff = as_table({"sex": ["f"], "job": ["cook"]}, quasi=["sex", "job"],
    ...     taxonomies={"sex": Tree({"any": ["f", "m"]})})
    >>> is_listed(staff, "sex"), is_listed(staff, "job")
    (True, False)
    """
    return isinstance(table.schema[name].taxonomy, Tree | Csv)


def require_listed(table: Table, name: str, otherwise: str = "") -> None:
    """Refuse a column of which the values that somebody has would be told, and nobody paid for it.

    Parameters
    ----------
    table, name
        The column.
    otherwise
        What else could be done.

    Raises
    ------
    UnsupportedError
        If its values were not listed beforehand.
    """
    if not is_listed(table, name):
        raise UnsupportedError(
            f"the values of column {name!r} are those that somebody has, and that would be told: "
            f"list all values it may have, by a tree or a hierarchy file{otherwise}"
        )
