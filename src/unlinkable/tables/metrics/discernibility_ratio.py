"""Discernibility ratio: discernibility as a share of the worst that a table can come to.

References
----------
.. [1] N. Mohammed, B. C. M. Fung, P. C. K. Hung, C. Lee. "Anonymizing healthcare data: a case study
   on the blood transfusion service." KDD 2009. Equation 6.8 in Fung, Wang, Fu, Yu: "Introduction
   to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from unlinkable.tables.metrics.base.grouped import SizeMetric
from unlinkable.tables.metrics.discernibility import Charge, Discernibility
from unlinkable.typing import CountArray

__all__ = ["DiscernibilityRatio"]


@frozen
class DiscernibilityRatio(SizeMetric):
    r"""The share of all pairs of records that look alike.

    :math:`\sum_q |T[q]|^2 / |T|^2`, over the groups of a release, where :math:`|T|` counts all
    records, published or not. It is `Discernibility` divided by the square of the number of
    records, so that tables of different sizes can be compared. The paper leaves no records out;
    what they cost here is what they cost there.

    Parameters
    ----------
    suppressed
        What a record costs that is suppressed, before the division. ``table``: the number of all
        records, published or not. ``alike``: the number of all that are suppressed. ``nothing``. A
        number is not offered: the ratio would have no bound.

    Range
    -----
    From 1/n, all n records differ, to 1, all look alike or are suppressed. Where suppressed records
    cost nothing, a release of nothing has 0.

    Guides a search
    ---------------
    As `Discernibility` does: the loss never falls unless ``suppressed`` is ``nothing``, and `floor`
    bounds it from below in any case.

    Examples
    --------
    >>> import numpy as np
    >>> DiscernibilityRatio().of_sizes(np.array([3, 1]), n_suppressed=0)
    0.625
    >>> DiscernibilityRatio().of_sizes(np.array([3]), n_suppressed=1)
    0.8125
    """

    name: ClassVar[str] = "discernibility-ratio"
    reference: ClassVar[str] = "Mohammed et al. 2009"

    suppressed: Charge = field(default=Charge.TABLE, converter=Charge)

    @property
    def monotone(self) -> bool:
        """Whether leaving out a group is never cheaper than publishing it."""
        return self._cost.monotone

    def of_sizes(self, sizes: CountArray, n_suppressed: int) -> float:
        return float(self._cost.cost(sizes, n_suppressed) / _pairs(sizes, n_suppressed))

    def floor(self, sizes: CountArray, may_suppress: int, n_suppressed: int = 0) -> float:
        least = self._cost.least_cost(sizes, may_suppress, n_suppressed)
        return float(least / _pairs(sizes, n_suppressed))

    @property
    def _cost(self) -> Discernibility:
        return Discernibility(self.suppressed)


def _pairs(sizes: CountArray, n_suppressed: int) -> int:
    """Count the pairs of records, each with itself too; 1 where there are none."""
    n = int(sizes.sum()) + n_suppressed
    return n * n or 1
