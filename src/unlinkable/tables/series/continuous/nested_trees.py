"""Trees whose nodes fit the ranges that earlier releases show.

What a new release shows on a column must be nested in the ranges of earlier ones, or hold them, or
have nothing in common with them. Nodes of a taxonomy that stays the same always do. Intervals of
numbers that are cut where the records are do not: here they are cut where no range of an earlier
release is cut in two that does not hold all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.data import Frame, ranges_together
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.methods.cuts import AlongTree, Numbers, Tree
from unlinkable.tables.taxonomies import Kind, Taxonomy, write_ranges
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["AlongNested", "PublishedRanges", "nested_tree"]


@define(eq=False, slots=False)
class AlongNested(AlongTree):
    """A node of a tree is replaced by its children, and the tree is given."""

    nested: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The nodes, which are the values that can be shown."""
        assert self.nested is not None
        return self.nested


@define(eq=False, frozen=True)
class PublishedRanges:
    """What earlier releases show on a column.

    Attributes
    ----------
    name
        The column.
    frames
        The earlier releases, and the records to be published now as they are.
    taxonomies
        What each says that its labels mean.
    starts
        For every release and each code that occurs now, the least code that occurs and is in the
        same range of that release; the number of codes for those that are in none.
    """

    name: str
    frames: Sequence[Frame]
    taxonomies: Sequence[Taxonomy | None]
    starts: Sequence[CodeArray]

    def fits(self, taxonomy: Taxonomy, tree: Tree) -> BoolArray:
        """Tell which nodes are nested with all ranges of earlier releases, as they are written."""
        fits = np.ones(len(tree), bool)
        if len(self.frames) < 2:
            return fits
        texts = write_ranges(taxonomy, tree.lo, tree.hi).tolist()
        nodes = to_frame({self.name: texts})[0]
        taxonomies = [*self.taxonomies, taxonomy]
        *shown, _, (lo, hi) = ranges_together([*self.frames, nodes], self.name, taxonomies)
        for first, end in shown:
            wide = int(end.max(initial=0)) + 1
            pairs = np.divmod(np.unique(first.astype(np.int64) * wide + end), wide)
            fits &= ~_is_crossed(lo, hi, *(side.astype(np.int32) for side in pairs))
        return fits


def nested_tree(
    taxonomy: Taxonomy, numbers: Numbers, sizes: CountArray, earlier: PublishedRanges
) -> Tree:
    """Build the tree along which a column is specialized.

    Parameters
    ----------
    taxonomy
        The values of the column.
    numbers
        Whether numbers are cut most evenly, or along their taxonomy.
    sizes
        Number of records with each code.
    earlier
        What earlier releases show.
    """
    is_split = numbers is Numbers.SPLIT and taxonomy.domain.kind is not Kind.CATEGORY
    tree = _split_tree(taxonomy, sizes, earlier.starts) if is_split else Tree.of(taxonomy)
    fits = earlier.fits(taxonomy, tree)
    # Everything can be shown, whatever was shown before.
    fits[0] = True
    return _without(tree, fits)


def _is_crossed(lo: CodeArray, hi: CodeArray, lo2: CodeArray, hi2: CodeArray) -> BoolArray:
    """Tell which ranges overlap one of those that are listed, and are not nested with it."""
    if not lo2.size:
        return np.zeros(lo.size, bool)
    crossed = np.zeros(lo.size, bool)
    for end in (lo, hi - 1):
        at = np.maximum(np.searchsorted(lo2, end, "right") - 1, 0)
        overlaps = (lo2[at] <= end) & (end < hi2[at])
        is_inside = (lo2[at] <= lo) & (hi <= hi2[at])
        holds_it = (lo <= lo2[at]) & (hi2[at] <= hi)
        crossed |= overlaps & ~is_inside & ~holds_it
    return crossed


def _without(tree: Tree, keep: BoolArray) -> Tree:
    """Leave nodes out: what is under them is then under those above."""
    if keep.all():
        return tree
    order = np.flatnonzero(keep)
    # Parents before children, siblings by their codes.
    order = order[np.lexsort((-tree.hi[order], tree.lo[order]))]
    number = np.full(len(tree), -1, np.int32)
    number[order] = np.arange(order.size, dtype=np.int32)
    above = tree.parent.copy()
    while (lost := (above >= 0) & ~keep[above]).any():
        above[lost] = tree.parent[above[lost]]
    parent = np.where(above[order] >= 0, number[above[order]], -1).astype(np.int32)
    return Tree(tree.lo[order], tree.hi[order], parent)


def _split_tree(taxonomy: Taxonomy, sizes: CountArray, starts: Sequence[CodeArray]) -> Tree:
    """Cut intervals in two, most evenly, where earlier releases allow it; missing values first."""
    splits = _Splits.of(sizes, starts)
    lo, hi, parent = [0], [taxonomy.n], [-1]
    at = 0
    while at < len(lo):
        cut = splits.place(lo[at], hi[at], taxonomy.domain.missing)
        if cut is not None:
            lo += [lo[at], cut]
            hi += [cut, hi[at]]
            parent += [at, at]
        at += 1
    return Tree(np.array(lo, np.int32), np.array(hi, np.int32), np.array(parent, np.int32))


@define(eq=False, frozen=True)
class _Splits:
    """Where intervals may be cut.

    Attributes
    ----------
    up_to
        How many records have a code below each, and in all.
    places
        The codes that occur.
    bounds
        For each of them and every release, the codes between which the range lies that would be
        cut in two just before it; nothing would be cut if they are equal.
    """

    up_to: CountArray
    places: CodeArray
    bounds: CodeArray

    @classmethod
    def of(cls, sizes: CountArray, starts: Sequence[CodeArray]) -> Self:
        places = np.flatnonzero(sizes).astype(np.int32)
        bounds = np.zeros((len(starts), places.size, 2), np.int32)
        for which, start in enumerate(starts):
            mine = start[places]
            is_cut = np.append(False, (mine[1:] == mine[:-1]) & (mine[1:] < sizes.size))
            last = np.zeros(sizes.size + 1, np.int32)
            np.maximum.at(last, mine, places)
            bounds[which, is_cut, 0] = mine[is_cut]
            bounds[which, is_cut, 1] = last[mine[is_cut]] + 1
        return cls(np.append(0, np.cumsum(sizes)), places, bounds)

    def place(self, lo: int, hi: int, missing: int) -> int | None:
        """Choose where to cut an interval in two; None if it cannot be."""
        first, last = np.searchsorted(self.places, [lo, hi])
        if last - first < 2:
            return None
        if lo <= missing < hi:
            return missing
        places, bounds = self.places[first + 1 : last], self.bounds[:, first + 1 : last]
        # The range that would be cut must hold the whole interval, as far as anything occurs.
        holds = (bounds[..., 0] <= self.places[first]) & (bounds[..., 1] > self.places[last - 1])
        is_free = bounds[..., 0] == bounds[..., 1]
        allowed = places[(holds | is_free).all(axis=0)]
        if not allowed.size:
            return None
        left = self.up_to[allowed] - self.up_to[lo]
        right = self.up_to[hi] - self.up_to[allowed]
        return int(allowed[np.argmax(left * right)])
