"""Nodes of a taxonomy as ranges of codes: their children, and how many ways there are up the tree.

A node and its only child cover the same values and are published by the same range: they count as
one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np

from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["are_nodes", "children", "n_cuts", "n_generalizations", "n_sibling_cuts"]

Range = tuple[int, int]


def children(taxonomy: Taxonomy, node: Range) -> list[Range]:
    """Give the largest smaller nodes under a node; none for a single value.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> tree = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer"]})
    >>> children(tree.build(observe("job", ["Dancer"])), (0, 3))
    [(0, 2), (2, 3)]
    """
    lo, hi = node
    for level in reversed(taxonomy.levels):
        if level.hi[lo] < hi:
            starts = level.starts
            inside = starts[(starts >= lo) & (starts < hi)].tolist()
            return list(zip(inside, [*inside[1:], hi], strict=True))
    return []


def n_cuts(taxonomy: Taxonomy) -> int:
    r"""Count the cuts: sets of nodes with exactly one on the way from each value to the root.

    :math:`C(v) = 1` for a value, and :math:`C(H) = 1 + \prod_i C(H_i)` over the children.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> tree = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> n_cuts(tree.build(observe("job", ["Dancer"])))
    5
    """
    return _fold(taxonomy, lambda ways: 1 + math.prod(ways))


def n_sibling_cuts(taxonomy: Taxonomy) -> int:
    r"""Count the ways of sibling generalization: each child goes to its parent or stays below.

    :math:`S(v) = 1` for a value, and :math:`S(H) = \prod_i (1 + S(H_i))` over the children.
    """
    return _fold(taxonomy, lambda ways: math.prod(1 + way for way in ways))


def n_generalizations(taxonomy: Taxonomy) -> CodeArray:
    """Count for every value the different nodes that cover it, itself included."""
    ways = np.ones(taxonomy.n, np.int32)
    for below, level in pairwise(taxonomy.levels):
        ways += (level.lo != below.lo) | (level.hi != below.hi)
    return ways


def are_nodes(taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> BoolArray:
    """Tell which ranges are nodes of the taxonomy."""
    wide_lo, wide_hi = taxonomy.widen(lo, hi)
    return np.asarray((wide_lo == lo) & (wide_hi == hi), bool)


def _fold(taxonomy: Taxonomy, join: Callable[[list[int]], int]) -> int:
    @cache
    def ways(node: Range) -> int:
        below = children(taxonomy, node)
        return join([ways(child) for child in below]) if below else 1

    return ways((0, taxonomy.n))
