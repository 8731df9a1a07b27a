"""Listing: rows of texts under a title, as commands and pages show them."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

__all__ = ["Listing"]


@frozen
class Listing:
    """Rows of texts under a title.

    Attributes
    ----------
    title
        What they are about.
    header, rows
        The names of the columns, and a text for each of them in every row.
    right
        The columns that hold numbers, and are aligned to the right.
    """

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    right: tuple[str, ...] = ()
