"""Cell suppression: a value is not published in some records.

References
----------
.. [1] A. Meyerson, R. Williams. "On the complexity of optimal k-anonymity." PODS 2004.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.1.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from unlinkable.tables.operations.base.operation import Scheme, as_positions, marked
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.operations.shared.nodes import hide, neither_shown_nor_hidden

__all__ = ["CellSuppression"]


@frozen
class CellSuppression(Scheme):
    """The values of chosen records on a column are replaced by ``*``.

    Parameters
    ----------
    column
        Which column.
    records
        Their positions, the first of which is 0.

    Guarantees
    ----------
    Records stay true. A value may be told in one record and hidden in another.

    Examples
    --------
    >>> from unlinkable.tables.operations import recode
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "clerk", "cook"]}, quasi="job")
    >>> recode(people, [CellSuppression("job", [2])]).texts("job")
    ['cook', 'clerk', '*']
    """

    name: ClassVar[str] = "cell-suppression"
    reference: ClassVar[str] = "Meyerson and Williams 2004"

    column: str
    records: tuple[int, ...] = field(converter=as_positions)

    def apply(self, recoding: Recoding) -> Recoding:
        return hide(recoding, recoding.at(self.column), marked(recoding, self.records))

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        return neither_shown_nor_hidden(recoding)

    @classmethod
    def count(cls, recoding: Recoding) -> int:
        return int(2**recoding.codes.size)
