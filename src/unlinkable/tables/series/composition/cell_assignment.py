"""Cell assignment: who appears in which cell of the next release, and who has to stay away.

The rules keep one thing true: of the people of a cell, whoever holds all releases can believe just
as well that any other cohort has the value.

- A cell appears with one person of each cohort, and one record for each.
- If one cohort is away, somebody who was never published before takes its place and belongs to it
  from now on. All other cohorts are there, so that he has the value just if his cohort has it.
- If there is nobody, a counterfeit stands in its place. One is harmless: whether the value is the
  counterfeit's or somebody's, the other records can be the other people's in the same number of
  ways. With two it is not.
- If more are away, those who are there are left out, and so is a second person of one cohort.
- A new holder makes a cell with people who were never published before. Others will not do: they
  were seen without the value.
- Who gets a permanent value after having been published without it is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.spelling import quantity
from unlinkable.tables.series.composition.role_assignment import FREE, RoleAssignment
from unlinkable.tables.series.composition.roles import DECOY, Roles
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["OUT", "CellAssignment", "assign_cells"]

OUT = -2
"""The cell of whoever is left out."""


@define(eq=False, frozen=True)
class CellAssignment:
    """Who appears in the next release, and how.

    Attributes
    ----------
    cell
        The cell of each record; `FREE` or `OUT` for those who are in none.
    stands_in, lacks
        The cells with a counterfeit, and the value that it must have.
    roles
        All roles, with those that are given out now.
    left_out
        How many people are left out, by the reason.
    """

    cell: CountArray
    stands_in: CountArray
    lacks: CodeArray
    roles: Roles
    left_out: Mapping[str, int]

    @property
    def n_left_out(self) -> int:
        """How many people are left out."""
        return int((self.cell == OUT).sum())


def assign_cells(
    people: CountArray,
    value: CodeArray,
    place: CountArray,
    roles: Roles,
    was_published: BoolArray,
    size: int,
) -> CellAssignment:
    """Give everybody who is to be published a place.

    Parameters
    ----------
    people, value, place
        Whose each record is, which permanent value it has (`DECOY` if none), and where the person
        is on a curve on which neighbours are alike.
    roles
        The roles so far.
    was_published
        Who was published before, by the number of the person.
    size
        How many cohorts new cells have; also the fewest people without a role that may appear.

    Raises
    ------
    UnsupportedError
        If somebody no longer has a permanent value that he had.

    Cost
    ----
    O(n log n) for n records.
    """
    own = roles.of(people)
    had = np.where(own >= 0, roles.value[own] if roles.value.size else DECOY, DECOY)
    if n := int(((had != DECOY) & (value != had)).sum()):
        raise UnsupportedError(
            f"{quantity(n, 'person', 'people')} no longer {'has' if n == 1 else 'have'} a "
            "permanent value that was published: a value that can be lost again is not permanent"
        )
    is_seen = (own >= 0) | was_published[people]
    is_late = (value != DECOY) & (had == DECOY) & is_seen
    cell = np.where(is_late, OUT, FREE).astype(np.int64)
    left_out = {"got a permanent value after having been published without it": is_late}
    short, cohort = _call_in(cell, np.where(is_late, -1, own), roles, left_out)

    fresh = np.flatnonzero(~is_seen)
    fresh = fresh[np.argsort(place[fresh], kind="stable")]
    holders, plain = fresh[value[fresh] != DECOY], fresh[value[fresh] == DECOY]
    lacks = roles.held[short, cohort] if short.size else np.zeros(0, np.int32)
    given = RoleAssignment(people, value, place, cell, roles)
    holders, is_filled = given.stand_in_for_holders(short, cohort, lacks, holders)
    plain, waiting = given.form_cells(holders, plain, size)
    late = np.zeros(cell.size, bool)
    late[waiting] = True
    left_out["hold a permanent value, and too few others are new"] = late
    cell[waiting] = OUT
    is_filled |= given.stand_in_for_decoys(short, cohort, ~is_filled & (lacks == DECOY), plain)
    free = cell == FREE
    if 0 < free.sum() < size:
        left_out[f"are fewer than {size} without a role"] = free.copy()
        cell[free] = OUT
    told = {why: int(who.sum()) for why, who in left_out.items() if who.any()}
    return CellAssignment(cell, short[~is_filled], lacks[~is_filled], given.roles, told)


def _call_in(
    cell: CountArray, own: CountArray, roles: Roles, left_out: dict[str, BoolArray]
) -> tuple[CountArray, CountArray]:
    """Call in the cells that can appear; return those that lack one cohort, and which."""
    sizes = roles.sizes
    members = np.flatnonzero(own >= 0)
    home, cohort = roles.cell[own[members]], roles.cohort[own[members]]
    wide = int(sizes.max(initial=1))
    first = np.unique(home * wide + cohort, return_index=True)[1]
    chosen, home, cohort = members[first], home[first], cohort[first]
    n_there = np.bincount(home, minlength=sizes.size)
    can = (n_there > 0) & (sizes - n_there <= 1)
    cell[members] = OUT
    cell[chosen[can[home]]] = home[can[home]]
    is_second = np.zeros(cell.size, bool)
    is_second[np.setdiff1d(members, chosen)] = True
    is_lonely = np.zeros(cell.size, bool)
    is_lonely[chosen[~can[home]]] = True
    left_out["are of a cohort that somebody else stands for"] = is_second
    left_out["belong together with people who are not there"] = is_lonely
    short = np.flatnonzero(can & (n_there == sizes - 1))
    there = np.bincount(home, weights=cohort, minlength=sizes.size).astype(np.int64)
    return short, (sizes * (sizes - 1) // 2 - there)[short]
