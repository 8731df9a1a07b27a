"""Quasi-identifier search: which columns together tell people apart.

A column that tells nothing about a person may tell a lot together with others. The search goes
through sets of columns, from small to large, and finds the smallest ones that single out (almost)
everybody [1]_. Such a set is a warning, not a safe choice of the quasi-identifier: an
adversary who knows one column more is stronger.

References
----------
.. [1] R. Motwani, Y. Xu. "Efficient algorithms for masking and finding quasi-identifiers." 2007.
   Section 2.1.3 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError
from unlinkable.kernels.counting import count
from unlinkable.params import at_least, exact, is_share
from unlinkable.tables.data import Table
from unlinkable.tables.groups import RowNumbers
from unlinkable.tables.risk.base import RiskMeasure
from unlinkable.tables.risk.shared.column_sets import n_sets
from unlinkable.typing import Columns

__all__ = ["ColumnSet", "QuasiIdentifierSearch"]

_USUAL = 3
"""How many columns adversaries are taken to combine, where nothing else is asked."""

_EASY = 1 << 34
"""Sets of columns times records that can be examined within a minute or so."""

_FEW = 1 << 16
"""A set of columns takes as long as with this many records, also if there are fewer."""


@frozen
class ColumnSet:
    """How well some columns tell the records of a table apart.

    Attributes
    ----------
    columns
        The columns that are known.
    unique
        Share of the records that no other record looks like.
    distinct
        Distinct ratio: number of distinct combinations of values, out of the number of records.
    separation
        Separation ratio: share of the pairs of records that differ on these columns.
    """

    columns: Columns
    unique: float
    distinct: float
    separation: float


@frozen
class QuasiIdentifierSearch(RiskMeasure):
    """Find the sets of columns that tell people apart.

    Parameters
    ----------
    largest
        The largest number of columns in a set. If it is not given, three, or as many as can be
        examined within a minute.
    alpha
        A set singles out almost everybody if its distinct ratio is at least ``1 - alpha``.

    Cost
    ----
    A few passes over the records for every set of at most ``largest`` columns: a million records
    and 175 sets take about a second.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"sex": ["f", "f", "m", "m"], "job": ["cook", "clerk", "cook", "clerk"]},
    ...     quasi=["sex", "job"])
    >>> search = QuasiIdentifierSearch()
    >>> [(s.columns, s.unique) for s in search.measure(people, ["sex", "job"])]
    [(('sex',), 0.0), (('job',), 0.0), (('sex', 'job'), 1.0)]
    >>> [s.columns for s in search.smallest(people, ["sex", "job"])]
    [('sex', 'job')]
    """

    name: ClassVar[str] = "quasi-identifier-search"
    reference: ClassVar[str] = "Motwani and Xu 2007"

    largest: int | None = field(default=None, validator=optional(at_least(1)))
    alpha: Fraction = field(default=Fraction(1, 20), converter=exact, validator=is_share)

    def measure(
        self,
        table: Table,
        columns: Sequence[str],
        progress: Callable[[float, str], None] | None = None,
    ) -> list[ColumnSet]:
        """Measure every set of at most `largest` of these columns.

        Raises
        ------
        ParameterError
            If there are too many sets of this many columns.
        """
        sets = list(self._sets(columns, self.size(len(columns), len(table))))
        measured = []
        for i, names in enumerate(sets):
            measured.append(measure_columns(table, names))
            if progress is not None:
                progress((i + 1) / len(sets), "looking at sets of columns")
        return measured

    def smallest(
        self, table: Table, columns: Sequence[str], measured: Sequence[ColumnSet] | None = None
    ) -> list[ColumnSet]:
        """Find the sets that single out almost everybody, none of which contains another."""
        found: dict[frozenset[str], ColumnSet] = {}
        for s in self.measure(table, columns) if measured is None else measured:
            parts = map(frozenset, self._sets(s.columns, len(s.columns)))
            if exact(s.distinct) >= 1 - self.alpha and not any(part in found for part in parts):
                found[frozenset(s.columns)] = s
        return list(found.values())

    def size(self, n_columns: int, n_records: int) -> int:
        """State how many columns the largest sets have that are examined.

        Raises
        ------
        ParameterError
            If more were asked for than can be examined.

        Examples
        --------
        >>> search = QuasiIdentifierSearch()
        >>> search.size(10, 1_000), search.size(500, 1_000), search.size(2_000, 1_000)
        (3, 2, 1)
        """
        cost = max(n_records, _FEW)
        sizes = range(min(self.largest or _USUAL, n_columns), 1, -1)
        size = next((m for m in sizes if n_sets(n_columns, m) * cost <= _EASY), min(n_columns, 1))
        if self.largest is not None and size < min(self.largest, n_columns):
            raise ParameterError(
                f"there are {n_sets(n_columns, min(self.largest, n_columns)):,} sets of at most "
                f"{self.largest} of {n_columns:,} columns, too many to look at all of them: ask "
                f"for at most {size}, or name fewer columns"
            )
        return size

    def _sets(self, columns: Sequence[str], largest: int) -> Iterator[Columns]:
        for length in range(1, largest + 1):
            yield from combinations(columns, length)


def measure_columns(table: Table, columns: Columns) -> ColumnSet:
    """Measure how well these columns tell the records apart."""
    n = len(table)
    rows = RowNumbers(n)
    for name in columns:
        numbered = table.numbered(name)
        rows.add_digits(numbered.numbers, np.maximum(numbered.codes, 0), numbered.observed.domain.n)
    labels, first = rows.finish()
    sizes = count(labels, first.size)
    if n == 0:
        return ColumnSet(columns, 1.0, 1.0, 1.0)
    same_pairs = int((sizes * (sizes - 1)).sum())
    all_pairs = n * (n - 1)
    return ColumnSet(
        columns,
        unique=float((sizes == 1).sum()) / n,
        distinct=first.size / n,
        separation=1 - same_pairs / all_pairs if all_pairs else 1.0,
    )
