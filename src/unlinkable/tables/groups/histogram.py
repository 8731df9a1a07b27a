"""Histogram: how often each hidden value occurs in each group."""

from __future__ import annotations

from functools import cached_property
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.errors import ParameterError, in_short
from unlinkable.kernels.counting import tallies
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["POPULATION_PREFIX", "Histogram", "head_count", "population_column"]


@define(eq=False, frozen=True, slots=False)
class Histogram:
    """A sparse table of counts: one row per group, one column per code.

    Attributes
    ----------
    indptr, values, counts
        CSR: ``values[indptr[g]:indptr[g + 1]]`` are the codes in group ``g``, rising.
    n_values
        Number of codes, whether they occur or not.
    taxonomy
        What the codes mean. None if several columns were counted together.
    parts
        If several columns were counted together: for each of them its taxonomy, and its code in
        every code of the histogram.
    """

    indptr: CountArray
    values: CodeArray
    counts: CountArray
    n_values: int
    taxonomy: Taxonomy | None = None
    parts: tuple[tuple[Taxonomy, CodeArray], ...] = ()

    @property
    def n_groups(self) -> int:
        """Number of rows."""
        return self.indptr.size - 1

    @cached_property
    def row(self) -> CodeArray:
        """For every entry the group it belongs to."""
        return np.repeat(np.arange(self.n_groups, dtype=np.int32), self.distinct)

    @property
    def distinct(self) -> CountArray:
        """Number of distinct values in each group."""
        return np.diff(self.indptr)

    @property
    def peak(self) -> CountArray:
        """Count of the most frequent value in each group."""
        return self.reduce(np.maximum, self.counts)

    @property
    def total(self) -> CountArray:
        """Counts over all groups, by code."""
        return tallies.sum_by_label(self.counts, self.values, self.n_values)

    def text(self, code: int) -> str:
        """Say what a code means, in a witness: the value, or those of all columns together."""
        if self.taxonomy is not None:
            return self.taxonomy.domain.text(code)
        return ", ".join(t.domain.text(int(codes[code])) for t, codes in self.parts) or str(code)

    def reduce(self, how: np.ufunc, amounts: CountArray) -> CountArray:
        """Fold the amounts of the entries of each group; 0 for an empty group."""
        out = np.zeros(self.n_groups, amounts.dtype)
        filled = self.distinct > 0
        if amounts.size:
            out[filled] = how.reduceat(amounts, self.indptr[:-1][filled])
        return out

    def merge(self, parent: CodeArray, n_parents: int) -> Self:
        """Add up the rows that have the same parent; -1 is left out."""
        indptr, values, counts = tallies.merge_tallies(
            self.indptr, self.values, self.counts, parent, n_parents, self.n_values
        )
        return evolve(self, indptr=indptr, values=values, counts=counts)

    def select(self, mask: BoolArray) -> Self:
        """Keep the marked rows."""
        parent = np.where(mask, np.cumsum(mask) - 1, -1).astype(np.int32)
        return self.merge(parent, int(mask.sum()))


POPULATION_PREFIX = "@"
"""What the names of such columns begin with."""


def population_column(population: str) -> str:
    """Name the hidden column that counts the people of a population.

    Raises
    ------
    ParameterError
        If the table itself is given in place of its name.

    Examples
    --------
    >>> population_column("people.csv")
    '@people.csv'
    """
    if not isinstance(population, str):
        raise ParameterError(
            "a promise has the name of its side table, like population='people', and the table is "
            f"given with side={{'people': ...}}: got {in_short(population)} for the name"
        )
    return POPULATION_PREFIX + population


def head_count(people: CountArray) -> Histogram:
    """Take the number of people who look like each group as a hidden column.

    Examples
    --------
    >>> head_count(np.array([3, 0, 2])).distinct.tolist()
    [1, 0, 1]
    """
    is_met = people > 0
    indptr = np.append(0, np.cumsum(is_met)).astype(np.int64)
    counts = people[is_met].astype(np.int64)
    return Histogram(indptr, np.zeros(counts.size, np.int32), counts, 1)
