"""Cells: what is counted of a column, without looking at the records.

Which cells there are is published with their counts, and must be known to everybody beforehand: a
list of values that was taken from the records tells that somebody has each of them. The taxonomy of
a column that the holder drew up is such a list; numbers and dates need public bins.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError, ParameterError, UnsupportedError
from unlinkable.params import exact
from unlinkable.tables.data import Frame, Table, frame_of, free_name, is_listed, numbers_of
from unlinkable.tables.methods.noisy.shared.marginals import Axes
from unlinkable.tables.taxonomies import ANY, Kind, write_interval, write_level
from unlinkable.tables.taxonomies.builders import Csv, Dates, Intervals, Mask, Tree
from unlinkable.typing import CodeArray, FloatArray

__all__ = [
    "Cells",
    "binned_cells",
    "cells_of",
    "draw_within",
    "interval_edges",
    "listed_cells",
    "marginal_rows",
    "published",
    "read_edges",
]

_MOST_BINS = 100_000
"""Intervals of a taxonomy that cut more finely than this are refused."""


def interval_edges(name: str, intervals: Intervals, level: int | None) -> list[str | float]:
    """Give where the intervals of a level begin, from its lowest number to its highest.

    Raises
    ------
    UnsupportedError
        If the lowest and the highest number are not told.
    ParameterError
        If there is no such level, or it has far too many intervals.

    Examples
    --------
    >>> interval_edges("age", Intervals(5, 20, start=10, low=18, high=60), 2)
    [18, 30, 50, 60]
    """
    low, high = intervals.low, intervals.high
    if low is None or high is None:
        raise UnsupportedError(
            f"the range of {name!r} is not known without looking at the records: give low and high "
            f'to its Intervals, or bins=[["{name}", ...]]'
        )
    chosen = 1 if level is None else level
    if not 1 <= chosen <= len(intervals.widths):
        raise ParameterError(
            f"the intervals of {name!r} have levels 1 to {len(intervals.widths)}, and no level "
            f"{chosen}"
        )
    width = intervals.widths[chosen - 1]
    start = low if intervals.start is None else intervals.start
    first, last = ceil((low - start) / width), ceil((high - start) / width)
    if last - first > _MOST_BINS:
        raise ParameterError(f"{name!r} has more than {_MOST_BINS} intervals: take a coarser level")
    inside = [start + i * width for i in range(first, last)]
    cuts = [low, *(cut for cut in inside if cut > low), high]
    return [float(cut) if cut.denominator > 1 else int(cut) for cut in cuts]


def read_edges(name: str, bins: Sequence[str | float], kind: Kind) -> tuple[FloatArray, list[str]]:
    """Read where bins begin and end, as numbers and as texts; days count from 1970.

    Raises
    ------
    ParameterError
        If there is none, they do not rise, or one is no number or day.

    Examples
    --------
    >>> edges, texts = read_edges("age", [20, 40.5], Kind.NUMBER)
    >>> edges.tolist(), texts
    ([20.0, 40.5], ['20', '40.5'])
    """
    if not bins:
        raise ParameterError(f"bins of {name!r} need at least one number where they begin")
    if kind is Kind.DATE:
        try:
            days = np.array([np.datetime64(str(edge), "D") for edge in bins])
        except ValueError:
            raise ParameterError(f"bins of {name!r} must be days like 2024-01-31") from None
        edges, words = days.astype(np.int64).astype(np.float64), [str(day) for day in days]
    else:
        numbers = [exact(edge) for edge in bins]
        edges, words = np.array([float(x) for x in numbers]), [_decimal(x) for x in numbers]
    if not (np.diff(edges) > 0).all():
        raise ParameterError(f"bins of {name!r} must rise")
    return edges, words


def _decimal(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number.numerator)
    return np.format_float_positional(float(number), trim="-")


def draw_within(
    lower: FloatArray, upper: FloatArray, rng: np.random.Generator, *, is_whole: bool
) -> FloatArray:
    """Draw a number from each interval ``[lower, upper)``, all equally likely.

    In an interval with an open end it is the end that is known, or the first number below it.

    Examples
    --------
    >>> ends = np.array([-np.inf, 3.0, 7.5]), np.array([3.0, 3.5, np.inf])
    >>> draw_within(*ends, np.random.default_rng(0), is_whole=True).tolist()
    [2.0, 3.0, 8.0]
    """
    below = np.where(is_whole, np.ceil(upper) - 1, np.nextafter(upper, -np.inf))
    low = np.where(np.isinf(lower), below, np.ceil(lower) if is_whole else lower)
    high = np.where(np.isinf(lower), low, np.where(np.isinf(upper), low, below))
    # An interval without a whole number in it tells its lower end.
    width = np.maximum(high - low, 0)
    place = rng.random(len(low))
    drawn = low + (np.floor(place * (width + 1)) if is_whole else place * width)
    return np.asarray(np.minimum(drawn, low + width), np.float64)


_RULES = (Tree, Csv, Intervals, Mask, Dates)
"""Taxonomies in which the nodes above a value do not depend on the other values that occur."""


@define(eq=False, frozen=True)
class Cells:
    """The cells of a column, and the cell of every record.

    Attributes
    ----------
    name
        The column.
    texts
        What each cell is called; None for the cell of missing values, which is the last one.
    codes
        The cell of every record.
    lower, upper
        If the column holds numbers or dates: cell ``i`` holds those in ``[lower[i], upper[i])``,
        dates as days; not a number for missing values, and infinite at open ends.
    leaves, starts
        If they are listed one by one: cell ``i`` holds ``leaves[starts[i]:starts[i + 1]]``.
    """

    name: str
    texts: NDArray[np.object_]
    codes: CodeArray
    lower: FloatArray | None = None
    upper: FloatArray | None = None
    leaves: FloatArray | None = None
    starts: CodeArray | None = None

    @property
    def n(self) -> int:
        """Number of cells."""
        return len(self.texts)

    def draw(
        self, codes: CodeArray, rng: np.random.Generator, *, is_whole: bool
    ) -> NDArray[np.object_] | FloatArray:
        """Draw a value from each of these cells: a category as published, a number at random.

        Numbers are equally likely everywhere in their cell. In a cell with an open end it is the
        end that is known, or for numbers below it, the first one below.

        Parameters
        ----------
        codes
            The cells to draw from.
        rng
            The source of chance.
        is_whole
            Whether numbers are whole, or days.
        """
        if self.leaves is not None and self.starts is not None:
            first, n = self.starts[codes], np.diff(self.starts)[codes]
            at = first + np.floor(rng.random(len(codes)) * n).astype(np.int64)
            drawn = self.leaves[np.minimum(at, len(self.leaves) - 1)] if self.leaves.size else at
            return np.where(n > 0, drawn, np.nan).astype(np.float64)
        if self.lower is None or self.upper is None:
            return self.texts[codes]
        return draw_within(self.lower[codes], self.upper[codes], rng, is_whole=is_whole)


def cells_of(
    table: Table,
    name: str,
    *,
    bins: Sequence[str | float] | None = None,
    level: int | None = None,
    may_miss: bool = False,
) -> Cells:
    """Find the cells of a column and count nothing yet.

    Parameters
    ----------
    table, name
        The column.
    bins
        Where bins of numbers or dates begin and end. What lies outside has cells of its own.
    level
        The level of the taxonomy whose nodes are the cells; by default its values, or the finest
        intervals of numbers.
    may_miss
        Whether there is a cell for missing values.

    Raises
    ------
    UnsupportedError
        If the cells of numbers or dates are not known without looking at the records.
    ParameterError
        If there is no such level, or bins are no numbers.
    DataError
        If values are missing, and there is no cell for them.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [30, 34, 51]}, quasi="age")
    >>> cells = cells_of(people, "age", bins=[20, 40, 60])
    >>> cells.texts.tolist(), cells.codes.tolist()
    (['<20', '[20-40)', '[40-60)', '>=60'], [1, 1, 2])
    """
    domain = table.numbered(name).observed.domain
    if domain.has_missing and not may_miss:
        raise DataError(
            f"values of column {name!r} are missing: name it in missing=[...], so that missing "
            "values have a cell of their own whether there are any or not; or fill them in"
        )
    if bins is not None:
        if level is not None:
            raise ParameterError(f"give bins or a level for {name!r}, not both")
        return binned_cells(table, name, bins, may_miss=may_miss)
    builder = table.schema[name].taxonomy
    if isinstance(builder, Intervals):
        return binned_cells(table, name, interval_edges(name, builder, level), may_miss=may_miss)
    if not is_listed(table, name) and domain.kind is not Kind.CATEGORY:
        raise UnsupportedError(
            f"which {domain.kind.value}s column {name!r} may hold is not known without looking at "
            f'them: give bins=[["{name}", ...]] with the numbers or dates where bins begin and '
            "end, or a taxonomy that lists them (Tree, Csv) or bounds them (Intervals with low and "
            "high)"
        )
    return listed_cells(table, name, level=level or 0, may_miss=may_miss)


def listed_cells(table: Table, name: str, *, level: int, may_miss: bool) -> Cells:
    """Take the nodes on one level of the taxonomy of a column as cells."""
    taxonomy = table.taxonomy(name)
    if not 0 <= level <= taxonomy.height:
        raise ParameterError(
            f"the taxonomy of {name!r} has levels 0 to {taxonomy.height}, and no level {level}"
        )
    if level and not isinstance(table.schema[name].taxonomy, _RULES):
        raise UnsupportedError(
            f"the taxonomy of {name!r} was made from the records, and its nodes give them away: "
            "give one that was drawn up without them, such as a Tree, or count by the values"
        )
    domain = taxonomy.domain
    n_present = domain.n_present
    blocks = taxonomy.levels[level].blocks[:n_present]
    n_nodes = int(blocks[-1]) + 1 if n_present else 0
    starts = np.searchsorted(blocks, np.arange(n_nodes + 1)).astype(np.int32)
    texts = write_level(taxonomy, level, starts[:-1]) if n_nodes else np.empty(0, object)
    cell_of_code = np.append(blocks, np.int32(n_nodes)).astype(np.int32)
    if may_miss:
        texts, starts = np.append(texts, [None]), np.append(starts, starts[-1:])
    is_category = domain.kind is Kind.CATEGORY
    return Cells(
        name,
        texts,
        cell_of_code[table.codes(name)],
        leaves=None if is_category else domain.as_numbers(),
        starts=None if is_category else starts,
    )


def binned_cells(table: Table, name: str, bins: Sequence[str | float], *, may_miss: bool) -> Cells:
    """Take bins of numbers or dates as cells: ``[b0, b1)`` and so on, and what lies outside."""
    kind = table.numbered(name).observed.domain.kind
    if kind is Kind.CATEGORY and len(table):
        raise ParameterError(f"column {name!r} holds categories, and bins are for numbers or dates")
    edges, words = read_edges(name, bins, kind)
    values = numbers_of(table.frame, name)
    codes = np.searchsorted(edges, values, side="right").astype(np.int32)
    ends = [None, *words, None]
    texts = [write_interval(a, b) for a, b in pairwise(ends)]
    lower, upper = np.append(-np.inf, edges), np.append(edges, np.inf)
    if may_miss:
        codes[np.isnan(values)] = len(texts)
        lower, upper = np.append(lower, np.nan), np.append(upper, np.nan)
    named = np.array([*texts, *[None] * may_miss], object)
    return Cells(name, named, codes, lower, upper)


def marginal_rows(cells: Sequence[Cells], axes: Axes) -> list[CodeArray | None]:
    """Give for every attribute its cell in each row of a marginal; None if it is not of it."""
    shape = tuple(cells[a].n for a in axes)
    at = np.indices(shape, np.int32).reshape(len(axes), -1)
    rows: list[CodeArray | None] = [None] * len(cells)
    for i, axis in enumerate(axes):
        rows[axis] = at[i]
    return rows


def published(
    cells: Sequence[Cells],
    rows: Sequence[Sequence[CodeArray | None]],
    counts: Sequence[NDArray[Any]],
) -> tuple[Frame, str]:
    """Put marginals below each other; also tell the name of the column with the counts."""
    columns: dict[str, Any] = {}
    for i, attribute in enumerate(cells):
        parts = []
        for of_marginal, numbers in zip(rows, counts, strict=True):
            codes = of_marginal[i]
            shown = np.full(len(numbers), ANY, object) if codes is None else attribute.texts[codes]
            parts.append(shown)
        columns[attribute.name] = np.concatenate(parts).tolist()
    name = free_name("count", [c.name for c in cells])
    columns[name] = np.concatenate(list(counts))
    return frame_of(columns), name
