"""Members: the people whose group an adversary knows, and what they show there.

In buckets everybody sees it. A generalized group shows the same of all its people; but an adversary
with a list of everybody finds the people in it who could be in the group. If there are as many as
the group has records, they are all in it, and it is known what each of them really shows [1]_.
Nobody of them is in any other group, which may settle further ones.

References
----------
.. [1] R. C.-W. Wong, A. W.-C. Fu, K. Wang, Y. Xu, J. Pei, P. S. Yu. "Probabilistic inference
   protection on anonymized data." ICDM 2010. Section I.

People of groups one by one, as those see them who learn from all groups at once.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import SchemaError, unknown
from unlinkable.kernels.counting import expand_stretches, tallies
from unlinkable.kernels.worlds import count_cells
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared.matching import Matching, match
from unlinkable.tables.data import ColumnPlan, Role, Schema, SideTable, Table, as_texts
from unlinkable.tables.engines import count_parts
from unlinkable.tables.groups import Histogram
from unlinkable.tables.taxonomies.builders import Verbatim
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["Members", "People", "group_of_kinds", "group_of_people"]

_ROUNDS = 1000
"""Groups that still settle others after this many rounds are left open."""


@define(eq=False, frozen=True)
class Members:
    """People, and in which groups they are.

    Attributes
    ----------
    table
        A row for every person, with what they show.
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
        parts = group_of_people(target, people)
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


def group_of_people(target: Target, people: SideTable) -> CodeArray:
    """Find the group of everybody in a list; -1 if nobody can say.

    Raises
    ------
    SchemaError
        If the list has no column in common with the release.
    """
    counted, matching = target.counted(), match(target, people)
    return group_of_kinds(matching, counted.labels, counted.finest.sizes)[matching.kind]


def group_of_kinds(matching: Matching, labels: CodeArray, sizes: CountArray) -> CodeArray:
    """Find the group of every kind of people in a list; -1 if nobody can say.

    A group is settled if as many people could be in it as it has records. These could be in no
    other group, so that they do not count there. O(r p) for r rounds and p pairs of a kind of
    people and a group that they could be in.
    """
    kind, group = _pairs(matching, labels, sizes.size)
    group_of = np.full(matching.kind_sizes.size, -1, np.int32)
    for _ in range(_ROUNDS):
        n_people = tallies.sum_by_label(matching.kind_sizes[kind], group, sizes.size)
        is_settled = (n_people == sizes)[group]
        # Nobody is in two groups: a list by which a person would be lacks people.
        claimed = tallies.count(kind[is_settled], group_of.size)
        is_sound = _all_of(group, claimed[kind] < 2, sizes.size)
        settled = is_settled & is_sound[group]
        if not settled.any():
            break
        group_of[kind[settled]] = group[settled]
        left = (group_of[kind] < 0) & ~np.isin(group, group[settled])
        kind, group = kind[left], group[left]
    return group_of


def _pairs(matching: Matching, labels: CodeArray, n_groups: int) -> tuple[CodeArray, CodeArray]:
    """List all kinds of people and the groups with records that could be theirs, each pair once."""
    indptr, groups, _ = tallies.tally(matching.look, labels, matching.look_sizes.size, n_groups)
    kinds = np.repeat(np.arange(matching.kind_sizes.size), np.diff(matching.indptr))
    of, at = expand_stretches(indptr[matching.looks], np.diff(indptr)[matching.looks])
    pairs = np.unique(kinds[of] * max(n_groups, 1) + groups[at])
    kind, group = np.divmod(pairs, max(n_groups, 1))
    return kind.astype(np.int32), group.astype(np.int32)


def _all_of(labels: CodeArray, good: BoolArray, n_groups: int) -> BoolArray:
    """Tell of which groups all entries are good."""
    out = np.ones(n_groups, bool)
    out[labels[~good]] = False
    return out


_MOST_PAIRS = 1 << 23
"""So many pairs of a value and of what people show are learned at most."""


@define(eq=False, frozen=True)
class People:
    """The people of groups, in the order of their groups.

    Attributes
    ----------
    hidden
        The values of the groups.
    rows
        Where each person is in their table.
    start
        Where each group begins, and where the last one ends.
    base
        Where the table of each group begins in arrays of people and values, and where the last one
        ends.
    values
        The values of groups, numbered through without gaps.
    cells
        What people show on each column, numbered through; -1 if it tells nothing.
    n_values
        How many values there are.
    columns
        Where the numbers of what is shown on each column begin, and where the last ones end.
    shown_by
        How many people show each of these.
    n_left_out
        How many things that people show were left out because there are too many.
    """

    hidden: Histogram
    rows: CountArray
    start: CountArray
    base: CountArray
    values: CodeArray
    cells: CodeArray
    n_values: int
    columns: CountArray
    shown_by: CountArray
    n_left_out: int

    @classmethod
    def of(cls, members: Members, columns: Columns) -> Self:
        """Take what members of groups show on some columns."""
        hidden, parts = members.hidden, members.parts
        order = np.argsort(parts, kind="stable")
        rows = order[np.searchsorted(parts[order], 0) :]
        sizes = np.bincount(parts[rows], minlength=hidden.n_groups)
        occurring, values = np.unique(hidden.values, return_inverse=True)
        coded = [members.table.codes(name)[rows] for name in columns]
        most = max(_MOST_PAIRS // max(occurring.size, 1), 1)
        cells, kept, n_left_out = _number(coded, most)
        return cls(
            hidden,
            rows,
            np.append(0, np.cumsum(sizes)),
            np.append(0, np.cumsum(sizes * hidden.distinct)),
            values.astype(np.int32),
            cells,
            occurring.size,
            kept,
            np.bincount(cells[cells >= 0], minlength=int(kept[-1])),
            n_left_out,
        )

    @property
    def n_cells(self) -> int:
        """Number of things that people show."""
        return self.shown_by.size

    @property
    def row_start(self) -> CountArray:
        """Where the row of every person begins, and where the last one ends."""
        width = np.repeat(self.hidden.distinct, np.diff(self.start))
        return np.append(0, np.cumsum(width))

    def counts(self, held: CodeArray) -> CountArray:
        """Count how many people with a value show what."""
        out = np.empty((self.n_cells, self.n_values), np.int64)
        count_cells(self.start, self.hidden.indptr, self.values, self.cells, held, out)
        return out


def _number(coded: list[CodeArray], most: int) -> tuple[CodeArray, CountArray, int]:
    """Number what people show on all columns through, without what only one person shows."""
    counted = [np.bincount(codes) for codes in coded]
    sizes = np.concatenate(counted) if counted else np.zeros(0, np.int64)
    is_kept = sizes > 1
    n_left_out = max(int(is_kept.sum()) - most, 0)
    if n_left_out:
        rarest = np.argsort(np.where(is_kept, sizes, sizes.max() + 1), kind="stable")
        is_kept[rarest[:n_left_out]] = False
    number = np.where(is_kept, np.cumsum(is_kept) - 1, -1).astype(np.int32)
    offsets = np.append(0, np.cumsum([c.size for c in counted])).astype(np.int64)
    cells = [number[codes + offset] for codes, offset in zip(coded, offsets[:-1], strict=True)]
    kept = np.append(0, np.cumsum(is_kept))[offsets]
    return np.ascontiguousarray(np.column_stack(cells)), kept, n_left_out
