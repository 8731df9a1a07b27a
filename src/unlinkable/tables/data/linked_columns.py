"""Linked columns: what two tables show on a column of the same name, as ranges of one code space.

An adversary who joins a release with a list of people has raw values on one side and generalized
ones on the other, or any mixture of both. Here the texts of both sides become ranges ``[lo, hi)``
of codes; two texts are compatible if their ranges overlap.

=========================  =====================================================================
text                       what it covers
=========================  =====================================================================
a number or date           itself; a day covers its times
``[30-35)``, ``<20``       the numbers or dates in it, whether or not anybody has them
a label of the taxonomy    the values under it
``{Dancer, Writer}``       these values
``130**``                  the values that begin so and are as long
``*``                      everything
a missing value            itself alone
any other text             itself alone
=========================  =====================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from attrs import define

from unlinkable.errors import DataError
from unlinkable.tables.data.linked_values import read_categories, read_scales
from unlinkable.tables.taxonomies import (
    Domain,
    Kind,
    Numbered,
    Taxonomy,
    number,
    read_bounds,
    read_set,
)
from unlinkable.typing import CodeArray, FloatArray

__all__ = [
    "LinkedColumn",
    "LinkedSide",
    "link_column",
    "link_columns",
]


@define(eq=False, frozen=True, slots=False)
class LinkedSide:
    """What one table shows on a column.

    Attributes
    ----------
    numbers
        For every record the number of what it shows.
    lo, hi
        The range of codes of each number; ``[0, 0)`` for numbers that do not occur.
    codes
        For each number its code in `domain`; -1 for numbers that do not occur.
    domain
        What is shown, as it is written.
    """

    numbers: CodeArray
    lo: CodeArray
    hi: CodeArray
    codes: CodeArray
    domain: Domain

    def text(self, number: int) -> str | None:
        """Give the text of a number; None for a missing value."""
        code = int(self.codes[number])
        return None if code in (-1, self.domain.missing) else self.domain.text(code)

    def ranges(self) -> tuple[CodeArray, CodeArray]:
        """Number the different ranges: for each number its range, and the bounds of each range."""
        pairs = np.column_stack([self.lo, self.hi])
        bounds, numbers = np.unique(pairs, axis=0, return_inverse=True)
        return numbers.astype(np.int32).ravel(), bounds.astype(np.int32)


@define(eq=False, frozen=True)
class LinkedColumn:
    """A column of two tables in one code space.

    Attributes
    ----------
    name
        The column.
    kind
        What sort of values it was read as.
    published, listed
        The two sides.
    places
        Where each code lies, if they are numbers or dates (in microseconds).
    texts
        What each code is called, if they are categories.
    known
        The share of the values of the list that the release knows, if they are categories; else 1.
    """

    name: str
    kind: Kind
    published: LinkedSide
    listed: LinkedSide
    places: FloatArray
    texts: Sequence[str]
    known: float = 1.0

    @property
    def n_codes(self) -> int:
        """How many codes there are; the last one is the missing value's."""
        return max(self.places.size, len(self.texts)) + 1


def link_column(
    name: str, published: pl.Series, listed: pl.Series, taxonomy: Taxonomy | None = None
) -> LinkedColumn:
    """Read a column of a release and the same column of a list in one code space.

    Without a taxonomy, values are numbers or dates if either side holds such or shows intervals of
    them; other texts mean themselves, and so do numbers and dates where the other side shows sets
    of them. A value that the taxonomy lacks is covered by ``*`` alone.

    Raises
    ------
    DataError
        If a text means nothing, the two sides hold things of different kinds, or no category of the
        list is known to the release.

    Examples
    --------
    >>> column = link_column("age", pl.Series(["[30-35)", "*"]), pl.Series([34, 35]))
    >>> column.published.lo[:2].tolist(), column.published.hi[:2].tolist()
    ([0, 0], [2, 4])
    >>> column.listed.lo[:2].tolist()
    [1, 2]
    """
    sides = number(_as_written(published)), number(_as_written(listed))
    domains = sides[0].observed.domain, sides[1].observed.domain
    kind = _kind(name, *domains, taxonomy)
    if kind is Kind.CATEGORY:
        ranges, texts, known = read_categories(name, sides, taxonomy)
        places = np.zeros(0)
    else:
        ranges, places = read_scales(name, kind, sides, taxonomy)
        texts, known = [], 1.0
    n_codes = max(places.size, len(texts)) + 1
    first, second = (_shown(side, part, n_codes) for side, part in zip(sides, ranges, strict=True))
    return LinkedColumn(name, kind, first, second, places, texts, known)


def link_columns(
    published: pl.DataFrame,
    listed: pl.DataFrame,
    names: Sequence[str],
    taxonomies: Mapping[str, Taxonomy],
) -> list[LinkedColumn]:
    """Read several columns of two tables, each in a code space of its own."""
    return [
        link_column(name, published.get_column(name), listed.get_column(name), taxonomies.get(name))
        for name in names
    ]


def _as_written(series: pl.Series) -> pl.Series:
    """Take numbers of 32 bits for the decimals that they are written as: 70.1, not 70.0999985."""
    if series.dtype != pl.Float32:
        return series
    return series.cast(pl.String).cast(pl.Float64)


def _shown(numbered: Numbered, ranges: CodeArray, n_codes: int) -> LinkedSide:
    """Put the ranges of a domain's codes in the order of a column's numbers."""
    domain, codes = numbered.observed.domain, numbered.codes
    if domain.has_missing:
        ranges = np.concatenate([ranges, np.array([[n_codes - 1, n_codes]], np.int32)])
    lo, hi = np.zeros((2, codes.size), np.int32)
    occurs = codes >= 0
    lo[occurs], hi[occurs] = ranges[codes[occurs]].T
    return LinkedSide(numbered.numbers, lo, hi, codes, domain)


def _kind(name: str, published: Domain, listed: Domain, taxonomy: Taxonomy | None) -> Kind:
    """Decide what the values of a column are read as."""
    if taxonomy is not None and taxonomy.domain.n_present:
        return taxonomy.domain.kind
    there = [side for side in (published, listed) if side.n_present]
    ordered = {side.kind for side in there} - {Kind.CATEGORY}
    if len(ordered) > 1:
        raise DataError(
            f"column {name!r} holds dates on one side and numbers on the other: write both in the "
            "same way, or leave the column out"
        )
    if ordered:
        kind = ordered.pop()
        texts = [text for side in there if side.kind is Kind.CATEGORY for text in side.values]
        if any(map(read_set, texts)) and not any(read_bounds(kind, text) for text in texts):
            return Kind.CATEGORY
        return kind
    for kind in (Kind.NUMBER, Kind.DATE):
        if any(read_bounds(kind, text) for side in there for text in side.values):
            return kind
    return Kind.CATEGORY
