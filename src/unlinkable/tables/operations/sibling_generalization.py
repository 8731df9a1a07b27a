"""Sibling generalization: some children of a node go to it, and their siblings stay.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Incognito: efficient full-domain k-anonymity."
   SIGMOD 2005.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.1.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.tables.operations.base.operation import Scheme, as_texts, columns_that
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.operations.shared.nodes import (
    children,
    chosen_nodes,
    n_sibling_cuts,
    not_global,
    to_nodes,
)
from unlinkable.tables.taxonomies import Taxonomy, read_range
from unlinkable.typing import CodeArray

__all__ = ["SiblingGeneralization"]


@frozen
class SiblingGeneralization(Scheme):
    """As subtree generalization, but some children of a node stay as they are.

    The node then stands for the children that are not shown: Professional beside Lawyer means all
    professionals but lawyers.

    Parameters
    ----------
    column
        Which column.
    nodes
        The nodes, as they are published.
    keep
        Children of these nodes whose values stay, as they are published.

    Guarantees
    ----------
    Records stay true. A published value may lie below another one; the two mean different records,
    because all records with a value show the same.

    Examples
    --------
    >>> from unlinkable.tables.operations import recode
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> people = as_table({"job": ["Lawyer", "Engineer"]}, quasi="job", taxonomies={"job": jobs})
    >>> done = recode(people, [SiblingGeneralization("job", ["Professional"], keep=["Lawyer"])])
    >>> done.texts("job"), SiblingGeneralization.count(done)
    (['Lawyer', 'Professional'], 25)
    """

    name: ClassVar[str] = "sibling-generalization"
    reference: ClassVar[str] = "LeFevre, DeWitt and Ramakrishnan 2005"

    column: str
    nodes: tuple[str, ...] = field(converter=as_texts)
    keep: tuple[str, ...] = field(default=(), converter=as_texts, kw_only=True)

    def apply(self, recoding: Recoding) -> Recoding:
        j = recoding.at(self.column)
        taxonomy = recoding.taxonomies[j]
        goes = np.ones(taxonomy.n, bool)
        for text in self.keep:
            lo, hi = read_range(taxonomy, text, self.column)
            goes[lo:hi] = False
        nodes = chosen_nodes(taxonomy, self.nodes, self.column)
        return to_nodes(recoding, j, nodes, goes)

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        said = "shows some values below a child of a node, and others not"
        return not_global(recoding) or columns_that(recoding, _goes_by_children, said)

    @classmethod
    def count(cls, recoding: Recoding) -> int:
        return math.prod(map(n_sibling_cuts, recoding.taxonomies))


def _goes_by_children(taxonomy: Taxonomy, codes: CodeArray, lo: CodeArray, hi: CodeArray) -> bool:
    """Whether all values below a child of a shown node go to the node, or none of them."""
    for node in {(int(a), int(b)) for a, b in zip(*np.unique([lo, hi], axis=1), strict=True)}:
        goes = (lo == node[0]) & (hi == node[1])
        for first, end in children(taxonomy, node):
            below = (codes >= first) & (codes < end)
            if (goes & below).any() and (~goes & below).any():
                return False
    return True
