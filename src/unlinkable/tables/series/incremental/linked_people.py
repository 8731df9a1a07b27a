"""Linked people: everybody who is followed from earlier releases to the next one, as arcs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.flows import Candidates, Links, Room
from unlinkable.tables.attacks.series import Sheet, Traces
from unlinkable.tables.models import number_of
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["link_people", "room_for"]

_GROUPS = 64
"""There is room for so many groups at the beginning."""

_MOST = 1 << 28
"""No more numbers than this are kept, for nodes, people and each value."""


def link_people(table: Sheet, earlier: Sequence[Sheet], traced: Traces) -> tuple[Links, Candidates]:
    """Lay out everybody as arcs from the groups of earlier releases to one new group.

    Parameters
    ----------
    table
        The records that are to be published; their groups do not matter.
    earlier, traced
        The releases so far, and who can have which value by these.

    Raises
    ------
    UnsupportedError
        If somebody's value is not what it was, or there are too many values.
    """
    n_values = max(table.n_values, traced.common.n_values)
    n_nodes = sum(sheet.n_groups + _GROUPS for sheet in earlier)
    if (n_nodes + traced.kinds.kind.size + len(table)) * n_values > _MOST:
        raise UnsupportedError(
            f"the sensitive column has {n_values:,} values, too many to follow the records of "
            f"{number_of(len(earlier), 'release')} while groups are split: ask for optimal or "
            "incognito"
        )
    return _laid_out(_everybody(table, earlier, traced))


def room_for(links: Links, n_log: int = 1 << 16) -> Room:
    """Make room to work in, with a log of at least so many entries."""
    n = links.ways.shape[1]
    n_log = max(n_log, 8 * n + links.values.size)
    return Room(
        is_lost=np.zeros(n, np.int8),
        queue=np.zeros(n, np.int32),
        left=np.zeros(n, np.int32),
        seen=np.full(n, -1, np.int32),
        low=np.zeros(n, np.int32),
        at=np.zeros(n, np.int64),
        stack=np.zeros(n, np.int32),
        path=np.zeros(n, np.int32),
        moved=np.zeros(links.order.size, np.int32),
        log=np.zeros(n_log, np.int64),
        old=np.zeros(n_log, np.int32),
        used=np.zeros(1, np.int64),
    )


@define(eq=False, frozen=True)
class _People:
    """Everybody who has a record: those of the table first, then those who have left.

    Attributes
    ----------
    where
        For each earlier release and person his group, -1 if he is not in it.
    values
        What they have.
    is_possible
        By person and value whether he could have it by the earlier releases.
    n_present
        How many are in the table.
    n_groups
        How many groups each earlier release has.
    """

    where: CodeArray
    values: CodeArray
    is_possible: BoolArray
    n_present: int
    n_groups: tuple[int, ...]


def _everybody(table: Sheet, earlier: Sequence[Sheet], traced: Traces) -> _People:
    kinds, common = traced.kinds, traced.common
    n_values = max(table.n_values, common.n_values)
    is_known = table.people < kinds.n_people
    value = np.full(kinds.kind.size, -1, np.int32)
    n_changed = 0
    for sheet, owners in zip(earlier, kinds.owners, strict=True):
        told = value[owners]
        n_changed += int(((told >= 0) & (told != sheet.values)).sum())
        value[owners] = sheet.values
    told = value[table.people[is_known]]
    n_changed += int(((told >= 0) & (told != table.values[is_known])).sum())
    if n_changed:
        raise UnsupportedError(
            "records are followed by values that stay, and "
            f"{number_of(n_changed, 'value')} changed from one release to another"
        )
    is_here = np.zeros(kinds.kind.size, bool)
    is_here[table.people[is_known]] = True
    gone = np.flatnonzero((kinds.kind >= 0) & ~is_here)
    of_table = np.full(len(table), -1, np.int32)
    of_table[is_known] = kinds.kind[table.people[is_known]]
    kind = np.append(of_table, kinds.kind[gone])
    where = np.concatenate([kinds.where, np.full((1, len(earlier)), -1, np.int32)])[kind].T
    allowed = np.zeros((len(kinds) + 1, n_values), bool)
    allowed[common.row, common.values] = traced.is_possible
    allowed[-1] = True
    values = np.concatenate([table.values, value[gone]]).astype(np.int32)
    n_groups = tuple(sheet.n_groups for sheet in earlier)
    return _People(np.ascontiguousarray(where), values, allowed[kind], len(table), n_groups)


def _laid_out(people: _People) -> tuple[Links, Candidates]:
    """Lay out nodes for everybody in one group."""
    n_releases, n_all = people.where.shape
    n_values = people.is_possible.shape[1]
    firsts = np.append(0, np.cumsum(np.array(people.n_groups, np.int64) + 1))
    outside, n_old = (firsts[1:] - 1).astype(np.int32), int(firsts[-1])
    ends = np.where(people.where < 0, outside[:, None], people.where + firsts[:-1, None])
    ends = ends.astype(np.int32)
    labels = np.where(np.arange(n_all) < people.n_present, 0, -1).astype(np.int32)
    # Who has left stands outside as well, unless he was not in the earlier release either.
    is_inside = ends != outside[:, None]
    at_end = is_inside | (labels >= 0)
    has_left = is_inside & (labels < 0)
    nodes = np.concatenate([ends[at_end], np.repeat(outside, has_left.sum(axis=1))])
    who = np.concatenate([np.nonzero(at_end)[1], np.nonzero(has_left)[1]])
    order = np.lexsort((people.values[who], nodes))
    starts = np.append(0, np.cumsum(np.bincount(nodes, minlength=n_old))).astype(np.int64)
    has_old = np.zeros((n_old, n_values), np.int32)
    for row, inside in zip(ends, is_inside, strict=True):
        np.add.at(has_old, (row[inside], people.values[inside]), 1)
    has_new = np.zeros((_GROUPS, n_values), np.int32)
    has_new[0] = np.bincount(people.values[: people.n_present], minlength=n_values)
    links = Links(
        ends=ends,
        outside=outside,
        values=people.values,
        rarest=np.argsort(np.bincount(people.values, minlength=n_values)).astype(np.int32),
        labels=labels,
        order=np.argsort(people.values[: people.n_present], kind="stable").astype(np.int32),
        parts=np.array([[0, people.n_present], *(_GROUPS - 1) * [[0, 0]]], np.int64),
        starts=starts,
        people=who[order].astype(np.int32),
        ways=np.full((n_values, n_old + _GROUPS * n_releases, 3), -1, np.int32),
    )
    can = Candidates(
        np.ascontiguousarray(people.is_possible),
        np.zeros_like(has_old),
        has_old,
        np.zeros_like(has_new),
        has_new,
    )
    return links, can
