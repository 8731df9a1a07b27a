"""Guesses: the most likely value for each set of people, or the most likely kind of value.

Values that differ may be of one kind: anyone who has gastritis, an ulcer or stomach cancer has some
stomach disease. With a taxonomy of the values, each of its nodes below the root can be guessed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import mark
from unlinkable.tables.taxonomies import Taxonomy, write_level
from unlinkable.typing import BoolArray, Columns, CountArray

__all__ = ["Guesses", "has_value", "inner_levels"]


@define(eq=False, frozen=True)
class Guesses:
    """The most likely value or node for each set of people.

    Attributes
    ----------
    levels
        For each level of the taxonomy that is guessed on: its weights for each set, those of what
        nobody asked for set to 0.
    peaks
        For each level, the weight of the best guess of each set.
    taxonomy
        What codes mean.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> ills = Tree({"lung": ["flu"], "stomach": ["gastritis", "ulcer"]})
    >>> taxonomy = ills.build(observe("ill", ["flu", "gastritis", "ulcer"]))
    >>> hidden = Histogram(np.array([0, 3]), np.arange(3, dtype=np.int32), np.array([3, 2, 2]), 3,
    ...     taxonomy)
    >>> guesses = Guesses.of(hidden, None, similar=True)
    >>> [peaks.tolist() for peaks in guesses.peaks], guesses.text(0)
    ([[3], [4]], 'stomach')
    """

    levels: tuple[Histogram, ...]
    peaks: tuple[NDArray[Any], ...]
    taxonomy: Taxonomy | None

    @classmethod
    def of(cls, hidden: Histogram, values: Columns | None, *, similar: bool) -> Guesses:
        """Find the best guesses among these values; among all if None."""
        levels = [_only(hidden, mark(hidden, values))]
        for i in inner_levels(hidden) if similar else ():
            assert hidden.taxonomy is not None
            nodes = _merge(hidden, hidden.taxonomy, i)
            levels.append(_only(nodes, _mark(hidden.taxonomy, i, values)))
        peaks = tuple(level.peak for level in levels)
        return cls(tuple(levels), peaks, hidden.taxonomy)

    @property
    def best(self) -> NDArray[Any]:
        """The weight of the best guess of each set, whatever its level."""
        best: NDArray[Any] = np.maximum.reduce(self.peaks)
        return best

    def text(self, at: int) -> str:
        """Say what the best guess of a set is: among equally good ones the most precise one."""
        level = int(np.argmax([peaks[at] for peaks in self.peaks]))
        hidden = self.levels[level]
        row = slice(int(hidden.indptr[at]), int(hidden.indptr[at + 1]))
        code = int(hidden.values[row][np.argmax(hidden.counts[row])])
        if self.taxonomy is None:
            return hidden.text(code)
        first = self.taxonomy.levels[level].starts[code : code + 1]
        return write_level(self.taxonomy, level, first)[0] or ""


def inner_levels(hidden: Histogram) -> range:
    """Give the levels of the taxonomy between the values and the root."""
    return range(1, 1 if hidden.taxonomy is None else hidden.taxonomy.height)


def has_value(hidden: Histogram, value: str, *, similar: bool) -> bool:
    """Tell whether some record has a value, or one under a node of that name."""
    if (mark(hidden, (value,)) & (hidden.total > 0)).any():
        return True
    taxonomy = hidden.taxonomy
    if taxonomy is None or not similar:
        return False
    occurs = hidden.total > 0
    return any(
        (_mark(taxonomy, i, (value,))[taxonomy.levels[i].blocks] & occurs).any()
        for i in inner_levels(hidden)
    )


def _only(hidden: Histogram, is_asked: BoolArray) -> Histogram:
    if is_asked.all():
        return hidden
    counts = np.where(is_asked[hidden.values], hidden.counts, 0)
    return Histogram(hidden.indptr, hidden.values, counts, hidden.n_values, hidden.taxonomy)


def _merge(hidden: Histogram, taxonomy: Taxonomy, level: int) -> Histogram:
    """Count nodes of a level. Codes of a node lie side by side, and so they do in every row."""
    nodes = taxonomy.levels[level].blocks[hidden.values]
    is_first = np.diff(nodes, prepend=-1) != 0
    is_first[hidden.indptr[:-1][hidden.distinct > 0]] = True
    starts = np.flatnonzero(is_first)
    counts = np.add.reduceat(hidden.counts, starts) if starts.size else hidden.counts
    indptr: CountArray = np.searchsorted(starts, hidden.indptr).astype(np.int64)
    return Histogram(indptr, nodes[starts], counts, taxonomy.levels[level].n_nodes)


def _mark(taxonomy: Taxonomy, level: int, names: Columns | None) -> BoolArray:
    """Mark the nodes of a level that have one of these names; all if None."""
    nodes = taxonomy.levels[level]
    if names is None:
        return np.ones(nodes.n_nodes, bool)
    texts = write_level(taxonomy, level, nodes.starts[:-1])
    return np.array([(text or "") in names for text in texts], bool)
