"""Components: equations that share unknowns, and the groups that they link."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import define, field

from unlinkable.errors import UnlinkableError
from unlinkable.kernels.worlds import Layout, curve, fit
from unlinkable.tables.models.shared.maxent.cells import Cells
from unlinkable.tables.models.shared.maxent.presolve import inconsistent
from unlinkable.typing import CountArray, FloatArray

__all__ = ["TOLERANCE", "Component"]

TOLERANCE = 1e-8
"""Sums may be off by this, out of themselves, and so may the entropy, per person."""


_ROUGH = 1e-2
"""The solver stops when multipliers move by less than this: from there Newton's steps are best."""

_FINE = 1e-10
"""Newton's steps end when all equations are met to this, out of the people that they count."""

_STEPS = 200
"""So many steps the solver may take."""

_SECONDS = 60.0
"""So long the linear program may take."""

_FLAT = 1e-13
"""Directions with less than this of the largest curvature are left alone."""

_INFEASIBLE = 2
"""What scipy says of a linear program without a solution."""


@define(eq=False)
class Component:
    """A minimization by itself.

    Attributes
    ----------
    layout, cells
        All cells.
    groups, equations, mine
        The groups, equations and cells of this part.
    amounts, goals
        By sort and equation of this part what a person adds; by equation what must come together.
    beta, x
        Of all columns the multipliers, and of all cells the people; those of this part change.
    multipliers
        Of the equations of this part.
    """

    layout: Layout
    cells: Cells
    groups: CountArray
    equations: CountArray
    mine: CountArray
    amounts: FloatArray
    goals: FloatArray
    beta: FloatArray
    x: FloatArray
    multipliers: FloatArray = field(init=False)

    def solve(self, source: str) -> None:
        """Find the cells of the largest entropy, or say why there are none.

        Where what is known leaves some cells empty, and not by any sum alone, the multipliers have
        no finite solution. A linear program then finds these cells, and the rest is done again.
        """
        self._minimize()
        if self._is_solved():
            return
        if self._is_hopeless():
            raise inconsistent(source)
        self._close(source)
        self._minimize()
        if not self._is_solved():
            raise UnlinkableError(
                f"the largest entropy given {source!r} was not found: the solver did not converge "
                f"to within {TOLERANCE:g}. Leave out statements that nearly say the same, or give "
                "probabilities with fewer digits"
            )

    def _minimize(self) -> None:
        self._value(np.zeros(self.equations.size))
        if not self._missed() <= _FINE:
            from scipy import optimize

            with np.errstate(all="ignore"):
                found = optimize.minimize(
                    self._value,
                    self.multipliers,
                    jac=True,
                    hess=self._hessian,
                    method="Newton-CG",
                    options={"xtol": _ROUGH, "maxiter": _STEPS},
                )
            self._polish(found.x)

    def _polish(self, multipliers: FloatArray) -> None:
        """Take Newton's steps where differences of the dual drown in its rounding errors."""
        surplus, missed = self._value(multipliers)[1], self._missed()
        for _ in range(_STEPS):
            if not missed > _FINE:
                break
            step = np.linalg.lstsq(self._hessian(multipliers), -surplus, rcond=_FLAT)[0]
            before, surplus = missed, self._value(multipliers + step)[1]
            missed = self._missed()
            if not missed < before:
                self._value(multipliers)
                break
            multipliers = multipliers + step

    def _value(self, multipliers: FloatArray) -> tuple[float, FloatArray]:
        """Compute the dual and its first derivatives, and leave the cells as they are there."""
        if not np.isfinite(multipliers).all():
            return np.inf, np.zeros(multipliers.size)
        self.multipliers = multipliers.copy()
        dual = fit(self.groups, self.layout, self.amounts @ multipliers, self.beta, self.x)
        return dual - float(multipliers @ self.goals), self._surplus()

    def _hessian(self, multipliers: FloatArray) -> FloatArray:
        if not np.array_equal(multipliers, self.multipliers):
            self._value(multipliers)
        n = int(self.layout.equations.max()) + 1
        hessian: FloatArray = curve(self.groups, self.layout, self.x, n)
        return hessian[np.ix_(self.equations, self.equations)]

    def _surplus(self) -> FloatArray:
        """Compute by how much every equation is missed."""
        surplus: FloatArray = self._by_sort() @ self.amounts - self.goals
        return surplus

    def _missed(self) -> float:
        """Give the most by which an equation is missed, out of the people that it counts."""
        counted = np.maximum(self._by_sort() @ np.abs(self.amounts), np.abs(self.goals))
        missed = np.abs(self._surplus()) / np.where(counted > 0, counted, 1.0)
        return float(missed.max(initial=0.0))

    def _by_sort(self) -> FloatArray:
        """Count the people in cells of every sort."""
        mine, n_sorts = self.mine, len(self.amounts)
        return np.bincount(self.cells.sort[mine], self.x[mine], n_sorts).astype(float)

    def _is_solved(self) -> bool:
        """Whether all sums are met, and no other solution has more entropy.

        The gap between the entropy and its dual is what sums are missed by, times the multipliers.
        """
        column = self.cells.column[self.mine]
        columns = np.unique(column)
        records = self.layout.records[columns]
        over = np.bincount(column, self.x[self.mine], self.beta.size)[columns] - records
        gap = float(over @ self.beta[columns] + self._surplus() @ self.multipliers)
        return bool(
            (np.abs(over) <= TOLERANCE * records).all()
            and self._missed() <= TOLERANCE
            and abs(gap) <= TOLERANCE * records.sum()
        )

    def _is_hopeless(self) -> bool:
        """Whether the dual falls below what it is at least if there is any solution.

        It is at least the entropy of values given the row, which is not negative. Where it has no
        curvature it falls along a line, and one step shows how far.
        """
        if not self.equations.size:
            return False
        dual, surplus = self._value(self.multipliers)
        curvatures, directions = np.linalg.eigh(self._hessian(self.multipliers))
        flat = directions[:, curvatures <= _FLAT * curvatures[-1]]
        down = -flat @ (flat.T @ surplus)
        slope = -float(surplus @ down)
        if slope <= TOLERANCE:
            return False
        here = self.multipliers
        lowest = self._value(here + 2 * (dual + 1) / slope * down)[0]
        self._value(here)
        return lowest < -1

    def _close(self, source: str) -> None:
        """Close the cells that are empty in every solution.

        Solutions are scaled up until all cells that can hold somebody hold 1 or more.
        """
        from scipy import optimize, sparse

        free = self.mine[self.layout.free[self.mine]]
        sums, totals = self._sums(free)
        n, one = free.size, sparse.eye_array(free.size)
        more = sparse.hstack([-one, one, sparse.csr_array((n, 1))])
        found = optimize.linprog(
            np.repeat([0.0, -1.0, 0.0], [n, n, 1]),
            A_ub=more,
            b_ub=np.zeros(n),
            A_eq=sparse.hstack([sums, sparse.csr_array((len(totals), n)), -totals[:, None]]),
            b_eq=np.zeros(len(totals)),
            bounds=[(0, None)] * n + [(0, 1)] * n + [(1, None)],
            options={"time_limit": _SECONDS},
        )
        if found.status == _INFEASIBLE:
            raise inconsistent(source)
        if found.status == 0:
            self.layout.free[free[found.x[n : 2 * n] < 0.5]] = False
        columns = np.unique(self.cells.column[self.mine])
        self.beta[columns] = np.log(np.maximum(self.layout.records[columns], 1.0))

    def _sums(self, free: CountArray) -> tuple[Any, FloatArray]:
        """Write the sums of rows, columns and equations over some cells as a sparse matrix."""
        from scipy import sparse

        amounts = sparse.csr_array(self.amounts)[self.cells.sort[free]]
        parts, totals = [amounts.T], [self.goals]
        for places, known in (
            (self.cells.row[free], self.layout.people),
            (self.cells.column[free], self.layout.records),
        ):
            used, number = np.unique(places, return_inverse=True)
            ones = np.ones(free.size)
            parts.append(sparse.csr_array((ones, (number, np.arange(free.size)))))
            totals.append(known[used])
        return sparse.vstack(parts), np.concatenate(totals)
