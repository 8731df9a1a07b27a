"""Discernibility: how many records each record can be mistaken for.

References
----------
.. [1] R. J. Bayardo, R. Agrawal. "Data privacy through optimal k-anonymization." ICDE 2005.
   Equation 4.3 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.typing import CountArray
from unlinkable.utility.base import SizeMetric

__all__ = ["Discernibility"]


@frozen
class Discernibility(SizeMetric):
    r"""The records that each record looks like, added up.

    Each record costs the size of its group, so a group costs :math:`|T[q]|^2`; a record that is
    left out costs the number of all records, published or not. Where a column has weights, they do
    not matter: records are counted.

    Range
    -----
    From the number of records n, all of which differ, to n\ :sup:`2`, all of which look alike or
    are left out.

    Examples
    --------
    >>> import numpy as np
    >>> Discernibility().of_sizes(np.array([5, 4]), n_suppressed=3)
    77.0
    """

    name: ClassVar[str] = "discernibility"
    reference: ClassVar[str] = "Bayardo and Agrawal 2005"

    def of_sizes(self, sizes: CountArray, n_suppressed: int) -> float:
        # At most n^2, which fits into 64 bits for all tables of up to 2^31 records.
        n = int(sizes.sum()) + n_suppressed
        return float(int(sizes @ sizes) + n * n_suppressed)
