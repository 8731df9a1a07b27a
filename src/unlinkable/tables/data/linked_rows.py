"""Where a value of a linked column is, for messages: they name rows, never what a row shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.tables.taxonomies import Numbered

__all__ = ["row_of", "texts_shown"]

_SIDES = ("the release", "the list")


def row_of(sides: Sequence[Numbered], side: int, codes: Sequence[int]) -> str:
    """Name the first row of a side that shows one of these values, counted from 1.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.taxonomies.encoding import number
    >>> sides = number(pl.Series(["b", "c"])), number(pl.Series(["b", "a", "b"]))
    >>> row_of(sides, 1, [0])
    'row 2 of the list'
    """
    is_meant = np.isin(sides[side].codes, codes)
    row = int(np.argmax(is_meant[sides[side].numbers])) + 1
    return f"row {row:,} of {_SIDES[side]}"


def texts_shown(side: Numbered) -> list[str]:
    """Write the present values of a column, in the order of their codes."""
    domain = side.observed.domain
    return [domain.text_of(value) for value in domain.values]
