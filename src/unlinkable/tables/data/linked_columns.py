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

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl
from attrs import define

from unlinkable.errors import DataError, SchemaError
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
    "JointNumbering",
    "LinkedColumn",
    "LinkedSide",
    "link_column",
    "link_columns",
    "number_together",
    "ranges_together",
    "read_together",
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


def number_together(
    frames: Sequence[pl.DataFrame], name: str
) -> tuple[list[CodeArray], list[str | None]]:
    """Number the texts of a column of several tables.

    Returns
    -------
    tuple[list[CodeArray], list[str | None]]
        For each table the number of what every record shows, and the text of each number; None
        for a missing value.

    Examples
    --------
    >>> first = pl.DataFrame({"ill": ["flu", "hiv"]})
    >>> second = pl.DataFrame({"ill": ["hiv", "cold"]})
    >>> codes, texts = number_together([first, second], "ill")
    >>> [[texts[c] for c in part] for part in codes]
    [['flu', 'hiv'], ['hiv', 'cold']]
    """
    column = pl.concat([frame.get_column(name).cast(pl.String) for frame in frames])
    numbered = number(column)
    domain = numbered.observed.domain
    texts = [*domain.values.tolist(), *([None] if domain.has_missing else [])]
    return _parted(frames, numbered.codes[numbered.numbers]), texts


def ranges_together(
    frames: Sequence[pl.DataFrame], name: str, taxonomies: Iterable[Taxonomy | None] = ()
) -> list[tuple[CodeArray, CodeArray]]:
    """Read a column of several releases in one code space.

    Parameters
    ----------
    frames
        The releases.
    name
        The column.
    taxonomies
        What each release says that its labels mean. Later ones may know further values; what they
        both know must stand under the same labels.

    Returns
    -------
    list[tuple[CodeArray, CodeArray]]
        For each table the range ``[lo, hi)`` of codes that every record shows. Two values can be of
        the same person if their ranges overlap.

    Raises
    ------
    SchemaError
        If a label means something else in one release than in another.
    DataError
        If a text means nothing.

    Examples
    --------
    >>> first = pl.DataFrame({"age": ["[30-35)", "[30-35)"]})
    >>> second = pl.DataFrame({"age": ["31", "[35-40)"]})
    >>> (lo, hi), (lo2, hi2) = ranges_together([first, second], "age")
    >>> ((lo < hi2) & (lo2 < hi)).tolist()
    [True, False]
    """
    return read_together(frames, name, taxonomies).parts


@define(eq=False, frozen=True)
class JointNumbering:
    """A column of several tables in one code space.

    Attributes
    ----------
    kind
        What sort of values it was read as.
    n_codes
        How many codes there are; the last one is the missing value's.
    parts
        For each table the range ``[lo, hi)`` of codes that every record shows.
    also
        The ranges of further texts.
    """

    kind: Kind
    n_codes: int
    parts: list[tuple[CodeArray, CodeArray]]
    also: tuple[CodeArray, CodeArray]


def read_together(
    frames: Sequence[pl.DataFrame],
    name: str,
    taxonomies: Iterable[Taxonomy | None] = (),
    also: Sequence[str | None] = (),
) -> JointNumbering:
    """Read a column of several releases in one code space, and say what sort of values it has.

    Columns that hold numbers in all tables are numbers, whether or not any shows an interval. What
    is asked for ``also`` are further texts, which no table needs to show.
    Takes and raises what `ranges_together` does.

    Examples
    --------
    >>> column = read_together([pl.DataFrame({"sex": ["m", "f"]}), pl.DataFrame({"sex": ["*"]})],
    ...     "sex")
    >>> column.kind, column.n_codes
    (<Kind.CATEGORY: 'category'>, 3)
    """
    known = [taxonomy for taxonomy in taxonomies if taxonomy is not None]
    _refuse_other_meanings(name, known)
    widest = max(known, key=lambda taxonomy: taxonomy.n, default=None)
    texts = [frame.get_column(name).cast(pl.String) for frame in frames]
    column = pl.concat([*texts, pl.Series(name, [*also], dtype=pl.String)])
    linked = link_column(name, column, column, widest)
    shown = linked.published
    lo, hi = shown.lo[shown.numbers], shown.hi[shown.numbers]
    n = lo.size - len(also)
    parts = list(zip(_parted(frames, lo[:n]), _parted(frames, hi[:n]), strict=True))
    dtypes = [frame.schema[name] for frame in frames]
    is_plain = widest is None and linked.kind is Kind.CATEGORY
    is_counted = is_plain and all(dtype.is_numeric() for dtype in dtypes)
    kind = Kind.NUMBER if is_counted else linked.kind
    return JointNumbering(kind, linked.n_codes, parts, (lo[n:], hi[n:]))


def _parted(frames: Sequence[pl.DataFrame], codes: CodeArray) -> list[CodeArray]:
    ends = np.cumsum([frame.height for frame in frames])[:-1]
    return [np.ascontiguousarray(part, np.int32) for part in np.split(codes, ends)]


def _refuse_other_meanings(name: str, taxonomies: Sequence[Taxonomy]) -> None:
    """Refuse labels that stand for other values in one release than in another."""
    listed = [t for t in taxonomies if t.domain.kind is Kind.CATEGORY]
    meanings = [_meanings(taxonomy) for taxonomy in listed]
    for i, (one, known) in enumerate(zip(meanings, listed, strict=True)):
        for other, others in zip(meanings[:i], listed[:i], strict=True):
            both = set(known.domain.values.tolist()) & set(others.domain.values.tolist())
            for label in one.keys() & other.keys():
                if (one[label] & both) != (other[label] & both):
                    raise SchemaError(
                        f"{label!r} of column {name!r} stands for other values in one release than "
                        "in another: keep the taxonomy, or name what changed differently"
                    )


def _meanings(taxonomy: Taxonomy) -> Mapping[str, set[str]]:
    """List the values under each label."""
    values = taxonomy.domain.values.tolist()
    starts = {label: taxonomy.levels[level].starts for label, (level, _) in taxonomy.named.items()}
    return {
        label: set(values[starts[label][node] : starts[label][node + 1]])
        for label, (_, node) in taxonomy.named.items()
    }
