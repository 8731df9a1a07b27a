"""Subtree generalization: at every node, all its children go to it, or none.

References
----------
.. [1] V. S. Iyengar. "Transforming data to satisfy privacy constraints." KDD 2002.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.1.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.tables.operations.base.operation import Scheme, as_texts
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.operations.shared.nodes import chosen_nodes, n_cuts, not_global, to_nodes

__all__ = ["SubtreeGeneralization"]


@frozen
class SubtreeGeneralization(Scheme):
    """All values under some nodes of a taxonomy are replaced by these nodes, everywhere.

    A state is a *cut*: a set of nodes with exactly one on the way from each value to the root.

    Parameters
    ----------
    column
        Which column.
    nodes
        The nodes, as they are published. Values under none of them stay as they are.

    Guarantees
    ----------
    Records stay true, and no published value covers another one.

    Examples
    --------
    >>> from unlinkable.tables.operations import recode
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> people = as_table({"job": ["Lawyer", "Dancer"]}, quasi="job", taxonomies={"job": jobs})
    >>> done = recode(people, [SubtreeGeneralization("job", ["Professional"])])
    >>> done.texts("job"), SubtreeGeneralization.count(done)
    (['Professional', 'Dancer'], 5)
    """

    name: ClassVar[str] = "subtree-generalization"
    reference: ClassVar[str] = "Iyengar 2002"

    column: str
    nodes: tuple[str, ...] = field(converter=as_texts)

    def apply(self, recoding: Recoding) -> Recoding:
        j = recoding.at(self.column)
        nodes = chosen_nodes(recoding.taxonomies[j], self.nodes, self.column)
        return to_nodes(recoding, j, nodes, np.ones(recoding.taxonomies[j].n, bool))

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        found = not_global(recoding)
        for j, name in enumerate(recoding.columns):
            lo, hi = recoding.ranges(j)
            order = np.lexsort((-hi, lo))
            # Ranges are nodes of one tree: they are nested, or have nothing in common.
            if (lo[order][1:] < np.maximum.accumulate(hi[order])[:-1]).any():
                found.append(f"{name!r} shows values below others that it shows")
        return found

    @classmethod
    def count(cls, recoding: Recoding) -> int:
        return math.prod(map(n_cuts, recoding.taxonomies))
