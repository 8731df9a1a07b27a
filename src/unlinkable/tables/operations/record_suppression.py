"""Record suppression: whole records are left out.

References
----------
.. [1] P. Samarati. "Protecting respondents' identities in microdata release." TKDE 13(6), 2001.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import at_least, at_most, exact
from unlinkable.tables.operations.base.operation import Scheme, as_positions, marked
from unlinkable.tables.operations.base.recoding import Recoding

__all__ = ["RecordSuppression"]


@frozen
class RecordSuppression(Scheme):
    """Chosen records are left out, up to a share of all.

    Parameters
    ----------
    records
        Their positions, the first of which is 0.
    limit
        The share of the records that may be left out.

    Guarantees
    ----------
    What is left is as it was, and true. Whoever knows that somebody was in the table may notice
    that this person is missing.

    Examples
    --------
    >>> from unlinkable.tables.operations import recode
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "clerk"]}, quasi="job")
    >>> recode(people, [RecordSuppression([1], limit=0.5)]).texts("job")
    ['cook']
    """

    name: ClassVar[str] = "record-suppression"
    reference: ClassVar[str] = "Samarati 2001"

    records: tuple[int, ...] = field(converter=as_positions)
    limit: Fraction = field(
        default=Fraction(1), converter=exact, validator=(at_least(0), at_most(1)), kw_only=True
    )

    def apply(self, recoding: Recoding) -> Recoding:
        done = recoding.drop(marked(recoding, self.records))
        gone, n = int((~done.kept).sum()), done.kept.size
        if gone > self.limit * n:
            raise ParameterError(
                f"{gone} of {n} records would be left out, and {int(self.limit * n)} may be"
            )
        return done

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        kept = recoding.kept
        same = np.array_equal(recoding.lo[kept], recoding.codes[kept]) and np.array_equal(
            recoding.hi[kept], recoding.codes[kept] + 1
        )
        return [] if same else ["records that are left show something else than their values"]

    @classmethod
    def count(cls, recoding: Recoding) -> int:
        return int(2**recoding.kept.size)
