"""Memberships: who is in which groups of several releases, and what these groups hide.

Groups of different releases hang together through the people who are in both. What is found out of
one of them says something of the others, and of nothing else: the parts that hang together are
looked at one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Self

import numpy as np
from attrs import define
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.groups import number_rows
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Memberships"]


@define(eq=False, frozen=True, slots=False)
class Memberships:
    """Groups of several releases under one numbering, with their people and what they hide.

    A *label* is what a record hides: a value, or the number ``n_labels - 1`` for any of the values
    that are not told apart.

    Attributes
    ----------
    n_people, n_labels
        How many people and labels there are.
    person, group
        Who is in which group: a pair for each, by person and then by release.
    sizes, release
        How many records each group has, those that were made up among them, and in which release it
        is.
    row, label, count
        How often each label occurs in each group, by group and then by label; those that occur.

    Examples
    --------
    >>> first = Sheet.of([0, 1, 2], [0, 0, 1], [5, 6, 5])
    >>> then = Sheet.of([0, 1, -1], [0, 1, 1], [5, 5, 6])
    >>> memberships = Memberships.of([first, then], np.arange(7, dtype=np.int32))
    >>> memberships.n_groups, memberships.part.tolist(), memberships.made_up.tolist()
    (4, [0, 1, 0, 0], [0, 0, 0, 1])
    """

    n_people: int
    n_labels: int
    person: CountArray
    group: CountArray
    sizes: CountArray
    release: CountArray
    row: CountArray
    label: CodeArray
    count: CountArray

    @classmethod
    def of(cls, sheets: Sequence[Sheet], labels: CodeArray) -> Self:
        """Put releases together; ``labels`` says which label each value has."""
        first = np.cumsum([0, *(sheet.n_groups for sheet in sheets)])
        n_labels = int(labels.max(initial=-1)) + 1
        people = np.concatenate([sheet.people for sheet in sheets])
        groups = np.concatenate([s.groups + at for s, at in zip(sheets, first, strict=False)])
        shown = np.concatenate([labels[sheet.values] for sheet in sheets])
        cells, count = np.unique(groups * max(n_labels, 1) + shown, return_counts=True)
        row, label = np.divmod(cells, max(n_labels, 1))
        known = np.flatnonzero(people >= 0)
        known = known[np.lexsort((groups[known], people[known]))]
        n_groups = int(first[-1])
        return cls(
            int(people.max(initial=-1)) + 1,
            n_labels,
            people[known],
            groups[known].astype(np.int64),
            np.bincount(groups, minlength=n_groups),
            np.repeat(np.arange(len(sheets)), [sheet.n_groups for sheet in sheets]),
            row,
            label.astype(np.int32),
            count,
        )

    @property
    def n_groups(self) -> int:
        """How many groups there are in all releases."""
        return self.sizes.size

    @cached_property
    def degree(self) -> CountArray:
        """In how many releases everybody is."""
        return np.bincount(self.person, minlength=self.n_people)

    @cached_property
    def made_up(self) -> CountArray:
        """How many records of each group are nobody's."""
        return self.sizes - np.bincount(self.group, minlength=self.n_groups)

    @cached_property
    def starts(self) -> CountArray:
        """Where the labels of each group begin, and their number at the end."""
        return np.searchsorted(self.row, np.arange(self.n_groups + 1))

    @cached_property
    def part(self) -> CountArray:
        """The part that each group is in: groups that share a person are in one part."""
        n = self.n_people + self.n_groups
        ends = (self.person, self.group + self.n_people)
        graph = coo_array((np.ones(self.person.size, np.int8), ends), shape=(n, n))
        own = connected_components(graph, directed=False)[1][self.n_people :]
        return np.unique(own, return_inverse=True)[1].astype(np.int64)

    @property
    def n_parts(self) -> int:
        """How many parts there are."""
        return int(self.part.max(initial=-1)) + 1

    @cached_property
    def part_of(self) -> CountArray:
        """The part that everybody is in; -1 for numbers that nobody has."""
        found = np.full(self.n_people, -1, np.int64)
        found[self.person] = self.part[self.group]
        return found

    def is_even(self) -> BoolArray:
        """Tell in which parts all groups hide the same labels, each of them equally often."""
        n_distinct = np.diff(self.starts)
        pairs = np.unique(self.part[self.row] * max(self.n_labels, 1) + self.label)
        together = np.bincount(pairs // max(self.n_labels, 1), minlength=self.n_parts)
        most = np.maximum.reduceat(self.count, self.starts[:-1]) if self.n_groups else self.sizes
        is_flat = (most * n_distinct == self.sizes) & (n_distinct == together[self.part])
        even = np.ones(self.n_parts, bool)
        np.logical_and.at(even, self.part, is_flat)
        return even

    def kinds(self, people: CountArray) -> tuple[CountArray, CountArray]:
        """Number people so that those who are in the same groups of all releases have one number.

        Returns
        -------
        tuple[CountArray, CountArray]
            The kind of each of these people, and a person of each kind.
        """
        wanted = np.full(self.n_people, -1, np.int64)
        wanted[people] = np.arange(people.size)
        mine = wanted[self.person] >= 0
        who, group = wanted[self.person[mine]], self.group[mine]
        width = int(self.release.max(initial=-1)) + 1
        where = np.zeros((people.size, width), np.int32)
        where[who, self.release[group]] = group + 1
        kinds, first = number_rows(where)
        return kinds.astype(np.int64), people[first]
