"""Groups of random counts, and what they are compared with, on all kinds of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from attrs import frozen
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.distributions.ordered_emd import meeting_places
from unlinkable.tables.groups import Histogram

__all__ = ["KINDS", "Kernel", "Problem", "along_a_row", "kernels", "problems"]

Kernel = Callable[..., Any]
KINDS: tuple[Any, ...] = (np.int64, np.float64, object)


@frozen
class Problem:
    """Rows of counts, and for each the row of ``wholes`` that it is compared with."""

    rows: list[list[int]]
    wholes: list[list[int]]
    which: list[int]

    def each(
        self, twin: Callable[[Sequence[Sequence[int]], Sequence[int]], list[Any]]
    ) -> list[Any]:
        """Ask a twin about every row by itself."""
        pairs = zip(self.rows, self.which, strict=True)
        return [twin([row], self.wholes[w])[0] for row, w in pairs]

    @property
    def hidden(self) -> Histogram:
        """The rows as a histogram."""
        return histogram_of(self.rows)

    def groups(self, kind: Any) -> tuple[Any, ...]:
        """Give the first arguments of every kernel."""
        at = [np.flatnonzero(row) for row in self.rows]
        indptr = np.append(0, np.cumsum([places.size for places in at])).astype(np.int64)
        counts = [row[place] for row, places in zip(self.rows, at, strict=True) for place in places]
        sizes = np.array([sum(row) for row in self.rows], kind)
        return indptr, np.concatenate(at).astype(np.int32), np.array(counts, kind), sizes

    def others(self, kind: Any) -> tuple[Any, ...]:
        """Give what groups are compared with: counts, sizes, and which of them."""
        whole = np.array(self.wholes, kind)
        totals = np.array([sum(counts) for counts in self.wholes], kind)
        return whole, totals, np.array(self.which, np.int32)


@st.composite
def problems(draw: st.DrawFn, most: int = 5, places: int = 6, least: int = 1) -> Problem:
    """Draw rows of counts, and wholes in which every place occurs so often at least."""
    n = draw(st.integers(1, places))
    row = st.lists(st.integers(0, most), min_size=n, max_size=n)
    whole = st.lists(st.integers(least, most), min_size=n, max_size=n).filter(any)
    rows = draw(st.lists(row, min_size=1, max_size=4))
    wholes = draw(st.lists(whole, min_size=1, max_size=3))
    which = st.integers(0, len(wholes) - 1)
    return Problem(rows, wholes, draw(st.lists(which, min_size=len(rows), max_size=len(rows))))


def kernels(module: ModuleType, name: str) -> list[tuple[Kernel, Any]]:
    """Give a kernel for every kind of numbers."""
    compiled, plain = getattr(module, name), getattr(module, f"{name}_of_any_size")
    return [(plain if kind is object else compiled, kind) for kind in KINDS]


def along_a_row(
    kernel: Kernel, kind: Any, problem: Problem, in_row: int, largest: int
) -> list[Any]:
    """Run a kernel on the first places of each row; look up what no more records than this have."""
    whole, totals, which = problem.others(kind)
    below = np.cumsum(whole[:, :in_row], axis=1)
    area = np.append(np.zeros((len(whole), 1), kind), np.cumsum(below, axis=1), axis=1)
    starts = places = np.zeros(0, np.int64)
    if kind is np.int64 and len(whole) == 1:
        sizes = problem.groups(kind)[3]
        is_there = np.zeros(largest + 1, bool)
        is_there[sizes[sizes <= largest]] = True
        starts, places = meeting_places(is_there, below[0], int(totals[0]))
    ranks = np.arange(whole.shape[1]).astype(object if kind is object else np.int64)
    found = kernel(*problem.groups(kind), ranks, below, area, totals, which, starts, places)
    assert found.dtype == kind
    return list(found.tolist())
