r"""Tables: which tables may lie behind a set of views, as whole numbers of records in cells.

Let :math:`n_c` be the number of records in cell :math:`c`. A table has the views if

* every row :math:`r` of a view has records: :math:`\sum_{c \in r} n_c \ge 1`, or just as many as
  are told;
* where a person has one record, and cells are those of :math:`m` people whom nothing tells apart,
  :math:`\sum_{c \text{ of them}} n_c \le m`;
* where :math:`X \to Y`, the records with a value on X have one on Y:
  :math:`n_c \le U_c z_{x(c), y(c)}` and :math:`\sum_y z_{x,y} \le 1` with :math:`z` in {0, 1}.

What an adversary cannot rule out is shown by a table that has all the views. One program asks for
the table that shows as much of what is still open as possible, and then the next one, until a
table shows nothing new. Whatever is taken for possible has been shown by a table in whole numbers,
so that nothing is missed if the solver gives up or errs: then too little is taken for possible, and
too many people for fallen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.errors import DataError, UnsupportedError
from unlinkable.tables.attacks.series.shared.views.cells import Grid, Rows
from unlinkable.tables.attacks.series.shared.views.program import (
    INFEASIBLE,
    MANY,
    SOLVED,
    Goals,
    Program,
)
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["MOST_SOLVED", "Limits", "Shown", "least_share", "most_records", "show"]


@define(eq=False, frozen=True)
class Limits:
    """What is known of the table besides its views.

    Attributes
    ----------
    people
        If people have one record: in one or more ways, for every cell the number of the people
        whose records it has, and for all of these how many they are. Empty if people may have any
        number.
    dependencies
        For every dependency the numbers of what its cells have on both sides; -1 on the first for
        cells whose records need not agree.
    most
        How many records a cell has at most that no count speaks of.
    """

    people: tuple[tuple[CodeArray, CountArray], ...] = ()
    dependencies: tuple[tuple[CodeArray, CodeArray], ...] = ()
    most: int = 1


@define(eq=False, frozen=True)
class Shown:
    """What tables showed.

    Attributes
    ----------
    reached
        Which goals some table reaches.
    is_exact
        Whether it is certain that no table reaches any other.
    programs
        How many programs were solved.
    """

    reached: BoolArray
    is_exact: bool = True
    programs: int = 0


def show(
    grid: Grid, views: Sequence[Rows], limits: Limits, goals: Goals,
    worthwhile: Callable[[BoolArray], BoolArray] | None = None,
) -> Shown:  # fmt: skip
    """Find out which goals are reached by tables that have the views.

    Goals that are not ``worthwhile`` any more, once others were reached, are left open.

    Without counts, dependencies and people of one record, the table with a record in every cell
    reaches all that any table does. Otherwise programs in whole numbers are solved.

    Raises
    ------
    DataError
        If no table has all the views.
    UnsupportedError
        If a program must be solved for more than `MOST_SOLVED` cells.
    """
    _require_witnesses(grid, views)
    is_plain = not limits.people and not limits.dependencies
    if is_plain and not any(view.is_counted for view in views):
        return Shown(goals.reached(np.ones(len(grid), np.int64)))
    program = _program(grid, views, limits)
    reached, is_exact, programs = np.zeros(goals.n, bool), True, 0
    wanted = ~reached
    while wanted.any():
        status, records = program.best(goals, wanted)
        programs += 1
        if records is None:
            if status == INFEASIBLE and not reached.any():
                raise DataError(_CONTRADICTION)
            is_exact = False
            break
        new = goals.reached(records) & ~reached
        if not (new & wanted).any():
            is_exact &= status == SOLVED
            reached |= new
            break
        reached |= new
        wanted = ~reached if worthwhile is None else worthwhile(reached) & ~reached
    return Shown(reached, is_exact, programs)


def least_share(
    grid: Grid, views: Sequence[Rows], limits: Limits, people: BoolArray, having: BoolArray
) -> Fraction:
    """Find the least share that records in some cells have among those in others, in any table.

    A ratio is least where no table has ``having - share * people`` below 0 (Dinkelbach).

    Parameters
    ----------
    grid, views, limits
        As for `show`.
    people
        The cells of people of a kind, of whom there must be one.
    having
        Those of them that have a value.
    """
    program, share = _program(grid, views, limits), Fraction(1)
    cells = np.flatnonzero(people)
    goal = Goals.sums(np.zeros(cells.size, np.int64), cells, 1)
    while True:
        factor = share.denominator * having.astype(np.int64) - share.numerator * people
        _, records = program.least(factor, goal)
        if records is None or factor @ records >= 0:
            return share
        share = Fraction(int(records[having].sum()), int(records[people].sum()))


def most_records(grid: Grid, views: Sequence[Rows], limits: Limits, people: BoolArray) -> int:
    """Find how many records some cells have together at most, in any table."""
    cells = np.flatnonzero(people)
    goal = Goals.sums(np.zeros(cells.size, np.int64), cells, 1)
    _, records = _program(grid, views, limits).least(-people.astype(np.int64), goal)
    return 1 if records is None else int(records[people].sum())


_CONTRADICTION = (
    "the views contradict each other: no table has them all. They are not of the same records, or "
    "a selection, a dependency or one record for each person is said of them that does not hold"
)


def _require_witnesses(grid: Grid, views: Sequence[Rows]) -> None:
    for view, (_, row) in zip(views, grid.witnesses, strict=True):
        told = np.bincount(row, minlength=len(view.texts))
        if (told[view.counts > 0] == 0).any():
            raise DataError(_CONTRADICTION)


MOST_SOLVED = 100_000
"""Programs are solved for so many cells at most."""


def _program(grid: Grid, views: Sequence[Rows], limits: Limits) -> Program:
    if len(grid) > MOST_SOLVED:
        raise UnsupportedError(
            f"the views tell {len(grid):,} kinds of records apart, and with numbers, dependencies "
            f"or one record for each person at most {MOST_SOLVED:,} are looked at: publish fewer "
            "or coarser columns"
        )
    most = _most_records(grid, views, limits)
    program = Program(0, [])
    cells = program.variables(most)
    for view, (cell, row) in zip(views, grid.witnesses, strict=True):
        column = cells[cell]
        if np.bincount(cell, minlength=1).max(initial=0) > 1:
            # A record of such a cell may show one row or another.
            column = program.variables(most[cell])
            own = np.unique(cell, return_inverse=True)[1]
            n = int(own.max()) + 1
            program.lines(
                np.concatenate([own, np.arange(n)]),
                np.concatenate([column, np.unique(cell)]),
                np.concatenate([np.ones(own.size, np.int64), np.full(n, -1)]),
                np.zeros(n, np.int64),
                np.zeros(n, np.int64),
            )
        upper = view.counts if view.is_counted else np.full(view.counts.size, MANY)
        lower = view.counts if view.is_counted else np.ones_like(view.counts)
        program.lines(row, column, np.ones(row.size, np.int64), lower, upper)
    for people, room in limits.people:
        _one_each(program, people, room)
    for given, told in limits.dependencies:
        _depends(program, given, told, most)
    return program


def _most_records(grid: Grid, views: Sequence[Rows], limits: Limits) -> CountArray:
    """Bound the records of every cell by the counts that are told of it."""
    rows, counted = np.ones(len(grid), np.int64), np.full(len(grid), MANY)
    for view, (cell, row) in zip(views, grid.witnesses, strict=True):
        here = np.bincount(cell, minlength=len(grid))
        rows = np.maximum(rows, here)
        if view.is_counted:
            told = np.bincount(cell, view.counts[row], minlength=len(grid)).astype(np.int64)
            counted = np.where(here > 0, np.minimum(counted, told), counted)
    return np.where(counted < MANY, counted, np.maximum(rows, limits.most))


def _one_each(program: Program, people: CodeArray, room: CountArray) -> None:
    cells = np.flatnonzero(room[people] < MANY)
    who, line = np.unique(people[cells], return_inverse=True)
    ones = np.ones(cells.size, np.int64)
    program.lines(line, cells, ones, np.zeros(who.size, np.int64), room[who])


def _depends(program: Program, given: CodeArray, told: CodeArray, most: CountArray) -> None:
    cells = np.flatnonzero(given >= 0)
    both, pair = np.unique(
        np.column_stack([given[cells], told[cells]]), axis=0, return_inverse=True
    )
    pair = pair.ravel()
    chosen = program.variables(np.ones(len(both), np.int64))
    n, lines = cells.size, np.arange(cells.size)
    program.lines(
        np.concatenate([lines, lines]),
        np.concatenate([cells, chosen[pair]]),
        np.concatenate([np.ones(n, np.int64), -most[cells]]),
        np.full(n, -MANY),
        np.zeros(n, np.int64),
    )
    _, line = np.unique(both[:, 0], return_inverse=True)
    n = int(line.max(initial=-1)) + 1
    ones = np.ones(line.size, np.int64)
    program.lines(line, chosen, ones, np.zeros(n, np.int64), np.ones(n, np.int64))
