r"""Possible tables: which tables may lie behind a set of views, by integer programs.

Let :math:`n_c` be the number of records in cell :math:`c`. A table has the views if

* every row :math:`r` of a view has records: :math:`\sum_{c \in r} n_c \ge 1`, or just as many as
  are told;
* where a person has one record, and cells are those of :math:`m` people whom nothing tells apart,
  :math:`\sum_{c \text{ of them}} n_c \le m`;
* where :math:`X \to Y`, the records with a value on X have one on Y:
  :math:`n_c \le U_c z_{x(c), y(c)}` and :math:`\sum_y z_{x,y} \le 1` with :math:`z` in {0, 1}.

What an adversary cannot rule out is shown by a table that has all the views. One program asks for
the table that shows as much of what is still open as possible, and then the next one, until a table
shows nothing new. Whatever is taken for possible has been shown by a table in whole numbers, so
that nothing is missed if the solver gives up or errs: then too little is taken for possible, and
too many people for exposed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import define, field

from unlinkable.errors import DataError, UnsupportedError
from unlinkable.tables.attacks.series.shared.views.cells import Grid, Rows
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = [
    "INFEASIBLE",
    "MANY",
    "MOST_SOLVED",
    "SOLVED",
    "Goals",
    "Limits",
    "Program",
    "ShownGoals",
    "least_share",
    "most_records",
    "show",
]

MANY = 1 << 40
"""More records than any table has; bounds of this size are none."""

SOLVED = 0
INFEASIBLE = 2
"""What the solver says."""

_NODES = 20_000
"""A program is given up after so many nodes of its search tree."""
_SECONDS = 10.0
"""And after so many seconds: one node may take long by itself."""


@define(eq=False, frozen=True)
class Goals:
    r"""Things that a table may show: for each one or more inequalities :math:`a \cdot n \ge b`.

    Attributes
    ----------
    line, cell, factor
        The terms: ``factor`` times the records of ``cell``, in the inequality ``line``.
    goals
        Which goal each inequality belongs to.
    need
        The right-hand side of each.
    n
        How many goals there are.
    """

    line: CountArray
    cell: CountArray
    factor: CountArray
    goals: CountArray
    need: CountArray
    n: int

    @classmethod
    def sums(cls, of: CountArray, cell: CountArray, n: int, need: int = 1) -> Goals:
        """Ask for at least ``need`` records in the cells of each goal."""
        return cls(of, cell, np.ones_like(cell), np.arange(n), np.full(n, need), n)

    def reached(self, records: CountArray) -> BoolArray:
        """Tell which goals a table shows."""
        sums = np.zeros(self.goals.size, np.int64)
        np.add.at(sums, self.line, self.factor * records[self.cell])
        missed = np.bincount(self.goals, sums < self.need, minlength=self.n)
        reached: BoolArray = missed == 0
        return reached


@define(eq=False)
class Program:
    """Linear inequalities ``lower <= A x <= upper``; the records of cells are the first of x."""

    n: int
    upper_of: list[CountArray]
    line: list[CountArray] = field(factory=list)
    column: list[CountArray] = field(factory=list)
    factor: list[CountArray] = field(factory=list)
    lower: list[CountArray] = field(factory=list)
    upper: list[CountArray] = field(factory=list)

    @property
    def n_lines(self) -> int:
        return sum(part.size for part in self.lower)

    def variables(self, upper: CountArray) -> CountArray:
        """Add variables from 0 to ``upper``, and give their positions."""
        start, self.n = self.n, self.n + upper.size
        self.upper_of.append(upper)
        return np.arange(start, self.n)

    def lines(
        self, line: CountArray, column: CountArray, factor: CountArray, lower: CountArray,
        upper: CountArray,
    ) -> None:  # fmt: skip
        """Add inequalities by their terms; ``line`` counts from 0 among them."""
        self.line.append(line + self.n_lines)
        self.column.append(column)
        self.factor.append(factor)
        self.lower.append(lower)
        self.upper.append(upper)

    def with_goals(
        self, goals: Goals, which: CountArray
    ) -> tuple[Any, CountArray, CountArray, CountArray]:
        """Add a variable for each goal that can be 1 only if the table reaches it."""
        from scipy import sparse

        most = np.concatenate(self.upper_of)
        place = np.full(goals.n, -1)
        place[which] = np.arange(which.size)
        lines = np.flatnonzero(place[goals.goals] >= 0)
        at = np.full(goals.goals.size, -1)
        at[lines] = np.arange(lines.size)
        terms = at[goals.line] >= 0
        line, cell, factor = at[goals.line[terms]], goals.cell[terms], goals.factor[terms]
        least = np.zeros(lines.size, np.int64)
        np.add.at(least, line, np.minimum(factor, 0) * most[cell])
        base = self.n_lines
        all_lines = np.concatenate([*self.line, base + line, base + np.arange(lines.size)])
        all_columns = np.concatenate([*self.column, cell, self.n + place[goals.goals[lines]]])
        all_factors = np.concatenate([*self.factor, factor, least - goals.need[lines]])
        matrix = sparse.csr_array(
            (all_factors.astype(float), (all_lines, all_columns)),
            shape=(base + lines.size, self.n + which.size),
        )
        lower = np.concatenate([*self.lower, least])
        upper = np.concatenate([*self.upper, np.full(lines.size, MANY)])
        return matrix, lower, upper, np.append(most, np.ones(which.size, np.int64))

    def best(self, goals: Goals, wanted: BoolArray) -> tuple[int, CountArray | None]:
        """Find the table that reaches as many of some goals as possible.

        Gives the status of the solver, and the records of the cells in whole numbers that were
        checked; None if there is no such table, or none was found.
        """
        which = np.flatnonzero(wanted)
        matrix, lower, upper, bounds = self.with_goals(goals, which)
        gain = np.zeros(bounds.size)
        gain[bounds.size - which.size :] = -1.0
        return self._solved(gain, matrix, lower, upper, bounds)

    def least(self, factor: CountArray, goal: Goals) -> tuple[int, CountArray | None]:
        """Find the table that reaches a goal with the least sum of ``factor`` times its records."""
        matrix, lower, upper, bounds = self.with_goals(goal, np.arange(goal.n))
        cost = np.zeros(bounds.size)
        cost[: factor.size] = factor
        reached = np.arange(bounds.size) >= bounds.size - goal.n
        return self._solved(cost, matrix, lower, upper, bounds, reached.astype(np.int64))

    def _solved(
        self, cost: FloatArray, matrix: Any, lower: CountArray, upper: CountArray,
        bounds: CountArray, at_least: CountArray | int = 0,
    ) -> tuple[int, CountArray | None]:  # fmt: skip
        from scipy import optimize

        found = optimize.milp(
            cost,
            integrality=np.ones(bounds.size),
            bounds=optimize.Bounds(at_least + np.zeros(bounds.size), bounds.astype(float)),
            constraints=optimize.LinearConstraint(matrix, *_open_ended(lower, upper)),
            options={"node_limit": _NODES, "time_limit": _SECONDS, "mip_rel_gap": 0.0},
        )
        if found.x is None:
            return int(found.status), None
        whole = np.rint(found.x).astype(np.int64)
        sums = (matrix.astype(np.int64) @ whole).astype(np.int64)
        is_table = (whole >= at_least).all() and (whole <= bounds).all()
        if not is_table or ((sums < lower) | (sums > upper)).any():
            return -1, None
        return int(found.status), whole[: self.upper_of[0].size]


def _open_ended(lower: CountArray, upper: CountArray) -> tuple[FloatArray, FloatArray]:
    return np.where(lower <= -MANY, -np.inf, lower), np.where(upper >= MANY, np.inf, upper)


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
class ShownGoals:
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
) -> ShownGoals:  # fmt: skip
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
        return ShownGoals(goals.reached(np.ones(len(grid), np.int64)))
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
    return ShownGoals(reached, is_exact, programs)


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
