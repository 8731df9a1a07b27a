"""Nodes of a taxonomy as ranges of codes, and values that are sent to them or hidden."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np

from unlinkable.errors import ParameterError
from unlinkable.tables.operations.base.operation import columns_that
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.taxonomies import Taxonomy, read_range
from unlinkable.typing import BoolArray, CodeArray

__all__ = [
    "are_nodes",
    "children",
    "chosen_nodes",
    "hide",
    "n_cuts",
    "n_generalizations",
    "n_sibling_cuts",
    "neither_shown_nor_hidden",
    "node_of",
    "not_global",
    "not_nodes",
    "to_nodes",
]

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


def node_of(taxonomy: Taxonomy, text: str, column: str) -> Range:
    """Read a node as it is published.

    Raises
    ------
    DataError
        If it is no value of the column.
    ParameterError
        If it is a range that is no node.
    """
    lo, hi = read_range(taxonomy, text, column)
    if not are_nodes(taxonomy, np.array([lo]), np.array([hi]))[0]:
        raise ParameterError(f"{text!r} is no node of the taxonomy of {column!r}")
    return lo, hi


def chosen_nodes(taxonomy: Taxonomy, texts: tuple[str, ...], column: str) -> list[Range]:
    """Read nodes of which none lies below another.

    Raises
    ------
    ParameterError
        If there is none, or one lies below another.
    """
    nodes = [node_of(taxonomy, text, column) for text in texts]
    if not nodes:
        raise ParameterError(f"no node of {column!r} is chosen: name at least one")
    for (_, end), (lo, _), text in zip(sorted(nodes), sorted(nodes)[1:], texts[1:], strict=False):
        if lo < end:
            raise ParameterError(
                f"of the nodes of {column!r}, one lies below another ({text!r} among them)"
            )
    return nodes


def to_nodes(recoding: Recoding, j: int, nodes: list[Range], goes: BoolArray) -> Recoding:
    """Send the values below nodes to these, if they are to go."""
    n = recoding.taxonomies[j].n
    lo, hi = np.arange(n, dtype=np.int32), np.arange(1, n + 1, dtype=np.int32)
    for first, end in nodes:
        below = np.zeros(n, bool)
        below[first:end] = True
        lo[below & goes], hi[below & goes] = first, end
    codes = recoding.codes[:, j]
    return recoding.show(j, lo[codes], hi[codes])


def not_nodes(recoding: Recoding) -> list[str]:
    """Say which columns show what is no node of their taxonomy, or does not hold the value."""
    found = []
    for j, name in enumerate(recoding.columns):
        if not are_nodes(recoding.taxonomies[j], *recoding.ranges(j)).all():
            found.append(f"{name!r} shows ranges that are no nodes of its taxonomy")
    if not recoding.is_truthful:
        found.append("some records show ranges that do not hold their values")
    return found


def not_global(recoding: Recoding) -> list[str]:
    """Say which columns show the same value in different ways, or no nodes."""
    return not_nodes(recoding) + [
        f"records with the same value of {name!r} show different ones"
        for j, name in enumerate(recoding.columns)
        if not recoding.is_function_of_value(j)
    ]


def hide(recoding: Recoding, j: int, records: BoolArray) -> Recoding:
    """Show ``*`` in these records on a column."""
    lo = np.where(records, 0, recoding.lo[:, j])
    return recoding.show(j, lo, np.where(records, recoding.taxonomies[j].n, recoding.hi[:, j]))


def neither_shown_nor_hidden(recoding: Recoding) -> list[str]:
    """Say which columns show something between a value and ``*``."""
    said = "shows values that are neither as they were nor hidden"
    return columns_that(recoding, _are_shown_or_hidden, said)


def _are_shown_or_hidden(
    taxonomy: Taxonomy, codes: CodeArray, lo: CodeArray, hi: CodeArray
) -> bool:
    is_shown, is_hidden = (lo == codes) & (hi == codes + 1), (lo == 0) & (hi == taxonomy.n)
    return bool((is_shown | is_hidden).all())
