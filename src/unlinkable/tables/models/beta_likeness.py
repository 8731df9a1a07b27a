"""beta-likeness: no value is much more frequent in a group than in the table, whatever its share.

A bound on the distance between distributions lets rare values become many times as frequent, which
is what hurts most. beta-likeness bounds the gain of every value relative to what was known of it
before [1]_.

References
----------
.. [1] J. Cao, P. Karras. "Publishing microdata with a robust privacy guarantee." PVLDB 5(11), 2012.
   Definitions 2 and 3.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.params import at_least, exact
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.gaps import NO_GROUP_SIZE
from unlinkable.tables.models.shared.ground_distance import GroundDistance
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.tables.models.shared.share_ratios import ShareRatios, reaches_exp, rounded_up
from unlinkable.tables.models.shared.suppression_bounds import suppressed_to_values
from unlinkable.tables.models.t_closeness import TCloseness
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["BetaLikeness"]

_CLOSE = 1e-9
"""Floats decide what is further than this from a logarithm."""


@frozen
class BetaLikeness(SensitiveModel):
    r"""The share of no sensitive value is greater in a group than in all by over ``beta`` times.

    For every group and every sensitive value, with share :math:`p` in the group and :math:`q` in
    the published table: :math:`(p - q) / q \le \beta`. The enhanced form also asks for
    :math:`(p - q) / q \le -\ln q`, so that frequent values gain less: a value that half of all have
    at most 69 %, one that nine in ten have at most 11 %. Both bounds are met by equality, and
    decided exactly.

    Parameters
    ----------
    beta
        The largest gain, relative to the share in the table: 1 allows a value to be twice as
        frequent.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    enhanced
        Whether the gain of a value with share q is also bounded by -ln q.

    Guarantees
    ----------
    An adversary who finds a victim's group believes in no value more than 1 + beta times as much as
    before. In the enhanced form nobody becomes sure of a value: q (1 - ln q) is less than 1 for
    every q that is. It does not bound how much less a value may be believed: values may be ruled
    out. It says nothing about who is in the group.

    Merging
    -------
    Safe: the share of a value in a union is a weighted mean of its shares in the parts, hence at
    most the largest of them, and what it is compared with is the same. It does not absorb: in a
    table of {2, 2}, a group {1, 1} gains nothing, and with the other record of the first value,
    {2, 1}, that value gains a third.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "m", "m"], "ill": ["flu", "hiv", "flu", "flu"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = BetaLikeness(1, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'beta': 1.0})
    """

    name: ClassVar[str] = "beta-likeness"
    reference: ClassVar[str] = "Cao and Karras 2012"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "Among people who look alike no value {of} is more frequent than among all by more than "
        "{beta} times."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It does not bound how much less a value may be believed: a group may rule it out.",
        NO_GROUP_SIZE,
    )
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "beta"
    higher_is_safer: ClassVar[bool] = False

    beta: Fraction = field(converter=exact, validator=at_least(0))
    sensitive: str | None = field(default=None, kw_only=True)
    enhanced: bool = field(default=False, kw_only=True)

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def relative(self) -> bool:
        return True

    def judge(self, groups: Groups) -> BoolArray:
        most = self._most(groups)
        good = is_within(most.here, 1 + self.beta, most.there)
        return good & self._keep_below_logs(groups) if self.enhanced else good

    def level(self, groups: Groups) -> FloatArray:
        """Give the largest gain in each group; infinite where no beta would do."""
        most = self._most(groups)
        gains = (most.here - most.there).astype(float) / np.maximum(most.there.astype(float), 0.5)
        gains = np.where(most.there > 0, np.maximum(gains, 0.0), np.inf)
        return np.where(self._keep_below_logs(groups), gains, np.inf) if self.enhanced else gains

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Count what a group must lose of the value of which it has most too much."""
        hidden, whole = self.hidden(groups), groups.whole[self.column,]
        return suppressed_to_values(hidden, groups, whole, float(1 + self.beta), limit)

    def witness(self, groups: Groups, at: int) -> str:
        hidden, whole = self.hidden(groups), groups.whole[self.column,]
        one = groups.select(np.arange(len(groups)) == at)
        most = self._most(one)
        value = int(self.hidden(one).values[most.entries[0]])
        share = f"{int(whole[value])} of {int(whole.sum())} records"
        bound = f"at most {float(1 + self.beta):.4g} times"
        if self.enhanced:
            bound += ", and 1 - ln q times where a share q of all have a value,"
        return (
            f"{hidden.text(value) or 'a missing value'}, which {share} have, is "
            f"{most.ratios[0]:.4g} times as frequent here ({self.describe(groups, at)}), and "
            f"{bound} is allowed"
        )

    def covers(self, other: GroupModel) -> bool:
        """Whether it bounds gains as tightly; the enhanced form is the stronger one."""
        if not isinstance(other, BetaLikeness) or self.sensitive != other.sensitive:
            return False
        return self.beta <= other.beta and self.enhanced >= other.enhanced

    def consequences(self) -> tuple[GroupModel, ...]:
        """A set of values gains at most beta / (1 + beta), and at most ln(1 + beta) is learned.

        Where p is at most (1 + beta) q, p - q is at most beta / (1 + beta) of p, and ln(p / q) at
        most ln(1 + beta).
        """
        near = TCloseness(self.beta / (1 + self.beta), sensitive=self.sensitive)
        nats = rounded_up(math.log1p(self.beta))
        return (near, evolve(near, t=nats, distance=GroundDistance.KL))

    def allowed_gains(self, shares: FloatArray) -> FloatArray:
        gains: FloatArray = np.full(shares.size, float(self.beta))
        return shares * (np.minimum(gains, -np.log(shares)) if self.enhanced else gains)

    def weaker(self) -> BetaLikeness | None:
        return evolve(self, beta=self.beta + Fraction(1, 2))

    def _most(self, groups: Groups) -> ShareRatios:
        """Give the greatest ratio of shares in each group."""
        hidden, whole = self.hidden(groups), groups.whole[self.column,]
        return ShareRatios.extreme(hidden, groups.sizes, whole)[1]

    def _keep_below_logs(self, groups: Groups) -> BoolArray:
        """Decide for each group whether no value gains more than -ln of its share in the table.

        Such a logarithm is never a fraction, unless all records have the value: floats decide what
        is clear, and enough digits what is close.
        """
        hidden, whole = self.hidden(groups), groups.whole[self.column,]
        total = int(whole.sum())
        every = np.arange(hidden.values.size)
        gains = ShareRatios.of(hidden, groups.sizes[hidden.row], whole, every)
        logs = np.log(max(total, 1) / np.maximum(whole, 1))[hidden.values]
        gap = gains.ratios - 1 - logs
        too_much = gap > 0
        for j in np.flatnonzero(np.abs(gap) <= _CLOSE * (1 + logs)):
            here, there = int(gains.here[j]), int(gains.there[j])
            exponent = Fraction(here - there, there)
            inverse = Fraction(total, int(whole[hidden.values[j]]))
            too_much[j] = not reaches_exp(inverse, exponent)
        good: BoolArray = hidden.reduce(np.maximum, too_much.astype(np.int64)) == 0
        return good
