"""Role assignment: roles given out, to people who are near to those with whom they will appear."""

from __future__ import annotations

import numpy as np

from unlinkable.tables.series.composition.roles import DECOY, Roles
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["FREE", "RoleAssignment", "pick_near"]

FREE = -1
"""The cell of whoever has no role."""


class RoleAssignment:
    """The roles that are given out now."""

    def __init__(
        self,
        people: CountArray,
        value: CodeArray,
        place: CountArray,
        cell: CountArray,
        roles: Roles,
    ) -> None:
        self._people, self._value, self._place = people, value, place
        self._cell = cell
        self._first = np.full(roles.n_cells, -1, np.int64)
        there = np.flatnonzero(cell >= 0)
        self._first[cell[there]] = there
        self.roles = roles

    def stand_in_for_holders(
        self, short: CountArray, cohort: CountArray, lacks: CodeArray, holders: CountArray
    ) -> tuple[CountArray, BoolArray]:
        """Let new holders take the places of those who are away; return the others."""
        is_filled = np.zeros(short.size, bool)
        for value in np.unique(lacks[lacks != DECOY]).tolist():
            open_, new = (
                np.flatnonzero(lacks == value),
                holders[self._value[holders] == value],
            )
            n = min(open_.size, new.size)
            self._enter(new[:n], short[open_[:n]], cohort[open_[:n]])
            is_filled[open_[:n]] = True
        return holders[self._cell[holders] == FREE], is_filled

    def form_cells(
        self, holders: CountArray, plain: CountArray, size: int
    ) -> tuple[CountArray, CountArray]:
        """Form new cells; return the people who are left over, and the holders who must wait.

        A cell may have holders of several values, but of each only one: no cohort is then likelier
        than another to have any of them.
        """
        if not holders.size:
            return plain, holders
        holders = holders[np.argsort(self._value[holders], kind="stable")]
        counts = np.bincount(self._value[holders])
        tried = np.arange(int(max(counts.max(), -(-holders.size // size))) + 1)
        hosted = np.minimum(np.minimum(counts, tried[:, None]).sum(axis=1), tried * size)
        n_cells = int(tried[tried * size - hosted <= plain.size].max())
        rank = np.arange(holders.size) - np.repeat(np.cumsum(counts) - counts, counts)
        fits = np.flatnonzero(rank < n_cells)[: n_cells * size]
        waiting = np.delete(holders, fits)
        holders = holders[fits]
        if not holders.size:
            return plain, waiting
        turn, nth = np.arange(holders.size) % n_cells, np.arange(holders.size) // n_cells
        need = size - np.bincount(turn, minlength=n_cells)
        order = np.argsort(self._place[holders[:n_cells]], kind="stable")
        picked = pick_near(self._place[holders[order]], need[order], self._place[plain])
        base = self.roles.n_cells
        self._enter(holders, base + turn, nth)
        owner = np.repeat(order, need[order])
        begin = np.cumsum(need[order]) - need[order]
        after = np.arange(owner.size) - np.repeat(begin, need[order])
        self._enter(plain[picked], base + owner, (size - need)[owner] + after)
        return np.delete(plain, picked), waiting

    def stand_in_for_decoys(
        self, short: CountArray, cohort: CountArray, is_open: BoolArray, plain: CountArray
    ) -> BoolArray:
        """Let new people take the places of decoys who are away, those near to them first."""
        at = np.flatnonzero(is_open)[: plain.size]
        near = self._place[self._first[short[at]]] if at.size else np.zeros(0, np.int64)
        at = at[np.argsort(near, kind="stable")]
        picked = pick_near(np.sort(near), np.ones(at.size, np.int64), self._place[plain])
        self._enter(plain[picked], short[at], cohort[at])
        is_filled = np.zeros(short.size, bool)
        is_filled[at] = True
        return is_filled

    def _enter(self, records: CountArray, cells: CountArray, cohorts: CountArray) -> None:
        self._cell[records] = cells
        self.roles = self.roles.with_more(
            self._people[records], cells, cohorts, self._value[records]
        )


def pick_near(wanted: CountArray, need: CountArray, offered: CountArray) -> CountArray:
    """Give each of some places so many of those on offer, near to it, and none twice.

    Parameters
    ----------
    wanted, need
        Places in ascending order, and how many each needs; not more than there are.
    offered
        Places in ascending order.

    Returns
    -------
    CountArray
        Which ones, for the first place, for the second, and so on.

    Examples
    --------
    >>> offered = np.array([0, 10, 20, 30, 40])
    >>> pick_near(np.array([19, 21]), np.array([2, 1]), offered).tolist()
    [1, 2, 3]
    """
    before = np.cumsum(need) - need
    wish = np.maximum(np.searchsorted(offered, wanted) - need // 2, 0)
    start = np.maximum.accumulate(wish - before)
    start = np.minimum(start, offered.size - int(need.sum()))
    return np.repeat(start, need) + np.arange(int(need.sum()))
