"""Cells: what is counted of a column, without looking at the records.

Which cells there are is published with their counts, and must be known to everybody beforehand: a
list of values that was taken from the records tells that somebody has each of them. The taxonomy of
a column that the holder drew up is such a list; numbers and dates need public bins.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError, ParameterError, UnsupportedError
from unlinkable.tables.data import Table, is_listed, numbers_of
from unlinkable.tables.methods.noisy.shared.bins import draw_within, interval_edges, read_edges
from unlinkable.tables.taxonomies import Kind, write_interval, write_level
from unlinkable.tables.taxonomies.builders import Csv, Dates, Intervals, Mask, Tree
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["Cells", "binned_cells", "cells_of", "listed_cells"]

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
        """Draw a value from each of these cells: a category as it is told, a number at random.

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
