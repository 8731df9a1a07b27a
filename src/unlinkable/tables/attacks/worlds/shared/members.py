"""Members: of whom an adversary knows in which group he is, and what he shows there.

In buckets everybody sees it. A generalized group shows the same of all its people; but whoever has
a list of everybody finds the people in it who could be in the group. If there are as many as the
group has records, they are all in it, and he knows what each of them really shows [1]_. Nobody of
them is in any other group, which may settle further ones.

References
----------
.. [1] R. C.-W. Wong, A. W.-C. Fu, K. Wang, Y. Xu, J. Pei, P. S. Yu. "Probabilistic inference
   protection on anonymized data." ICDM 2010. Section I.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import SchemaError, unknown
from unlinkable.kernels.counting import tallies
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared.matching import Matching, match
from unlinkable.tables.data import ColumnPlan, Role, Schema, SideTable, Table, as_texts
from unlinkable.tables.engines import count_parts
from unlinkable.tables.groups import Histogram
from unlinkable.tables.taxonomies.builders import Verbatim
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["Members", "find_parts", "homes"]

_ROUNDS = 1000
"""Groups that still settle others after this many rounds are left open."""


@define(eq=False, frozen=True)
class Members:
    """People, and in which groups they are.

    Attributes
    ----------
    table
        A row for every person, with what he shows.
    parts
        The group of every person; -1 if nobody can say.
    hidden
        What the groups hide of which it is known who is in them.
    groups
        Which groups of the release these are.
    n_left_out
        How many further groups there are.
    """

    table: Table
    parts: CodeArray
    hidden: Histogram
    groups: CountArray
    n_left_out: int = 0

    @classmethod
    def published(cls, target: Target, column: str, shown: Columns) -> Self:
        """Take what the records of a release show as what their people show.

        Raises
        ------
        SchemaError
            If a column is not published.
        """
        counted = target.counted([(column,)])
        hidden = counted.finest.histograms[column,]
        groups = np.arange(len(counted.finest))
        return cls(target.table(shown), counted.labels, hidden, groups)

    @classmethod
    def listed(cls, target: Target, column: str, people: SideTable, shown: Columns) -> Self:
        """Find people of a list in the groups of a release.

        The list must have everybody who is in the release; it may have others as well.

        Raises
        ------
        SchemaError
            If the list lacks a column, or has none in common with the release.
        """
        for name in shown:
            if name not in people.columns:
                raise SchemaError(f"{unknown('column', name, people.columns)} in {people.name!r}")
        counted = target.counted([(column,)])
        parts = find_parts(target, people)
        is_known = np.zeros(len(counted.finest), bool)
        is_known[parts[parts >= 0]] = True
        number = np.where(is_known, np.cumsum(is_known) - 1, -1).astype(np.int32)
        parts = np.where(parts >= 0, number[parts], np.int32(-1))
        plans = [ColumnPlan(name, Role.QUASI, Verbatim()) for name in shown]
        table = Table(as_texts(people.frame, shown, ()), Schema(plans))
        hidden = counted.finest.histograms[column,].select(is_known)
        groups = np.flatnonzero(is_known)
        return cls(table, parts, hidden, groups, len(counted.finest) - groups.size)

    def seen(self, columns: Columns) -> Histogram:
        """Count what the people of each group show on some columns."""
        counted = count_parts(self.table, self.parts, self.hidden.n_groups, [columns])
        return counted.histograms[columns]


def find_parts(target: Target, people: SideTable) -> CodeArray:
    """Find the group of everybody in a list; -1 if nobody can say.

    Raises
    ------
    SchemaError
        If the list has no column in common with the release.
    """
    counted, matching = target.counted(), match(target, people)
    return homes(matching, counted.labels, counted.finest.sizes)[matching.kind]


def homes(matching: Matching, labels: CodeArray, sizes: CountArray) -> CodeArray:
    """Find the group of every kind of people in a list; -1 if nobody can say.

    A group is settled if as many people could be in it as it has records. These could be in no
    other group, so that they do not count there. O(r p) for r rounds and p pairs of a kind of
    people and a group that they could be in.
    """
    kind, group = _pairs(matching, labels, sizes.size)
    home = np.full(matching.kind_sizes.size, -1, np.int32)
    for _ in range(_ROUNDS):
        n_people = tallies.sum_by_label(matching.kind_sizes[kind], group, sizes.size)
        is_settled = (n_people == sizes)[group]
        # Nobody is in two groups: a list with which somebody would be lacks people.
        claimed = tallies.count(kind[is_settled], home.size)
        is_sound = _all_of(group, claimed[kind] < 2, sizes.size)
        settled = is_settled & is_sound[group]
        if not settled.any():
            break
        home[kind[settled]] = group[settled]
        left = (home[kind] < 0) & ~np.isin(group, group[settled])
        kind, group = kind[left], group[left]
    return home


def _pairs(matching: Matching, labels: CodeArray, n_groups: int) -> tuple[CodeArray, CodeArray]:
    """List all kinds of people and the groups with records that could be theirs, each pair once."""
    indptr, groups, _ = tallies.tally(matching.look, labels, matching.look_sizes.size, n_groups)
    kinds = np.repeat(np.arange(matching.kind_sizes.size), np.diff(matching.indptr))
    n_each = np.diff(indptr)[matching.looks]
    kinds = np.repeat(kinds, n_each)
    offset = np.arange(kinds.size) - np.repeat(np.cumsum(n_each) - n_each, n_each)
    found = groups[np.repeat(indptr[:-1][matching.looks], n_each) + offset]
    pairs = np.unique(kinds * max(n_groups, 1) + found)
    kind, group = np.divmod(pairs, max(n_groups, 1))
    return kind.astype(np.int32), group.astype(np.int32)


def _all_of(labels: CodeArray, good: BoolArray, n_groups: int) -> BoolArray:
    """Tell of which groups all entries are good."""
    out = np.ones(n_groups, bool)
    out[labels[~good]] = False
    return out
