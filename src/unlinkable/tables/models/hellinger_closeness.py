"""Hellinger closeness: shares in a group overlap with those in the whole table.

The distance of t-closeness may be replaced by one that is quickly computed, is a metric, and weighs
a change of a rare value more than one of a frequent value: Hellinger's [1]_.

References
----------
.. [1] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Section 5.3, Equations 5.3 to 5.5.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.params import at_least, at_most, exact
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.gaps import NO_GROUP_SIZE, SIMILAR_VALUES
from unlinkable.tables.models.shared.ground_distance import GroundDistance
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.tables.models.t_closeness import TCloseness
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["HellingerCloseness"]


@frozen
class HellingerCloseness(SensitiveModel):
    r"""The sensitive values of every group are within Hellinger distance ``t`` of all.

    For every group, with :math:`P` the shares of the sensitive values in it and :math:`Q` those in
    the published table: :math:`\sqrt{1 - \sum_s \sqrt{P(s) Q(s)}} \le t`. The bound is met by
    equality, and decided exactly: floats decide what is clear, and what is close is decided by as
    many digits of the roots as that takes, and by which roots are multiples of each other.

    Parameters
    ----------
    t
        The largest distance, from 0 (equal shares) to 1 (no value in common).
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.

    Guarantees
    ----------
    An adversary who finds a victim's group changes the chance that they give any set of values by
    at most t sqrt(2 - t^2). It knows nothing of what values mean: a group of similar values is as
    far from the table as one of different values. It says nothing about who is in the group.

    Merging
    -------
    Safe: the root is concave, so 1 - sum sqrt(P Q), the square of the distance, is convex in P.
    That of a union is at most the weighted mean of those of its parts, and that is at most the
    largest. It does not absorb: in a table of {2, 2}, a group {1, 1} is at distance 0, and with the
    other record of the first value, {2, 1}, it is not.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "m", "m"], "ill": ["flu", "hiv", "flu", "flu"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = HellingerCloseness(0.4, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, round(verdict.level, 4)
    (True, 0.366)
    """

    name: ClassVar[str] = "hellinger-closeness"
    reference: ClassVar[str] = "Babu 2013"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "The values {of} of people who look alike are distributed nearly as those of all: at most "
        "{t} apart on a scale from 0 to 1."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        SIMILAR_VALUES,
        NO_GROUP_SIZE,
    )
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "t"
    higher_is_safer: ClassVar[bool] = False

    t: Fraction = field(converter=exact, validator=(at_least(0), at_most(1)))
    sensitive: str | None = field(default=None, kw_only=True)

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def relative(self) -> bool:
        return True

    def judge(self, groups: Groups) -> BoolArray:
        return self._as_closeness().judge(groups)

    def level(self, groups: Groups) -> FloatArray:
        return self._as_closeness().level(groups)

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        return self._as_closeness().least_suppressed(groups, limit)

    def witness(self, groups: Groups, at: int) -> str:
        return self._as_closeness().witness(groups, at)

    def consequences(self) -> tuple[GroupModel, ...]:
        """It is t-closeness with this distance."""
        return (self._as_closeness(),)

    def allowed_gains(self, shares: FloatArray) -> FloatArray:
        """A distance of t moves no more than t sqrt(2 - t^2) of the probability."""
        t = float(self.t)
        return np.full(shares.size, t * math.sqrt(2 - t * t))

    def weaker(self) -> HellingerCloseness | None:
        more = self.t + Fraction(1, 20)
        return evolve(self, t=more) if more < 1 else None

    def explain_failure(self, groups: Groups) -> str:
        return self._as_closeness().explain_failure(groups)

    def _as_closeness(self) -> TCloseness:
        return TCloseness(self.t, sensitive=self.sensitive, distance=GroundDistance.HELLINGER)
