"""Full-domain generalization: all values of a column go to the same level.

References
----------
.. [1] P. Samarati. "Protecting respondents' identities in microdata release." TKDE 13(6), 2001.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.1.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import at_least
from unlinkable.tables.operations.base.operation import Scheme, columns_that
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray

__all__ = ["FullDomainGeneralization"]


@frozen
class FullDomainGeneralization(Scheme):
    """Every value of a column is replaced by its node on one level of the taxonomy.

    Parameters
    ----------
    column
        Which column.
    level
        How far up: 0 leaves values as they are, the highest is the root.

    Guarantees
    ----------
    Records stay true, and all of a column is told with the same precision: no published value
    covers another one. It distorts the most of all schemes, and has the fewest recodings.

    Examples
    --------
    >>> from unlinkable.tables.operations import recode
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> people = as_table({"job": ["Lawyer", "Dancer"]}, quasi="job", taxonomies={"job": jobs})
    >>> done = recode(people, [FullDomainGeneralization("job", 1)])
    >>> done.texts("job"), FullDomainGeneralization.count(done)
    (['Professional', 'Artist'], 3)
    """

    name: ClassVar[str] = "full-domain-generalization"
    reference: ClassVar[str] = "Samarati 2001"

    column: str
    level: int = field(validator=at_least(0))

    def apply(self, recoding: Recoding) -> Recoding:
        j = recoding.at(self.column)
        taxonomy = recoding.taxonomies[j]
        if self.level > taxonomy.height:
            raise ParameterError(
                f"column {self.column!r} has levels 0 to {taxonomy.height}, not {self.level}"
            )
        level, codes = taxonomy.levels[self.level], recoding.codes[:, j]
        return recoding.show(j, level.lo[codes], level.hi[codes])

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        return columns_that(recoding, _is_on_one_level, "shows values of different levels")

    @classmethod
    def count(cls, recoding: Recoding) -> int:
        return math.prod(_n_levels(taxonomy) for taxonomy in recoding.taxonomies)


def _is_on_one_level(taxonomy: Taxonomy, codes: CodeArray, lo: CodeArray, hi: CodeArray) -> bool:
    return any(
        np.array_equal(level.lo[codes], lo) and np.array_equal(level.hi[codes], hi)
        for level in taxonomy.levels
    )


def _n_levels(taxonomy: Taxonomy) -> int:
    """Count the levels that differ from the one below."""
    return len({(tuple(level.lo), tuple(level.hi)) for level in taxonomy.levels})
