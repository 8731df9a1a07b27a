"""Workload: many random queries, each a range of codes on a few columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Self, TypeAlias

import numpy as np
from attrs import define

from unlinkable.tables.groups import number_rows
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["Tick", "Workload"]

Tick: TypeAlias = Callable[[float], None]
"""Called now and then with the number of queries that were answered since the last call."""


@define(eq=False, frozen=True)
class Workload:
    """Queries that all ask for the same number of columns.

    Query ``q`` asks for the records whose codes on column ``columns[at[q, j]]`` lie in ``[lo[q, j],
    hi[q, j])``, for all ``j``. Codes of a taxonomy are numbered so that every node has neighbouring
    ones: a range of categories is a stretch of the taxonomy's leaves.

    Attributes
    ----------
    columns, sizes
        The columns that queries may ask for, and the number of codes of each.
    at
        The columns of each query, rising.
    lo, hi
        The ranges of each query.
    """

    columns: Columns
    sizes: CountArray
    at: CountArray
    lo: CodeArray
    hi: CodeArray

    @classmethod
    def draw(
        cls,
        n: int,
        free: Mapping[str, int],
        fixed: Mapping[str, int],
        *,
        dimension: int,
        selectivity: Fraction,
        rng: np.random.Generator,
    ) -> Self:
        r"""Draw queries on ``dimension`` of the free columns, and on one of the fixed, if any.

        Both tell the number of codes of each column. All ranges on a column are equally wide, the
        least :math:`w` with :math:`w / |D| \ge s^{1/m}` for selectivity s and m columns in a
        query, and begin anywhere.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> asked = Workload.draw(
        ...     1, {"age": 90, "sex": 2}, {"ill": 10},
        ...     dimension=2, selectivity=Fraction(1, 1000), rng=rng,
        ... )
        >>> asked.at.tolist(), (asked.hi - asked.lo).tolist()
        ([[0, 1, 2]], [[9, 1, 1]])
        """
        columns = (*free, *fixed)
        sizes = np.array([*free.values(), *fixed.values()], np.int64)
        drawn = rng.random((n, len(free))).argsort(axis=1)[:, :dimension]
        if fixed:
            chosen = rng.integers(len(free), len(columns), (n, 1))
            drawn = np.concatenate([drawn, chosen], axis=1)
        at = np.sort(drawn, axis=1)
        widths = np.array([_width(int(size), selectivity, at.shape[1]) for size in sizes], np.int64)
        lo = rng.integers(0, (sizes - widths + 1)[at]).astype(np.int32)
        return cls(columns, sizes, at, lo, (lo + widths[at]).astype(np.int32))

    def __len__(self) -> int:
        return len(self.at)

    def select(self, queries: CountArray) -> Self:
        """Keep some of the queries."""
        at, lo, hi = self.at[queries], self.lo[queries], self.hi[queries]
        return type(self)(self.columns, self.sizes, at, lo, hi)

    def alike(self) -> Iterator[tuple[CountArray, CountArray]]:
        """Yield every set of columns that queries ask for together, and these queries."""
        yield from _alike(self.at)

    def apart(self, names: Columns) -> Iterator[tuple[Columns, CountArray]]:
        """Yield the sets of these columns that queries ask for, and the queries of each."""
        is_meant: BoolArray = np.array([name in names for name in self.columns], bool)
        for at, queries in _alike(np.where(is_meant[self.at], self.at, -1) + 1):
            meant = sorted(set(at.tolist()) - {0})
            yield tuple(self.columns[c - 1] for c in meant), queries


def _alike(rows: CountArray) -> Iterator[tuple[CountArray, CountArray]]:
    labels, first = number_rows(rows.astype(np.int32))
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels, minlength=first.size))
    yield from zip(rows[first], np.split(order, ends)[:-1], strict=True)


def _width(size: int, selectivity: Fraction, n_columns: int) -> int:
    """Find the least width that is no less than the root of the selectivity, out of a domain.

    Floats guess, integers decide: the cube root of 0.001 is a tenth, not a little more.
    """
    least = selectivity.numerator * size**n_columns
    width: int = max(round(size * float(selectivity) ** (1 / n_columns)), 1)
    while width**n_columns * selectivity.denominator < least:
        width += 1
    while width > 1 and (width - 1) ** n_columns * selectivity.denominator >= least:
        width -= 1
    return width
