"""Split sets: tables given by what they tell apart.

A split tells values of one column apart: the children of a node of its taxonomy, or the values
before a place in its order from those after. Without any split a table shows nothing; every set of
splits is a table, and more splits make a finer one. So all tables that a search may choose from are
the sets of splits that hold with each split the ones it needs: a node is only told by its children
if it is told itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cached_property
from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import ParameterError
from unlinkable.tables.groups import Groups, Partition, number_rows
from unlinkable.tables.methods.cuts.shared.node_tree import Tree
from unlinkable.tables.taxonomies import Attribute, Kind
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Boundaries", "SplitSets", "as_boundaries"]


class Boundaries(Enum):
    """Between which values a column may be split."""

    TAXONOMY = "taxonomy"
    """Between the children of a node, all at once: what is shown are nodes of the taxonomy."""
    NUMBERS = "numbers"
    """Numbers and dates between any two values, categories as their taxonomy says."""
    VALUES = "values"
    """Between any two values of every column, categories in the order of their taxonomy."""


def as_boundaries(value: Boundaries | str) -> Boundaries:
    """Read between which values a column may be split.

    Examples
    --------
    >>> as_boundaries("values")
    <Boundaries.VALUES: 'values'>
    """
    try:
        return Boundaries(value)
    except ValueError:
        known = ", ".join(repr(option.value) for option in Boundaries)
        raise ParameterError(f"boundaries must be one of {known}, got {value!r}") from None


@define(eq=False, frozen=True, slots=False)
class SplitSets:
    """All splits that there are; a set of them is a mask.

    Attributes
    ----------
    attributes
        The columns.
    column
        Whose values each split tells apart.
    above
        The split that each one needs; -1 if none. It has a smaller number.
    lo, hi
        The range of codes that a split of a node tells apart, or the two codes that a split between
        values tells apart; if the last of all is the missing value, the whole column.
    at
        Where the second part begins, for a split between values.
    first, part
        From where on in ``part`` the parts of the codes of a node are, numbered from 0; -1 for a
        split between values.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree as Jobs
    >>> jobs = Jobs({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> staff = as_table({"job": ["Dancer"]}, quasi="job", taxonomies={"job": jobs})
    >>> splits = SplitSets.of(staff.attributes, Boundaries.TAXONOMY)
    >>> splits.above.tolist(), splits.ranges(np.array([True, True, False]), 0)[0].tolist()
    ([-1, 0, 0], [0, 1, 2, 2])
    """

    attributes: tuple[Attribute, ...]
    column: CodeArray
    above: CodeArray
    lo: CodeArray
    hi: CodeArray
    at: CodeArray
    first: CountArray
    part: CodeArray

    @classmethod
    def of(cls, attributes: Sequence[Attribute], boundaries: Boundaries) -> Self:
        """List the splits of all columns."""
        listed: list[list[CodeArray]] = []
        parts: list[CodeArray] = []
        n_splits = n_parts = 0
        for j, attribute in enumerate(attributes):
            is_number = attribute.taxonomy.domain.kind is not Kind.CATEGORY
            if boundaries is Boundaries.VALUES or (boundaries is Boundaries.NUMBERS and is_number):
                above, lo, hi, at = _between_values(attribute)
                first = np.full(above.size, -1)
            else:
                above, lo, hi, part = _of_nodes(Tree.of(attribute.taxonomy))
                at, widths = lo, hi - lo
                first = n_parts + np.cumsum(widths) - widths
                parts.append(part)
                n_parts += part.size
            above = np.where(above >= 0, above + n_splits, -1)
            listed.append([np.full(above.size, j), above, lo, hi, at, first])
            n_splits += above.size
        rows = [np.concatenate(row) for row in zip(*listed, strict=True)] or [np.empty(0)] * 6
        column, above, lo, hi, at = (row.astype(np.int32) for row in rows[:5])
        part = np.concatenate([np.empty(0, np.int32), *parts])
        return cls(tuple(attributes), column, above, lo, hi, at, rows[5].astype(np.int64), part)

    def __len__(self) -> int:
        return self.column.size

    @cached_property
    def rules(self) -> tuple[CodeArray, CodeArray, CodeArray, CodeArray, CountArray, CodeArray]:
        """What each split does, as `unlinkable.kernels.taxonomy_cuts.split_sets` wants it."""
        return self.column, self.at, self.lo, self.hi, self.first, self.part

    @cached_property
    def none(self) -> BoolArray:
        """The set without any split: all values look alike."""
        return np.zeros(len(self), bool)

    def only(self, *splits: int) -> BoolArray:
        """Give the set of some splits."""
        mask = self.none.copy()
        mask[list(splits)] = True
        return mask

    def with_needed(self, splits: BoolArray) -> BoolArray:
        """Add to a set all that its splits need."""
        closed = splits.copy()
        last = closed
        while last.any():
            last = last & (self.above >= 0)
            needed = np.zeros(len(self), bool)
            needed[self.above[last]] = True
            last = needed & ~closed
            closed |= last
        return closed

    def with_needing(self, splits: BoolArray) -> BoolArray:
        """Add to a set all splits that need one of it."""
        closed = splits.copy()
        while True:
            grown = closed | ((self.above >= 0) & np.append(closed, False)[self.above])
            if np.array_equal(grown, closed):
                return closed
            closed = grown

    def is_open(self, head: BoolArray) -> BoolArray:
        """Tell which splits have all that they need in a set, and are not in it."""
        has_above: BoolArray = (self.above < 0) | np.append(head, True)[self.above]
        return has_above & ~head

    @cached_property
    def places(self) -> tuple[CodeArray, ...]:
        """By split the codes at which something begins that it tells from what is before."""
        found = []
        for v in range(len(self)):
            if self.first[v] < 0:
                found.append(self.at[v : v + 1])
                continue
            lo, hi = self.lo[v], self.hi[v]
            part = self.part[self.first[v] : self.first[v] + hi - lo]
            inside = np.flatnonzero(part[1:] > part[:-1]) + 1 + lo
            found.append(np.append([lo, hi], inside).astype(np.int32))
        return tuple(found)

    def ranges(self, splits: BoolArray, j: int) -> tuple[CodeArray, CodeArray]:
        """For every code of a column the range ``[lo, hi)`` that it is not told apart from."""
        n = self.attributes[j].taxonomy.n
        is_first = np.zeros(n + 1, bool)
        is_first[0] = is_first[n] = True
        chosen = (splits & (self.column == j)).nonzero()[0].tolist()
        if chosen:
            is_first[np.concatenate([self.places[v] for v in chosen])] = True
        begins = is_first.nonzero()[0].astype(np.int32)
        blocks = np.cumsum(is_first[:n]) - 1
        return begins[blocks], begins[blocks + 1]

    def as_in(self, other: SplitSets, splits: BoolArray) -> BoolArray:
        """Find the splits that tell no more apart than a set of another kind does."""
        found = self.none.copy()
        for j, attribute in enumerate(self.attributes):
            is_first = np.append(np.zeros(attribute.taxonomy.n, bool), True)
            is_first[other.ranges(splits, j)[0]] = True
            for v in np.flatnonzero(self.column == j):
                found[v] = bool(is_first[self.places[v]].all())
        return found

    def spans(self, splits: BoolArray, which: CodeArray) -> tuple[CodeArray, CodeArray]:
        """Tell which range of codes is not told apart if a split is taken out of a set.

        ``which`` are splits of the set. All that needs such a split is taken out with it.
        """
        lo, hi = self.lo[which].copy(), self.hi[which].copy()
        for i in np.flatnonzero(self.first[which] < 0):
            v = which[i]
            if hi[i] - lo[i] == 2:
                n = self.attributes[self.column[v]].taxonomy.n
                rest = self.column[splits] == self.column[v]
                places = np.append(np.sort(self.at[splits][rest]), n)
                here = int(np.searchsorted(places, self.at[v]))
                lo[i], hi[i] = places[here - 1] if here else 0, places[here + 1]
        return lo, hi

    def partition(self, finest: Groups, splits: BoolArray) -> Partition:
        """Tell apart what a set of splits tells apart, and nothing else."""
        lo, hi = np.empty((2, *finest.keys.shape), np.int32)
        for j in range(len(self.attributes)):
            begins, ends = self.ranges(splits, j)
            lo[:, j], hi[:, j] = begins[finest.keys[:, j]], ends[finest.keys[:, j]]
        labels, first = number_rows(lo)
        return Partition(finest, labels, lo[first], hi[first])


def _of_nodes(tree: Tree) -> tuple[CodeArray, CodeArray, CodeArray, CodeArray]:
    """List the nodes of a tree that have children, the nearest to the root first."""
    inner = np.flatnonzero(~tree.is_leaf)
    number = np.full(len(tree) + 1, -1, np.int32)
    number[inner] = np.arange(inner.size)
    parts = [np.empty(0, np.int32)]
    for node in inner:
        widths = tree.width[tree.children(int(node))]
        parts.append(np.repeat(np.arange(widths.size, dtype=np.int32), widths))
    return number[tree.parent[inner]], tree.lo[inner], tree.hi[inner], np.concatenate(parts)


def _between_values(attribute: Attribute) -> tuple[CodeArray, CodeArray, CodeArray, CodeArray]:
    """List the places between values; missing values are separated from the others first."""
    n = attribute.taxonomy.n
    at = np.arange(1, n, dtype=np.int32)
    above = np.full(at.size, -1, np.int32)
    lo, hi = at - np.int32(1), at + np.int32(1)
    if attribute.taxonomy.domain.has_missing and at.size:
        at = np.append(at[-1:], at[:-1])
        above[1:] = 0
        lo, hi = np.append(np.int32(0), at[1:] - 1), np.append(np.int32(n), at[1:] + 1)
    return above, lo.astype(np.int32), hi.astype(np.int32), at
