"""t-closeness: what a group hides looks like what the whole table hides.

Where 1 % of all people have a disease, a group in which half of them have it says a lot about its
members, however diverse it is. t-closeness bounds how far the values of a group may be from those
of everybody [1]_.

References
----------
.. [1] N. Li, T. Li, S. Venkatasubramanian. "t-closeness: privacy beyond k-anonymity and
   l-diversity." ICDE 2007. Definition 2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.groups import Groups
from unlinkable.params import at_least, at_most, exact
from unlinkable.privacy.base import Merging, Threat
from unlinkable.privacy.ground_distance import GroundDistance, are_within, distances
from unlinkable.privacy.sensitive import SensitiveModel
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["TCloseness"]

_CLOSE = 0.01
"""A bound on a number of records is lowered by this before it is rounded up."""

_TINY = 1e-4
"""A share that comes this close to 1 bounds nothing: floats are not good enough to divide by."""


@frozen
class TCloseness(SensitiveModel):
    r"""The sensitive values of every group are at most ``t`` away from those of the whole table.

    For every combination :math:`q` that occurs, with :math:`P` the shares of the sensitive values
    in its group and :math:`Q` those in the published table: :math:`EMD(P, Q) \le t`, where
    :math:`EMD` is the least work of turning one into the other. The bound is met by equality, and
    decided exactly.

    Parameters
    ----------
    t
        The largest distance, from 0 to 1.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    distance
        How far apart two values are: `EQUAL`, `ORDERED` by rank among the values that occur in the
        table (numbers and dates in their own order, categories in the order of the leaves of their
        taxonomy), or `HIERARCHICAL` over the taxonomy of the column. A missing value is 1 away from
        every other.

    Guarantees
    ----------
    Whoever finds a victim's group changes what he believes of the victim's value by at most t,
    taken as work: with the equal ground distance, the chance of no set of values changes by more
    than t. It says nothing about who is in the group.

    Merging
    -------
    Safe: the distance is convex, so that of a union is at most the weighted mean of those of its
    parts, and that is at most the largest. It does not absorb: in a table of {2, 2}, a group {1, 1}
    is at distance 0, and with the other record of the first value, {2, 1}, it is not. Leaving
    records out changes the whole table, so the rest is judged again.

    Examples
    --------
    >>> from unlinkable.engines import count
    >>> from unlinkable.table import as_table
    >>> ward = as_table({"sex": ["f", "f", "m", "m"], "ill": ["flu", "hiv", "flu", "flu"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = TCloseness(0.25, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'t': 0.25})
    """

    name: ClassVar[str] = "t-closeness"
    reference: ClassVar[str] = "Li, Li and Venkatasubramanian 2007"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    parameter: ClassVar[str] = "t"
    higher_is_safer: ClassVar[bool] = False

    t: Fraction = field(converter=exact, validator=(at_least(0), at_most(1)))
    sensitive: str | None = field(default=None, kw_only=True)
    distance: GroundDistance = field(
        default=GroundDistance.EQUAL, converter=GroundDistance, kw_only=True
    )

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def relative(self) -> bool:
        return True

    def judge(self, groups: Groups) -> BoolArray:
        hidden = self.hidden(groups)
        whole = groups.whole[self.column,]
        return are_within(hidden, groups.sizes, whole, self.distance, self.t)

    def least_lost(self, groups: Groups, limit: int) -> CountArray:
        """Count what a group must lose of the values that it has too much of.

        Let c of its n records have such a value, and C of all N. With x records gone, at least
        c - x of n - x have one, which must be at most t more than the share of the rest of the
        table, itself at most q = C / (N - limit): so x is at least (c - (q + t) n) / (1 - q - t).
        That is for the equal distance; with others the shares of a set of values do not tell.
        """
        whole = groups.whole[self.column,]
        n_left = int(whole.sum()) - limit
        if self.distance is not GroundDistance.EQUAL or n_left <= 0:
            return np.zeros(len(groups), np.int64)
        hidden = self.hidden(groups)
        sizes, there = groups.sizes, whole[hidden.values]
        # Which values are too many only decides how good the bound is: floats will do.
        is_much = hidden.counts * (whole.sum() / sizes)[hidden.row] > there
        here = hidden.reduce(np.add, np.where(is_much, hidden.counts, 0))
        share = hidden.reduce(np.add, np.where(is_much, there, 0)) / n_left + float(self.t)
        must = (here - share * sizes) / np.maximum(1 - share, _TINY)
        lost = np.where(1 - share > _TINY, np.ceil(must - _CLOSE), 0.0)
        return np.clip(lost, 0, sizes).astype(np.int64)

    def level(self, groups: Groups) -> FloatArray:
        """Measure the distance of each group from the whole table."""
        whole = groups.whole[self.column,]
        return distances(self.hidden(groups), groups.sizes, whole, self.distance)

    def weaker(self) -> TCloseness | None:
        more = self.t + Fraction(1, 20)
        return evolve(self, t=more) if more < 1 else None

    def explain_failure(self, groups: Groups) -> str:
        reached = float(np.max(self.level(groups), initial=0.0))
        n = int(groups.whole[self.column,].sum())
        return (
            f"the values of {self.column!r} in {groups.n_records} records are {reached:.4f} away "
            f"from those of the {n} records that they are compared with: leave out fewer records, "
            f"or ask for t of at least {reached:.4f}. All records in one group are at distance 0"
        )
