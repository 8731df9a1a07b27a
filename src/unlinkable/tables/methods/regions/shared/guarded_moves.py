"""Moves: ways to tell the sensitive values of some records otherwise, more or less precisely."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from attrs import define

from unlinkable.tables.methods.cuts.shared.trees import Tree
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["NOWHERE", "Moves", "Shown", "downward", "first_of_each", "upward"]


@define(eq=False, frozen=True)
class Shown:
    """What the records of groups show on the sensitive column.

    Attributes
    ----------
    row, kind, count
        Entries: the group, the kind of records in it (twice the code of their value, and one more
        if no guard of their own covers it), and how many there are. Sorted by group and kind, so
        that of equal choices those who mind come first.
    node
        What they show, by the number of the node.
    is_good
        Whether each group then keeps the promise.
    """

    row: CodeArray
    kind: CodeArray
    count: CountArray
    node: CodeArray
    is_good: BoolArray


class Moves(NamedTuple):
    """Ways to tell some records of a group otherwise: an entry, and the node it would show."""

    entry: CountArray
    node: CodeArray

    def some(self, which: CountArray | slice) -> Moves:
        """Keep some of them."""
        return Moves(self.entry[which], self.node[which])


NOWHERE = Moves(np.empty(0, np.int64), np.empty(0, np.int32))
"""No move at all."""


def upward(tree: Tree, shown: Shown, is_open: BoolArray) -> Moves:
    """List all ways to tell some records of open groups less precisely."""
    entry = np.flatnonzero(is_open[shown.row])
    node = tree.parent[shown.node[entry]]
    entries, nodes = [], []
    while (up := node >= 0).any():
        entry, node = entry[up], node[up]
        entries.append(entry)
        nodes.append(node)
        node = tree.parent[node]
    return _joined(entries, nodes)


def downward(tree: Tree, shown: Shown, is_open: BoolArray) -> Moves:
    """List all ways to tell some records of open groups more precisely."""
    entry = np.flatnonzero(is_open[shown.row])
    node = tree.leaf_of[shown.kind[entry] // 2]
    entries, nodes = [], []
    while (down := node != shown.node[entry]).any():
        entry, node = entry[down], node[down]
        entries.append(entry)
        nodes.append(node)
        node = tree.parent[node]
    return _joined(entries, nodes)


def first_of_each(row: CodeArray, *scores: FloatArray | CountArray) -> CountArray:
    """Find for each row the place of its lowest score; of equal ones the lowest next score.

    Scores are compared to nine places, so that rounding does not decide among equals.
    """
    keys = [row.astype(float), *(np.round(score.astype(float), 9) for score in scores)]
    order = np.lexsort(keys[::-1])
    first: CountArray = order[np.flatnonzero(np.diff(row[order], prepend=-1))]
    return first


def _joined(entries: list[CountArray], nodes: list[CodeArray]) -> Moves:
    return Moves(np.concatenate([NOWHERE.entry, *entries]), np.concatenate([NOWHERE.node, *nodes]))
