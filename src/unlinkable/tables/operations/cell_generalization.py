"""Cell generalization: a value is generalized in some records, and stays in others.

References
----------
.. [1] R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang. "(alpha, k)-anonymity." KDD 2006. Local recoding.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.1.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError
from unlinkable.tables.operations.base.operation import Scheme, as_positions, marked
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.operations.shared.nodes import n_generalizations, node_of, not_nodes

__all__ = ["CellGeneralization"]


@frozen
class CellGeneralization(Scheme):
    """The values of chosen records on a column are replaced by a node; others stay.

    Parameters
    ----------
    column
        Which column.
    node
        What the records show, as it is published.
    records
        Their positions, the first of which is 0.

    Guarantees
    ----------
    Records stay true. It distorts the least and has the most recodings. A value may be published
    beside one that covers it, so that new records match both: see `overlaps`.

    Examples
    --------
    >>> from unlinkable.tables.operations import recode
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> people = as_table({"job": ["Lawyer", "Lawyer"]}, quasi="job", taxonomies={"job": jobs})
    >>> recode(people, [CellGeneralization("job", "Professional", [0])]).texts("job")
    ['Professional', 'Lawyer']
    """

    name: ClassVar[str] = "cell-generalization"
    reference: ClassVar[str] = "Wong, Li, Fu and Wang 2006"

    column: str
    node: str
    records: tuple[int, ...] = field(converter=as_positions)

    def apply(self, recoding: Recoding) -> Recoding:
        j = recoding.at(self.column)
        lo, hi = node_of(recoding.taxonomies[j], self.node, self.column)
        chosen = marked(recoding, self.records)
        outside = (recoding.codes[:, j] < lo) | (recoding.codes[:, j] >= hi)
        if n := int((chosen & outside).sum()):
            raise ParameterError(
                f"{n} of the chosen records have a value of {self.column!r} that is not below "
                f"{self.node!r}: they would not stay true"
            )
        new_lo = np.where(chosen, lo, recoding.lo[:, j])
        return recoding.show(j, new_lo, np.where(chosen, hi, recoding.hi[:, j]))

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        return not_nodes(recoding)

    @classmethod
    def count(cls, recoding: Recoding) -> int:
        return math.prod(
            math.prod(n_generalizations(taxonomy)[recoding.codes[:, j]].tolist())
            for j, taxonomy in enumerate(recoding.taxonomies)
        )
