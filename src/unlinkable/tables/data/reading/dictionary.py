"""Text columns as dictionaries: each distinct text once, and a number for every record.

What comes after reading works on the numbers and never touches the texts again. A column of which
nearly every record has its own text stays plain: a dictionary would cost more than it saves.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from unlinkable.typing import Columns

__all__ = ["all_distinct", "distinct", "is_text", "repeating", "settle", "spread", "worth_it"]

_FEW = 1000
"""So many distinct texts always make a dictionary."""


def worth_it(n_distinct: int, n: int) -> bool:
    """Whether so many distinct texts among ``n`` are few enough for a dictionary.

    Examples
    --------
    >>> worth_it(50_000, 1_000_000), worth_it(500_000, 1_000_000)
    (True, False)
    """
    return n_distinct <= max(_FEW, n // 10)


def is_text(column: pl.Series) -> bool:
    """Whether a column holds texts, in whatever form."""
    return isinstance(column.dtype, (pl.String, pl.Categorical, pl.Enum))


def repeating(sample: pl.DataFrame) -> Columns:
    """Name the columns of a sample in which texts come again and again."""
    few = max(_FEW, len(sample) // 2)
    return tuple(s.name for s in sample if s.n_unique() <= few)


def settle(column: pl.Series, keys: pl.Series | None = None) -> pl.Series:
    """Make a text column a dictionary if that is worth it, and plain if not.

    Its distinct texts may be given if they are known.
    """
    if isinstance(column.dtype, pl.Categorical):
        n_distinct = column.n_unique() if keys is None else len(keys)
        return column if worth_it(n_distinct, len(column)) else column.cast(pl.String)
    # The estimate is off by a few percent and costs a tenth of the count.
    if column.dtype == pl.String and worth_it(_estimate(column), len(column)):
        return column.cast(pl.Categorical)
    return column


def distinct(column: pl.Series) -> pl.Series:
    """Give the distinct texts of a column, in its own form and without the missing one."""
    return column.unique().drop_nulls()


def all_distinct(frame: pl.DataFrame) -> dict[str, pl.Series]:
    """Give the distinct texts of all columns that are dictionaries, on all cores at once."""
    found = frame.select(pl.col(pl.Categorical).unique().drop_nulls().implode())
    return {column.name: column.explode(keep_nulls=False) for column in found}


def spread(column: pl.Series, keys: pl.Series, values: pl.Series) -> pl.Series:
    """Give every record of a dictionary column the value that belongs to its text.

    Parameters
    ----------
    column
        A dictionary.
    keys
        Its distinct texts, as `distinct` gives them.
    values
        For each of them the value.

    Examples
    --------
    >>> column = pl.Series("age", ["39", None, "50", "39"], dtype=pl.Categorical)
    >>> keys = distinct(column)
    >>> spread(column, keys, keys.cast(pl.String).cast(pl.Int64)).to_list()
    [39, None, 50, 39]
    """
    codes = keys.to_physical().to_numpy()
    at = np.zeros(int(codes.max()) + 1 if codes.size else 0, np.uint32)
    at[codes] = np.arange(codes.size, dtype=np.uint32)
    by_code = values.gather(pl.Series(at))
    return by_code.gather(column.to_physical()).alias(column.name)


def _estimate(column: pl.Series) -> int:
    return int(column.to_frame().select(pl.all().approx_n_unique()).item())
