"""Cells: how many people of a kind have a value of a kind, in each group; the unknowns.

People whom no statement tells apart have the same chances, and values that no statement tells apart
share in proportion to their counts: that is so for the largest entropy, which is unique. So people
and values are put together in kinds by the statements they meet, and there are as many unknowns as
kinds, not as people. Groups that no statement is about have no unknowns at all: everybody in them
has a value with the probability of its share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.kernels.counting import merge_tallies
from unlinkable.tables.groups import Histogram, number_rows
from unlinkable.tables.models.shared.maxent.kinds import Kinds, having, meeting
from unlinkable.tables.models.shared.maxent.statements import Condition, Statement
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["Cells", "Equation"]

_TINY = 1e-12
"""What a person adds to an equation is nothing if it is less than this of its largest weight."""


@define(eq=False, frozen=True)
class Equation:
    """Terms, by number, each with its weight for one person, add up to ``p``."""

    label: str
    terms: tuple[int, ...]
    weights: tuple[Fraction, ...]
    p: Fraction


@define(eq=False, frozen=True)
class Cells:
    """The unknowns of the groups that statements are about.

    Rows are kinds of people in a group, columns kinds of values in a group, and every row of a
    group crosses every column of it in a cell. The cells of a row follow each other.

    Attributes
    ----------
    groups
        Which groups these are.
    row_start, column_start
        Where the rows and the columns of each group begin, and where the last ones end.
    people, records
        By row the number of people, by column the number of records.
    row_cell
        Where the cells of each row begin, and where the last ones end.
    row, column
        By cell its row and its column.
    column_kind, kind
        By column its kind of values, and by sensitive code its kind.
    sort
        By cell the pair of kinds that cross there: cells of a sort meet the same statements.
    terms
        ``terms[sort, k]``: whether the k-th term counts these cells.
    equations
        What is known of the cells, besides the sums of rows and columns.
    """

    groups: CountArray
    row_start: CountArray
    column_start: CountArray
    people: CountArray
    records: CountArray
    row_cell: CountArray
    row: CountArray
    column: CountArray
    column_kind: CodeArray
    kind: CodeArray
    sort: CodeArray
    terms: BoolArray
    equations: tuple[Equation, ...]

    @classmethod
    def of(
        cls,
        statements: Sequence[Statement],
        quasi: Columns,
        people: Histogram,
        hidden: Histogram,
        sensitive: str,
    ) -> Self:
        """Lay out what is unknown.

        A statement with a condition that nobody meets is about nobody, and left out.

        Raises
        ------
        DataError
            If the table has no such value as a statement is about.
        """
        asked = [term for statement in statements for term in statement.terms]
        conditions = list(dict.fromkeys(term.condition for term in asked))
        values = list(dict.fromkeys(term.value for term in asked))
        met = [meeting(people, quasi, condition) for condition in conditions]
        had = [having(hidden, sensitive, value) for value in values]
        n_met = dict(zip(conditions, [int(people.total[m].sum()) for m in met], strict=True))
        return cls._crossing(
            (Kinds.of(met, people.n_values), people),
            (Kinds.of(had, hidden.n_values), hidden),
            [(conditions.index(t.condition), values.index(t.value)) for t in asked],
            tuple(_equations(statements, n_met)),
        )

    @classmethod
    def _crossing(
        cls,
        people: tuple[Kinds, Histogram],
        hidden: tuple[Kinds, Histogram],
        crossing: Sequence[tuple[int, int]],
        equations: tuple[Equation, ...],
    ) -> Self:
        """Cross the kinds of people and of values in every group that a term is about."""
        (who, _), (what, _) = people, hidden
        tallies = [kinds.tally(counted) for kinds, counted in (people, hidden)]
        groups = _touched(who, what, tallies[0], tallies[1], crossing)
        parent = np.full(people[1].n_groups, -1, np.int32)
        parent[groups] = np.arange(groups.size)
        (row_start, row_kind, n_people), (column_start, column_kind, n_records) = (
            merge_tallies(*tally, parent, groups.size, len(kinds.meets))
            for tally, kinds in zip(tallies, (who, what), strict=True)
        )
        group_of_row = np.repeat(np.arange(groups.size), np.diff(row_start))
        row_cell = np.append(0, np.cumsum(np.diff(column_start)[group_of_row]))
        row = np.repeat(np.arange(row_kind.size), np.diff(row_cell))
        column = np.arange(row.size) - row_cell[row] + column_start[group_of_row[row]]
        sort, first = number_rows(np.column_stack([row_kind[row], column_kind[column]]))
        meets = who.meets[row_kind[row[first]]], what.meets[column_kind[column[first]]]
        terms = [meets[0][:, c] & meets[1][:, v] for c, v in crossing]
        return cls(
            groups=groups,
            row_start=row_start,
            column_start=column_start,
            people=n_people,
            records=n_records,
            row_cell=row_cell,
            row=row,
            column=column,
            column_kind=column_kind,
            kind=what.kind,
            sort=sort,
            terms=np.column_stack(terms) if terms else np.zeros((first.size, 0), bool),
            equations=equations,
        )

    def sums(self, amounts: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Add up the cells of every row, and of every column."""
        by_row = np.zeros(self.people.size, amounts.dtype)
        by_column = np.zeros(self.records.size, amounts.dtype)
        np.add.at(by_row, self.row, amounts)
        np.add.at(by_column, self.column, amounts)
        return by_row, by_column

    def term_sums(self, amounts: NDArray[Any]) -> NDArray[Any]:
        """Add up the cells that every term counts."""
        by_sort = np.zeros(len(self.terms), amounts.dtype)
        np.add.at(by_sort, self.sort, amounts)
        total: NDArray[Any] = by_sort @ self.terms.astype(amounts.dtype)
        return total

    def scaled(self) -> tuple[FloatArray, FloatArray]:
        """Give by sort and equation what a person in such a cell adds, at most 1, and the units."""
        coefficients = np.zeros((len(self.terms), len(self.equations)))
        for e, equation in enumerate(self.equations):
            for k, weight in zip(equation.terms, equation.weights, strict=True):
                coefficients[self.terms[:, k], e] += float(weight)
            # Terms that cancel out leave rounding errors.
            tiny = _TINY * float(max(map(abs, equation.weights)))
            coefficients[np.abs(coefficients[:, e]) < tiny, e] = 0.0
        largest = np.abs(coefficients).max(axis=0, initial=0.0)
        units = 1 / np.where(largest > 0, largest, 1.0)
        return coefficients * units, units


def _touched(
    who: Kinds,
    what: Kinds,
    rows: tuple[CountArray, CodeArray, CountArray],
    columns: tuple[CountArray, CodeArray, CountArray],
    crossing: Sequence[tuple[int, int]],
) -> CountArray:
    """Find the groups in which some term counts somebody."""
    touched = np.zeros(rows[0].size - 1, bool)
    for c, v in dict.fromkeys(crossing):
        touched |= _occurs(rows, who.meets[:, c]) & _occurs(columns, what.meets[:, v])
    return np.flatnonzero(touched)


def _occurs(tally: tuple[CountArray, CodeArray, CountArray], kinds: BoolArray) -> BoolArray:
    indptr, values, _ = tally
    so_far = np.append(0, np.cumsum(kinds[values]))
    found: BoolArray = so_far[indptr[1:]] > so_far[indptr[:-1]]
    return found


def _equations(
    statements: Sequence[Statement], n_met: Mapping[Condition, int]
) -> Iterator[Equation]:
    first = 0
    for statement in statements:
        numbers = tuple(range(first, first + len(statement.terms)))
        first += len(numbers)
        if all(n_met[term.condition] for term in statement.terms):
            weights = tuple(term.weight / n_met[term.condition] for term in statement.terms)
            yield Equation(statement.label, numbers, weights, statement.p)
