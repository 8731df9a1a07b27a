"""Discernibility: how many records each record can be mistaken for.

References
----------
.. [1] R. J. Bayardo, R. Agrawal. "Data privacy through optimal k-anonymization." ICDE 2005.
   Equation 4.3 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import Choice, exact
from unlinkable.tables.metrics.base.grouped import SizeMetric
from unlinkable.typing import CountArray

__all__ = ["Charge", "Discernibility", "Squares"]


class Charge(Choice):
    """What a record costs that is suppressed."""

    TABLE = "table"
    """The number of all records, published or not: it could be any of them."""
    ALIKE = "alike"
    """The number of all suppressed records: they look alike, as one group of them would."""
    NOTHING = "nothing"
    """Nothing: only what is published counts."""


class Squares(Choice):
    """Which groups of a specialization are squared and added up."""

    BEFORE = "before"
    """Those that contain v, as the score is defined."""
    AFTER = "after"
    """Those that contain a child of v, as the example of the literature has it. The greatest score
    belongs to the step that brings discernibility down least."""
    REDUCTION = "reduction"
    """The first less the second: by how much discernibility falls."""


def _as_charge(value: Charge | str | float | Fraction) -> Charge | Fraction:
    if isinstance(value, str) and value in set(Charge):
        return Charge(value)
    try:
        charge = exact(value)
    except ParameterError:
        charge = Fraction(0)
    if charge <= 0:
        known = ", ".join(Charge)
        raise ParameterError(
            f"suppressed must be one of {known}, or a number greater than 0, got {value!r}"
        )
    return charge


@frozen
class Discernibility(SizeMetric):
    r"""The records that each record looks like, added up.

    Each record costs the size of its group, so a group costs :math:`|T[q]|^2`; a record that is
    suppressed costs what ``suppressed`` says. Where a column has weights, they do not matter:
    records are counted.

    Parameters
    ----------
    suppressed
        What a record costs that is suppressed. ``table``: the number of all records, published or
        not. ``alike``: the number of all that are suppressed. ``nothing``. Or a number.

    Range
    -----
    From the number of records n, all of which differ, to its square, all of which look alike or are
    suppressed. Where suppressed records cost nothing, a release of nothing costs 0, and where each
    costs a number, that number times n.

    Guides a search
    ---------------
    The loss never falls as long as a suppressed record costs ``table`` or ``alike``: merging groups
    of a and b records adds 2ab, and leaving a group of a records out turns a\ :sup:`2` into an, or
    merges it with what is suppressed already. With ``nothing`` or a number c it does fall: to leave
    out a group of more than c records is cheaper than to publish it. Then `floor` takes off the
    most that this can save.

    Examples
    --------
    >>> Discernibility().of_sizes(np.array([5, 4]), n_suppressed=3)
    77.0
    >>> Discernibility(Charge.ALIKE).of_sizes(np.array([5, 4]), n_suppressed=3)
    50.0
    >>> str(Discernibility(suppressed=10))
    'discernibility(suppressed=10)'
    """

    name: ClassVar[str] = "discernibility"
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    reference: ClassVar[str] = "Bayardo and Agrawal 2005"

    suppressed: Charge | Fraction = field(default=Charge.TABLE, converter=_as_charge)

    @property
    def monotone(self) -> bool:
        """Whether leaving out a group is never cheaper than publishing it."""
        return self.suppressed in (Charge.TABLE, Charge.ALIKE)

    def of_sizes(self, sizes: CountArray, n_suppressed: int) -> float:
        return float(self.cost(sizes, n_suppressed))

    def floor(self, sizes: CountArray, may_suppress: int, n_suppressed: int = 0) -> float:
        return float(self.least_cost(sizes, may_suppress, n_suppressed))

    def cost(self, sizes: CountArray, n_suppressed: int) -> Fraction | int:
        """Add up what groups and suppressed records cost, exactly."""
        # At most n^2, which fits into 64 bits for all tables of up to 2^31 records.
        published = int(sizes @ sizes)
        match self.suppressed:
            case Charge.TABLE:
                return published + (int(sizes.sum()) + n_suppressed) * n_suppressed
            case Charge.ALIKE:
                return published + n_suppressed * n_suppressed
            case _:
                return published + self._rate * n_suppressed

    def least_cost(self, sizes: CountArray, may_suppress: int, n_suppressed: int) -> Fraction | int:
        """Bound from below what releases cost that are coarser than groups of these sizes.

        A record of a group of s saves s and costs its charge when the whole group is suppressed. No
        release saves more than one that leaves out records of the largest groups first.
        """
        cost = self.cost(sizes, n_suppressed)
        if self.monotone:
            return cost
        largest = np.sort(sizes[sizes > floor(self._rate)])[::-1]
        before = np.cumsum(largest) - largest
        gone = np.clip(may_suppress - before, 0, largest)
        return cost - (int(gone @ largest) - self._rate * int(gone.sum()))

    @property
    def _rate(self) -> Fraction:
        """What a suppressed record costs, whatever the others are."""
        return self.suppressed if isinstance(self.suppressed, Fraction) else Fraction(0)
