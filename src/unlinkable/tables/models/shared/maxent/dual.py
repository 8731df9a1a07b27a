"""The dual: a multiplier for every equation, and the largest entropy at its minimum.

Given the multipliers of the equations, every group is balanced by itself (`kernels.maxent`). What
remains is a smooth convex function of as many variables as there are equations, with exact first
and second derivatives, for the trust-region method of scipy. Equations that have no group in
common, not even over others, are minimized apart.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.worlds import Layout
from unlinkable.tables.models.shared.maxent.cells import Cells
from unlinkable.tables.models.shared.maxent.component import TOLERANCE, Component
from unlinkable.tables.models.shared.maxent.presolve import inconsistent, settle
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["solve"]


def solve(cells: Cells, source: str) -> FloatArray:
    """Find how many people each cell holds at the largest entropy.

    Raises
    ------
    DataError
        If what is known contradicts what is published.
    UnlinkableError
        If the sums are not met to within `TOLERANCE`, or the entropy is not the largest.
    """
    lower, upper = settle(cells, source)
    free = lower < upper
    settled = np.where(free, 0, lower)
    if not free.any():
        return settled.astype(float)
    problem = _Problem.of(cells, settled, free)
    for part in problem.parts(source):
        part.solve(source)
    return settled + problem.x


@define(eq=False, frozen=True)
class _Problem:
    """What is left when some cells are settled.

    Attributes
    ----------
    cells, layout
        All cells, and the sums of those that are free.
    amounts, goals
        By sort and equation what a person adds, and what must come together, in units of people.
    beta, x
        The multipliers of the columns and the cells as they are now. Both change.
    """

    cells: Cells
    layout: Layout
    amounts: FloatArray
    goals: FloatArray
    beta: FloatArray
    x: FloatArray

    @classmethod
    def of(cls, cells: Cells, settled: CountArray, free: BoolArray) -> Self:
        by_row, by_column = cells.sums(settled)
        records = (cells.records - by_column).astype(float)
        amounts, units = cells.scaled()
        done, goals = cells.term_sums(settled).tolist(), np.zeros(len(cells.equations))
        for e, equation in enumerate(cells.equations):
            terms = zip(equation.terms, equation.weights, strict=True)
            goals[e] = float(equation.p - sum(w * done[k] for k, w in terms)) * units[e]
        sorts, equations = np.nonzero(amounts)
        layout = Layout(
            cells.row_start,
            cells.column_start,
            cells.row_cell,
            free,
            (cells.people - by_row).astype(float),
            records,
            cells.sort,
            np.searchsorted(sorts, np.arange(len(amounts) + 1)),
            equations.astype(np.int32),
            amounts[sorts, equations],
        )
        # Without equations this is the solution: values are independent of who people are.
        independent = np.log(np.where(records > 0, records, 1.0))
        return cls(cells, layout, amounts, goals, independent, np.zeros(free.size))

    def parts(self, source: str) -> list[Component]:
        """Put groups together that equations link; those that none links make one part."""
        from scipy import sparse
        from scipy.sparse import csgraph as graphs

        cells, n_groups = self.cells, self.cells.groups.size
        group_of_row = np.repeat(np.arange(n_groups), np.diff(cells.row_start))
        group_of_cell = group_of_row[cells.row]
        free = np.flatnonzero(self.layout.free)
        at = group_of_cell[free], cells.sort[free]
        there = sparse.csr_array((np.ones(free.size), at), (n_groups, len(self.amounts)))
        links = there @ sparse.csr_array((self.amounts != 0).astype(float))
        both = sparse.block_array([[None, links], [links.T, None]])
        of_group, of_equation = np.split(graphs.connected_components(both)[1], [n_groups])
        linked = np.intersect1d(of_group, of_equation)
        # Component 0 is all groups by themselves; the others are numbered from 1.
        number = np.searchsorted(linked, of_group) + 1
        number[~np.isin(of_group, linked)] = 0
        places = np.searchsorted(linked, of_equation) + 1
        places[~np.isin(of_equation, linked)] = -1
        for e in np.flatnonzero((places < 0) & (np.abs(self.goals) > TOLERANCE)):
            raise inconsistent(source, cells.equations[e].label)
        return [
            Component(
                layout=self.layout,
                cells=cells,
                groups=np.flatnonzero(number == i),
                equations=np.flatnonzero(places == i),
                mine=np.flatnonzero(number[group_of_cell] == i),
                amounts=self.amounts[:, places == i],
                goals=self.goals[places == i],
                beta=self.beta,
                x=self.x,
            )
            for i in np.unique(number)
        ]
