"""Groups: the sets of records that an adversary cannot see into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import comb
from typing import Self

import numpy as np
from attrs import define, evolve, frozen
from numpy.typing import NDArray

from unlinkable.errors import SchemaError
from unlinkable.kernels.counting import grouping, tallies
from unlinkable.tables.groups.histogram import Histogram
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["Groups", "Knowledge", "RowNumbers", "number_rows"]


@define(eq=False, frozen=True)
class Groups:
    """One row for every set of records that look alike to an adversary.

    All that a row carries can be added up: the groups of a coarser table, of the two halves of
    a file, or of several machines are sums of finer ones. `merge` is that sum.

    Attributes
    ----------
    sizes
        Number of records in each group, never zero.
    weights
        Sum of the weights of these records; their number if the table has no weights.
    histograms
        What the records of each group hide, by the columns that were counted.
    whole
        The same counts over the whole table that the groups are compared with.
    columns, keys
        ``keys[g, j]`` is what group ``g`` shows on ``columns[j]``.
    owner
        The counted column that tells which records belong to the same person, if there is one.
    """

    sizes: CountArray
    weights: FloatArray
    histograms: Mapping[Columns, Histogram]
    whole: Mapping[Columns, CountArray]
    columns: Columns
    keys: CodeArray
    owner: str | None = None

    def __len__(self) -> int:
        return self.sizes.size

    @property
    def n_records(self) -> int:
        """Number of records in all groups."""
        return int(self.sizes.sum())

    def people(self) -> CountArray:
        """Count the people in each group: its records, or its owners if owners are known."""
        if self.owner is None:
            return self.sizes
        return self.histograms[self.owner,].distinct

    def merge(self, parent: CodeArray, n_parents: int, columns: Columns, keys: CodeArray) -> Self:
        """Add up the groups that have the same parent; -1 is left out."""
        return evolve(
            self,
            sizes=tallies.sum_by_label(self.sizes, parent, n_parents),
            weights=tallies.sum_floats_by_label(self.weights, parent, n_parents),
            histograms={c: h.merge(parent, n_parents) for c, h in self.histograms.items()},
            columns=columns,
            keys=keys,
        )

    def project(self, columns: Columns) -> tuple[Self, CodeArray]:
        """Forget all columns but these; also tell where each group went."""
        if missing := set(columns) - set(self.columns):
            raise SchemaError(
                f"cannot look at {sorted(missing)} alone: the groups show {list(self.columns)}"
            )
        place = {name: j for j, name in enumerate(self.columns)}
        shown = self.keys[:, [place[name] for name in columns]]
        parent, first = number_rows(shown)
        return self.merge(parent, first.size, columns, shown[first]), parent

    def known(self, knowledge: Knowledge, *, shorter: bool) -> Iterator[tuple[Self, CodeArray]]:
        """Yield the groups as they look to adversaries with this knowledge."""
        for columns in knowledge.combinations(shorter=shorter):
            if columns == self.columns:
                yield self, np.arange(len(self), dtype=np.int32)
            else:
                yield self.project(columns)

    def select(self, mask: BoolArray) -> Self:
        """Keep the marked groups; the whole table that they are compared with stays."""
        return evolve(
            self,
            sizes=self.sizes[mask],
            weights=self.weights[mask],
            histograms={c: h.select(mask) for c, h in self.histograms.items()},
            keys=self.keys[mask],
        )

    def alone(self) -> Self:
        """Take these groups for the whole table: what was left out is gone."""
        return evolve(self, whole={c: h.total for c, h in self.histograms.items()})


@frozen
class Knowledge:
    """The victim's values on some of ``columns``: on all, or on any ``at_most`` of them.

    Examples
    --------
    >>> list(Knowledge(("job", "sex", "age"), at_most=2).combinations())
    [('job', 'sex'), ('job', 'age'), ('sex', 'age')]
    >>> list(Knowledge(("job", "sex")).combinations())
    [('job', 'sex')]
    """

    columns: Columns
    at_most: int | None = None

    @property
    def n_combinations(self) -> int:
        """Number of the longest column sets to look at."""
        width = len(self.columns)
        return comb(width, width if self.at_most is None else min(self.at_most, width))

    def combinations(self, *, shorter: bool = False) -> Iterator[Columns]:
        """Yield the column sets to look at.

        Knowing fewer columns merges the groups that more columns tell apart. A promise that
        survives merging therefore needs the longest combinations only; any other promise asks for
        the ``shorter`` ones as well.
        """
        width = len(self.columns)
        most = width if self.at_most is None else min(self.at_most, width)
        least = 1 if shorter and self.at_most is not None else most
        for length in range(least, most + 1):
            yield from combinations(self.columns, length)


_WIDEST = 1 << 63
"""No packed key may reach this."""

_DIRECT = 1 << 22
"""Up to this many possible keys a table of all of them beats hashing."""


class RowNumbers:
    """Numbers rows of codes that come in column by column.

    Equal rows get equal numbers; numbers run from 0 in the order in which rows first appear.
    """

    def __init__(self, n: int) -> None:
        self._keys: NDArray[np.uint64] = np.zeros(n, np.uint64)
        self._space = 1

    def add(self, codes: CodeArray, size: int) -> None:
        """Take in one more column with codes below ``size``."""
        self._make_room(size)
        grouping.append_code(self._keys, codes, size)
        self._space *= size

    def add_digits(self, numbers: CodeArray, codes: CodeArray, size: int) -> None:
        """Take in the column ``codes[numbers]`` without making it."""
        self._make_room(size)
        grouping.append_digit(self._keys, numbers, codes, size)
        self._space *= size

    def finish(self) -> tuple[CodeArray, CountArray]:
        """Give the number of every row, and where each number appears first."""
        small = self._space <= min(_DIRECT, 8 * max(self._keys.size, 1 << 10))
        labels, first = grouping.number_keys(self._keys, self._space if small else 0)
        return labels, first

    def _make_room(self, size: int) -> None:
        if self._space * max(size, 1) < _WIDEST:
            return
        labels, first = self.finish()
        self._keys = labels.astype(np.uint64)
        self._space = max(first.size, 1)


def number_rows(rows: CodeArray) -> tuple[CodeArray, CountArray]:
    """Number equal rows of a matrix of codes, and tell where each number appears first.

    Examples
    --------
    >>> labels, first = number_rows(np.array([[1, 2], [0, 2], [1, 2]], np.int32))
    >>> labels.tolist(), first.tolist()
    ([0, 1, 0], [0, 1])
    """
    numbers = RowNumbers(len(rows))
    sizes = rows.max(axis=0, initial=0) + 1
    for j in range(rows.shape[1]):
        numbers.add(np.ascontiguousarray(rows[:, j]), int(sizes[j]))
    return numbers.finish()
