"""Value suppression: some values of a column are not published in any record.

References
----------
.. [1] K. Wang, B. C. M. Fung, P. S. Yu. "Handicapping attacker's confidence: an alternative to
   k-anonymization." KAIS 11(3), 2007.
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
from unlinkable.tables.operations.shared.nodes import hide, neither_shown_nor_hidden
from unlinkable.tables.taxonomies import read_range

__all__ = ["ValueSuppression"]


@frozen
class ValueSuppression(Scheme):
    """Chosen values of a column are replaced by ``*`` in every record.

    Parameters
    ----------
    column
        Which column.
    values
        The values, as they are published.

    Guarantees
    ----------
    Records stay true. Whoever knows all values of the column and sees that one is not there knows
    what ``*`` stands for if it is the only one.

    Examples
    --------
    >>> from unlinkable.tables.operations import recode
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "clerk", "cook"]}, quasi="job")
    >>> recode(people, [ValueSuppression("job", ["cook"])]).texts("job")
    ['*', 'clerk', '*']
    """

    name: ClassVar[str] = "value-suppression"
    reference: ClassVar[str] = "Wang, Fung and Yu 2007"

    column: str
    values: tuple[str, ...] = field(converter=as_texts)

    def apply(self, recoding: Recoding) -> Recoding:
        j = recoding.at(self.column)
        chosen = np.zeros(recoding.taxonomies[j].n, bool)
        for text in self.values:
            lo, hi = read_range(recoding.taxonomies[j], text, self.column)
            chosen[lo:hi] = True
        return hide(recoding, j, chosen[recoding.codes[:, j]])

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        return neither_shown_nor_hidden(recoding) + [
            f"a value of {name!r} is told in some records and hidden in others"
            for j, name in enumerate(recoding.columns)
            if not recoding.is_function_of_value(j)
        ]

    @classmethod
    def count(cls, recoding: Recoding) -> int:
        return math.prod(2 ** np.unique(column).size for column in recoding.codes.T)
