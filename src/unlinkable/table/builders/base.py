"""What a builder of taxonomies gets to see, and what it must give back."""

from __future__ import annotations

import abc
from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.errors import TaxonomyError
from unlinkable.table.domain import Domain
from unlinkable.table.taxonomy import ANY, Level, Taxonomy
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Observed", "TaxonomyBuilder", "stack"]


@define(eq=False, frozen=True)
class Observed:
    """The distinct values of a column as they occur.

    Attributes
    ----------
    name
        The column, for messages.
    domain
        Its values in their natural order (text sorted, numbers and dates rising).
    counts
        Number of records with each code of that domain.
    hidden
        For each code the distribution of the sensitive values of its records, if the table has
        sensitive columns: one row per code, each adding up to 1.
    """

    name: str
    domain: Domain
    counts: CountArray
    hidden: FloatArray | None = None


class TaxonomyBuilder(abc.ABC):
    """A rule that makes the taxonomy of a column from its values."""

    @abc.abstractmethod
    def build(self, observed: Observed) -> Taxonomy:
        """Make a taxonomy whose leaves include every value that occurs."""


def stack(
    name: str, domain: Domain, levels: Sequence[tuple[CodeArray, Sequence[str] | None]]
) -> Taxonomy:
    """Put levels on top of the values of a domain, up to the root.

    ``levels`` go from fine to coarse and number the *present* values of the domain only. The values
    themselves are added below, the root above, and a node of its own for the missing value on
    every level but the root's. A last level of one node is the root, and gives it its label.
    """
    finest = Level(np.arange(domain.n, dtype=np.int32))
    stacked = [finest]
    for blocks, labels in levels:
        nodes = _with_missing(np.asarray(blocks, np.int32), domain)
        below = stacked[-1]
        # Each node of the level below must lie within one node of this one.
        if nodes.size and (np.diff(nodes)[np.diff(below.blocks) == 0] != 0).any():
            raise TaxonomyError(f"the levels of {name!r} are no tree: a node has two parents")
        named = None if labels is None else (*labels, *([""] if domain.has_missing else []))
        stacked.append(Level(nodes, named))
    top = ANY
    if levels and len(set(np.asarray(levels[-1][0]).tolist())) <= 1:
        top = (levels[-1][1] or [ANY])[0]
        stacked.pop()
    return Taxonomy(domain, (*stacked, Level(np.zeros(domain.n, np.int32), (top,))))


def _with_missing(blocks: CodeArray, domain: Domain) -> CodeArray:
    if not domain.has_missing:
        return blocks
    last = int(blocks[-1]) + 1 if blocks.size else 0
    return np.append(blocks, np.int32(last))
