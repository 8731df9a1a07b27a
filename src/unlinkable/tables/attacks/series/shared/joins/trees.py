"""Trees: the records of a release by how they match, and then by what is known of them.

Records that agree on everything by which they are matched are a node; those of a node that also
agree on all that is known (x) are a part of it. So a join is counted node by node and part by part,
and no row of it is ever made [1]_.

References
----------
.. [1] K. Wang, B. C. M. Fung. "Anonymizing sequential releases." KDD 2006. Section 9.3.3 in Fung,
   Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing." 2010 (Tree1 and Tree2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import count, expand_stretches, sum_by_label
from unlinkable.tables.attacks.series.shared.joins.nodes import MOST_PAIRS, Nodes, match
from unlinkable.tables.groups import number_rows
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Hidden", "Tree", "count_dangling", "refuse_too_many", "starts_of"]

_VAST = 1 << 62
"""No group has so many records."""


@define(eq=False, frozen=True)
class Hidden:
    """How many records of each part have each value of a column; sorted by part.

    Attributes
    ----------
    part, y, count
        Which part, which value, how many records.
    """

    part: CodeArray
    y: CodeArray
    count: CountArray

    @classmethod
    def of(cls, parts: CodeArray, y: CodeArray, weights: CountArray) -> Self:
        """Count the values of records, whose parts and weights are given."""
        labels, first = number_rows(np.column_stack([parts, y]))
        counts = sum_by_label(weights, labels, first.size)
        order = np.lexsort((y[first], parts[first]))
        return cls(parts[first][order], y[first][order], counts[order])

    def by_part(self, n_parts: int) -> CountArray:
        """Tell where the values of each part begin, and where the last ones end."""
        return starts_of(self.part, n_parts)


@define(eq=False, frozen=True)
class Tree:
    """The parts of a release, or of the join of several.

    Attributes
    ----------
    nodes
        What decides how records match.
    node, x, size
        For each part its node, the number of what is known, and its records; by node.
    starts
        Where the parts of each node begin, and where the last ones end.
    alone
        For each x the least and the greatest group with it in a release by itself, of those in
        which anything is known.
    sample
        For each x a record of each release that has it.
    labels
        For every record its part.
    """

    nodes: Nodes
    node: CodeArray
    x: CodeArray
    size: CountArray
    starts: CountArray
    alone: CountArray
    sample: CountArray
    labels: CodeArray

    def __len__(self) -> int:
        return self.node.size

    @classmethod
    def of(cls, known: CodeArray, shown: Nodes, weights: CountArray) -> Self:
        """Sort records, given what is known of them (a row for each) and how they match."""
        node, first_node = shown.distinct()
        x, first_x = number_rows(known)
        labels, first = number_rows(np.column_stack([node, x]))
        order = np.lexsort((x[first], node[first]))
        place = np.empty(order.size, np.int32)
        place[order] = np.arange(order.size, dtype=np.int32)
        labels, first = place[labels], first[order]
        groups = sum_by_label(weights, x, first_x.size)
        alone = np.column_stack([groups, groups])
        if not known.shape[1]:
            alone[:] = _VAST, 0
        return cls(
            shown.take(first_node),
            node[first],
            x[first],
            sum_by_label(weights, labels, first.size),
            starts_of(node[first], first_node.size),
            alone,
            first_x[:, None].astype(np.int64),
            labels,
        )

    @property
    def n_x(self) -> int:
        """How many different x there are."""
        return len(self.alone)

    @property
    def groups(self) -> CountArray:
        """For each x the records, or rows, with it."""
        return sum_by_label(self.size, self.x, self.n_x)

    @property
    def is_blank(self) -> bool:
        """Whether nothing is known of the records."""
        return not self.alone[:, 1].any()

    @property
    def tells_node(self) -> bool:
        """Whether x tells how records match: then every x has one part."""
        return len(self) == self.n_x

    def everything(self) -> Hidden:
        """Take all records for records with the same value."""
        parts = np.arange(len(self), dtype=np.int32)
        return Hidden(parts, np.zeros(len(self), np.int32), self.size)

    def join(
        self, other: Tree, mine: Hidden, its: Hidden, sizes: tuple[int, ...]
    ) -> tuple[Tree, Hidden]:
        """Match with the parts of another release; at most one of the two hides anything.

        Raises
        ------
        UnsupportedError
            If there are too many pairs.
        """
        indptr, found = match(self.nodes, other.nodes, sizes)
        a = np.repeat(np.arange(len(self.nodes)), np.diff(indptr))
        n_mine, n_its = np.diff(self.starts)[a], np.diff(other.starts)[found]
        if float((n_mine.astype(float) * n_its).sum()) > MOST_PAIRS:
            raise UnsupportedError(
                f"the join of earlier releases has more than {MOST_PAIRS:,} groups: they have too "
                "little in common to be counted together; leave out columns of x that are not "
                "needed, or attack fewer releases at once"
            )
        refuse_too_many(self, other)
        n_each = n_mine * n_its
        pair, at = expand_stretches(np.zeros_like(n_each), n_each)
        i = self.starts[a[pair]] + at // n_its[pair]
        j = other.starts[found[pair]] + at % n_its[pair]
        x, first = number_rows(np.column_stack([self.x[i], other.x[j]]))
        both = self.alone[self.x[i[first]]], other.alone[other.x[j[first]]]
        tree = Tree(
            self.nodes.take(a).meet(other.nodes.take(found)),
            pair.astype(np.int32),
            x,
            self.size[i] * other.size[j],
            np.append(0, np.cumsum(n_each)).astype(np.int64),
            np.column_stack(
                [np.minimum(both[0][:, 0], both[1][:, 0]), np.maximum(both[0][:, 1], both[1][:, 1])]
            ),
            np.column_stack([self.sample[self.x[i[first]]], other.sample[other.x[j[first]]]]),
            np.empty(0, np.int32),
        )
        return tree, _expanded((mine, i, len(self)), (its, j, len(other)))


def count_dangling(trees: Sequence[Tree], which: CodeArray) -> list[int]:
    """Count for each release the records that match nothing, by the nodes that match each other."""
    found = []
    for i, tree in enumerate(trees):
        is_there = np.zeros(len(tree.nodes), bool)
        is_there[which[:, i]] = True
        found.append(int(tree.size[~is_there[tree.node]].sum()))
    return found


def refuse_too_many(one: Tree, other: Tree) -> None:
    """Refuse a join with more rows than fit into a number.

    Raises
    ------
    UnsupportedError
        If there may be so many.
    """
    if float(one.size.sum(dtype=float)) * float(other.size.sum(dtype=float)) >= _VAST:
        raise UnsupportedError(
            "the join may have more rows than can be counted: put the columns that releases share "
            "into x, or attack fewer releases at once"
        )


def _expanded(mine: tuple[Hidden, CountArray, int], its: tuple[Hidden, CountArray, int]) -> Hidden:
    """Count what pairs of parts hide."""
    (a, i, n_a), (b, j, n_b) = mine, its
    starts_a, starts_b = a.by_part(n_a), b.by_part(n_b)
    n_mine, n_its = np.diff(starts_a)[i], np.diff(starts_b)[j]
    n_each = n_mine * n_its
    part, at = expand_stretches(np.zeros_like(n_each), n_each)
    of_a = starts_a[i[part]] + at // n_its[part]
    of_b = starts_b[j[part]] + at % n_its[part]
    return Hidden(part.astype(np.int32), a.y[of_a] + b.y[of_b], a.count[of_a] * b.count[of_b])


def starts_of(labels: CodeArray, n: int) -> CountArray:
    """Tell where each of n labels begins in a list sorted by them, and where the last one ends."""
    return np.append(0, np.cumsum(count(labels, n))).astype(np.int64)
