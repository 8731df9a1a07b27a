"""Choosing nodes of a taxonomy, and sending values to them."""

from __future__ import annotations

import numpy as np

from unlinkable.errors import ParameterError
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.operations.shared.nodes import Range, are_nodes
from unlinkable.tables.taxonomies import Taxonomy, read_range
from unlinkable.typing import BoolArray

__all__ = ["chosen_nodes", "node_of", "not_global", "not_nodes", "to_nodes"]


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
