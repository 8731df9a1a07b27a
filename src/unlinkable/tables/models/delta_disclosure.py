"""delta-disclosure: no value is much more or much less frequent in a group than in the table.

An adversary who finds a victim's group compares what it hides with what everybody hides. Where the
two are nearly the same for every single value, they learn nearly nothing, by any measure of
learning [1]_.

References
----------
.. [1] J. Brickell, V. Shmatikov. "The cost of privacy: destruction of data-mining utility in
   anonymized data publishing." KDD 2008. Definition of delta-disclosure privacy.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.params import exact, positive
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.beta_likeness import BetaLikeness
from unlinkable.tables.models.shared.gaps import NO_GROUP_SIZE
from unlinkable.tables.models.shared.ground_distance import GroundDistance
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.tables.models.shared.share_ratios import ShareRatios, is_below_exp, rounded_up
from unlinkable.tables.models.shared.suppression_bounds import suppressed_to_values
from unlinkable.tables.models.t_closeness import TCloseness
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["DeltaDisclosure"]

_STEEPEST = 500
"""The exponentials of larger numbers are not asked for."""


@frozen
class DeltaDisclosure(SensitiveModel):
    r"""Every sensitive value of the table has in every group a share within ``e**delta`` times.

    For every group and every sensitive value of the table, with share :math:`p` in the group and
    :math:`q` in the published table: :math:`|\ln(p / q)| < \delta`. The bound itself is not
    allowed; it is decided exactly. A group that lacks a value of the table
    breaks the promise whatever delta is: the logarithm of 0 is infinite.

    Parameters
    ----------
    delta
        What the logarithm of every ratio stays below, in nats. 0.7 allows a share to be twice or
        half of what it is in the table.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.

    Guarantees
    ----------
    An adversary who finds a victim's group believes in each value less than e^delta times as much
    as before, and more than e^-delta times: no value is ruled out. What they learn on average is
    less than delta nats. It says nothing about who is in the group. Every group has all values of
    the table, which few tables can keep at a useful size of groups: see beta-likeness and
    t-closeness.

    Merging
    -------
    Safe: the ratio p / q of a union is a weighted mean of those of its parts, and lies between the
    least and the greatest of them. It does not absorb: in a table of {2, 2}, a group {1, 1} has
    ratios of 1, and with the other record of the first value, {2, 1}, they are 4/3 and 2/3.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "f", "m", "m"], "ill": ["flu", "flu", "hiv"] + ["flu",
    ...     "hiv"]}, quasi="sex", sensitive="ill")
    >>> promise = DeltaDisclosure(0.25, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, round(verdict.level, 4)
    (True, 0.2231)
    """

    name: ClassVar[str] = "delta-disclosure"
    reference: ClassVar[str] = "Brickell and Shmatikov 2008"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "Every value {of} is about as frequent among people who look alike as among all: within a "
        "factor of {delta:exp}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        NO_GROUP_SIZE,
        "What is typical of the whole table is public.",
    )
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "delta"
    higher_is_safer: ClassVar[bool] = False

    delta: Fraction = field(converter=exact, validator=positive)
    sensitive: str | None = field(default=None, kw_only=True)

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def relative(self) -> bool:
        return True

    def judge(self, groups: Groups) -> BoolArray:
        low, high = self._extremes(groups)
        is_not_much = is_below_exp(high.here, high.there, self.delta)
        is_not_little = is_below_exp(low.there, low.here, self.delta)
        return self._have_all(groups) & is_not_much & is_not_little

    def level(self, groups: Groups) -> FloatArray:
        """Give the largest logarithm in each group, which delta must exceed.

        It is infinite in a group that lacks a value.
        """
        low, high = self._extremes(groups)
        most = np.maximum(np.log(high.ratios), -np.log(low.ratios))
        return np.where(self._have_all(groups), np.maximum(most, 0.0), np.inf)

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Count what a group must lose of the values that it has too much of.

        A group that lacks a value with more records than may be suppressed loses all its records.
        """
        hidden, whole = self.hidden(groups), groups.whole[self.column,]
        stays = whole > limit
        n_there = hidden.reduce(np.add, stays[hidden.values].astype(np.int64))
        times = math.exp(min(float(self.delta), _STEEPEST))
        lost = suppressed_to_values(hidden, groups, whole, times, limit)
        return np.where(n_there < np.count_nonzero(stays), groups.sizes, lost)

    def witness(self, groups: Groups, at: int) -> str:
        hidden, whole = self.hidden(groups), groups.whole[self.column,]
        row = slice(hidden.indptr[at], hidden.indptr[at + 1])
        lacking = whole.copy()
        lacking[hidden.values[row]] = 0
        if lacking.any():
            value = int(np.argmax(lacking))
            return (
                f"no record has {hidden.text(value) or 'a missing value'} "
                f"({self.describe(groups, at)}), which {int(whole[value])} of {int(whole.sum())} "
                "records have: it is ruled out here"
            )
        low, high = self._extremes(groups.select(np.arange(len(groups)) == at))
        is_much = float(np.log(high.ratios[0])) >= -float(np.log(low.ratios[0]))
        worst, sign = (high, 1) if is_much else (low, -1)
        value = int(hidden.values[row][worst.entries[0]])
        bound = math.exp(sign * min(float(self.delta), _STEEPEST))
        return (
            f"{hidden.text(value) or 'a missing value'} is {worst.ratios[0]:.4g} times as frequent "
            f"as in all records ({self.describe(groups, at)}), and {'less' if is_much else 'more'} "
            f"than {bound:.4g} times is allowed"
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """No value gains more than e^delta - 1, and less than delta nats are learned on average."""
        learned = TCloseness(self.delta, sensitive=self.sensitive, distance=GroundDistance.KL)
        if self.delta > _STEEPEST:
            return (learned,)
        gain = rounded_up(math.expm1(self.delta))
        return (BetaLikeness(gain, sensitive=self.sensitive), learned)

    def allowed_gains(self, shares: FloatArray) -> FloatArray:
        factor: float = math.expm1(float(self.delta))
        return shares * factor

    def weaker(self) -> DeltaDisclosure | None:
        return evolve(self, delta=self.delta + Fraction(1, 4))

    def _extremes(self, groups: Groups) -> tuple[ShareRatios, ShareRatios]:
        return ShareRatios.extreme(self.hidden(groups), groups.sizes, groups.whole[self.column,])

    def _have_all(self, groups: Groups) -> BoolArray:
        """Tell the groups that have every value of the table."""
        n = np.count_nonzero(groups.whole[self.column,])
        return self.hidden(groups).distinct >= n
