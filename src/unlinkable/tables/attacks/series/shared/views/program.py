"""Programs in whole numbers, and goals that their solutions may reach."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import define, field

from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["INFEASIBLE", "MANY", "SOLVED", "Goals", "Program"]

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
