"""Columns of several tables together: the same text has the same number in all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl
from attrs import define

from unlinkable.errors import SchemaError
from unlinkable.tables.data.linked_columns import link_column
from unlinkable.tables.taxonomies import Kind, Taxonomy, number
from unlinkable.typing import CodeArray

__all__ = ["JointNumbering", "number_together", "ranges_together", "read_together"]


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
