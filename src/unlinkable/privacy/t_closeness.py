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
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["TCloseness"]


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
    >>> from unlinkable.table import table
    >>> ward = table({"sex": ["f", "f", "m", "m"], "ill": ["flu", "hiv", "flu", "flu"]},
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
        return are_within(hidden, groups.whole[self.column,], self.distance, self.t)

    def level(self, groups: Groups) -> FloatArray:
        """Measure the distance of each group from the whole table."""
        return distances(self.hidden(groups), groups.whole[self.column,], self.distance)

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
