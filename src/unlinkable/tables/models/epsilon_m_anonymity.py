"""(epsilon,m)-anonymity: nobody can be sure of a narrow range of numbers.

(k,e)-anonymity asks for values that are far apart, and is content if nine of ten salaries lie from
30 to 35 and one at 80. An adversary who looks for the narrow range in which most values lie (the
proximity attack) is right about it in nine of ten cases. So every neighbourhood of a value is
bounded [1]_.

References
----------
.. [1] J. Li, Y. Tao, X. Xiao. "Preservation of proximity privacy in publishing numerical sensitive
   data." SIGMOD 2008. Section 2.2.7 in the book of Fung, Wang, Fu and Yu (2010).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import SchemaError
from unlinkable.kernels.distributions import fullest_windows
from unlinkable.params import Choice, at_least, exact
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.models.base.ceilings import Bound
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.frequency_l_diversity import FrequencyLDiversity
from unlinkable.tables.models.ke_anonymity import KEAnonymity
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.gaps import NO_GROUP_SIZE, VALUES_RULED_OUT
from unlinkable.tables.models.shared.sensitive_model import NumericModel
from unlinkable.tables.taxonomies import Domain, Kind, rounded_down, scale_of
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["EpsilonMAnonymity", "Interval"]

_FAR = 1 << 62
"""Added to a 64-bit number of steps, less than this is a 64-bit number."""


class Interval(Choice):
    """What counts as close to a number s."""

    ABSOLUTE = "absolute"
    """From s - epsilon to s + epsilon."""
    RELATIVE = "relative"
    """From s - epsilon \\|s\\| to s + epsilon \\|s\\|: with 0.1, all that is at most 10 % off."""


@frozen
class EpsilonMAnonymity(NumericModel):
    r"""At most one in ``m`` records of a group is within ``epsilon`` of any number in it.

    For every combination :math:`q` that occurs and every sensitive number :math:`s` in its group:
    :math:`|\{x \in T[q] : |x - s| \le \epsilon\}| \le |T[q]| / m`. With a relative interval,
    :math:`\epsilon` is taken times :math:`|s|`. Both bounds are met by equality, and decided
    exactly, on the decimals that were written. A missing value is close to missing values alone.

    Parameters
    ----------
    epsilon
        How far off a guess may be and still be good: in the unit of the column, in days if it holds
        dates, or as a share of the value. With 0, equal values are counted.
    m
        One in so many records of a group may be so close, any number from 1 on.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    interval
        Whether epsilon is ``absolute``, or ``relative`` to the value.

    Guarantees
    ----------
    An adversary who finds a victim's group and names a value of it is within epsilon of the
    victim's value with probability at most 1/m; a range of width epsilon, wherever it lies, holds
    no more than that. A range of width 2 epsilon around no value of the group may hold up to twice
    as much. It does not hold off somebody who can rule out some of the values.

    Merging
    -------
    Unsafe: with epsilon 1 and m 2, {0, 10} and {-1, 1} are good, and {-1, 0, 1, 10} is not: three
    of four are within 1 of 0. With epsilon 0 it is safe: the share of a value in a union is a
    weighted mean of its shares in the parts.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"job": ["cook"] * 4, "salary": [30, 31, 33, 80]},
    ...     quasi="job", sensitive="salary")
    >>> promise = EpsilonMAnonymity(2, 2, sensitive="salary")
    >>> verdict = promise.verdict(count(staff, promise.needs()).finest)
    >>> verdict.holds, round(verdict.level, 3)
    (False, 1.333)
    >>> verdict.why
    '3 of 4 records have salary from 30 to 33, within 2 of 31, and at most 1 in 2 may'
    """

    name: ClassVar[str] = "epsilon-m-anonymity"
    reference: ClassVar[str] = "Li, Tao and Xiao 2008"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Of people who look alike, at most one in {m} has a number {of} within {epsilon} of any "
        "number among them."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "A range that has no number of the group in its middle may hold up to twice as many "
        "people.",
        VALUES_RULED_OUT,
        NO_GROUP_SIZE,
    )
    parameter: ClassVar[str] = "m"

    epsilon: Fraction = field(converter=exact, validator=at_least(0))
    m: Fraction = field(converter=exact, validator=at_least(1))
    sensitive: str | None = field(default=None, kw_only=True)
    interval: Interval = field(default=Interval.ABSOLUTE, converter=Interval, kw_only=True)

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE if self.epsilon else Merging.SAFE

    def judge(self, groups: Groups) -> BoolArray:
        return is_within(self._closest(groups), 1 / self.m, groups.sizes)

    def level(self, groups: Groups) -> FloatArray:
        """Give one in how many records of each group is close to the value with the most."""
        return np.asarray(groups.sizes / np.maximum(self._closest(groups), 1))

    def witness(self, groups: Groups, at: int) -> str:
        hidden, domain = self.hidden(groups), self.domain(groups)
        row = slice(hidden.indptr[at], hidden.indptr[at + 1])
        codes, counts = hidden.values[row], hidden.counts[row]
        lo, hi = self._windows(groups)
        inside = [counts[(codes >= lo[c]) & (codes < hi[c])].sum() for c in codes]
        code = int(codes[int(np.argmax(inside))])
        close = codes[(codes >= lo[code]) & (codes < hi[code])]
        who = f"{max(inside)} of {groups.sizes[at]} records have"
        most = f"and at most 1 in {float(self.m):g} may"
        if code == domain.missing:
            return f"{who} no {self.column}, {most}"
        ends = [domain.text(int(c)) for c in (close[0], close[-1])]
        span = f"from {ends[0]} to {ends[1]}" if len(close) > 1 else ends[0]
        far = (
            self.amount(groups, float(self.epsilon))
            if self.interval is Interval.ABSOLUTE
            else f"{float(100 * self.epsilon):.6g} %"
        )
        return f"{who} {self.column} {span}, within {far} of {domain.text(code)}, {most}"

    def consequences(self) -> tuple[GroupModel, ...]:
        """Give the shares of equal values, and the range that follows if epsilon is absolute.

        Take the smallest number of a group, the smallest one further than epsilon above it, and so
        on. Each has at most 1/m of the group from it up to the next, and so have missing values:
        there are at least m - 1 such numbers, each more than epsilon above the last.
        """
        frequent = FrequencyLDiversity(self.m, sensitive=self.sensitive)
        if self.interval is Interval.RELATIVE:
            return (frequent,)
        least = math.ceil(self.m)
        span = max(least - 2, 0) * self.epsilon
        return frequent, KEAnonymity(least, span, sensitive=self.sensitive)

    def covers(self, other: GroupModel) -> bool:
        """Whether it bounds as wide neighbourhoods of the same column by as much."""
        if not isinstance(other, EpsilonMAnonymity) or self.m < other.m:
            return False
        is_as_wide = self.epsilon >= other.epsilon and self.interval is other.interval
        return (is_as_wide or not other.epsilon) and self.sensitive == other.sensitive

    def range_ceiling(self, width: Fraction | None, span: Fraction | None) -> Bound:
        """All numbers in a range of epsilon are within epsilon of each other."""
        is_within = width is not None and width <= self.epsilon
        return 1 / self.m if self.interval is Interval.ABSOLUTE and is_within else None

    def relative_range_ceiling(self, epsilon: Fraction) -> Bound:
        is_within = self.interval is Interval.RELATIVE and epsilon <= self.epsilon
        return 1 / self.m if is_within else None

    def weaker(self) -> EpsilonMAnonymity | None:
        less = self.m - Fraction(1, 2)
        return evolve(self, m=less) if less > 1 else None

    def explain_failure(self, groups: Groups) -> str:
        together = Partition.whole(groups).groups()
        reached = rounded_down(float(self.level(together)[0]))
        return (
            f"in all {groups.n_records} records together, {self.witness(together, 0)}: ask for m "
            f"of at most {reached}, or for a smaller epsilon"
        )

    def _closest(self, groups: Groups) -> CountArray:
        """Count the records of each group that are close to the number with the most."""
        hidden, (lo, hi) = self.hidden(groups), self._windows(groups)
        return fullest_windows(hidden.indptr, hidden.values, hidden.counts, lo, hi)

    def _windows(self, groups: Groups) -> tuple[CodeArray, CodeArray]:
        domain = self.domain(groups)
        if domain.kind is Kind.DATE and self.interval is Interval.RELATIVE:
            raise SchemaError(
                f"{self} compares with the value itself, and {self.column!r} holds dates, which "
                "have no zero: use an absolute interval, in days"
            )
        return _windows(self.column, domain, self.epsilon, self.interval)


@lru_cache(maxsize=8)
def _windows(
    column: str, domain: Domain, epsilon: Fraction, interval: Interval
) -> tuple[CodeArray, CodeArray]:
    """Find for every code the codes ``[lo, hi)`` that are close to it.

    Values are whole numbers of steps, so a distance is at most epsilon if it is at most epsilon
    rounded down.
    """
    scale = scale_of(column, domain)
    steps, (p, q) = scale.steps, epsilon.as_integer_ratio()
    unit = scale.parts if interval is Interval.ABSOLUTE else abs(steps.astype(object))
    reach = np.broadcast_to(np.asarray(unit * p // q, object), steps.shape)
    if max(reach, default=0) < _FAR:
        reach = reach.astype(steps.dtype)
    lo = np.searchsorted(steps, steps - reach, "left")
    hi = np.searchsorted(steps, steps + reach, "right")
    # The last code is the missing value's.
    ends = np.append(lo, steps.size), np.append(hi, steps.size + 1)
    return ends[0].astype(np.int32), ends[1].astype(np.int32)
