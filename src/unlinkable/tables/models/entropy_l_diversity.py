"""Entropy l-diversity: the values that a group hides are spread as evenly as l values could be.

Distinct values say little if one of them is nearly everybody's. Entropy counts values by how much
they are represented [1]_.

References
----------
.. [1] A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam. "l-diversity: privacy beyond
   k-anonymity." ACM TKDD 1(1), 2007. Definition 4.1.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.kernels.distributions import entropies, sum_largest, trim_to_entropy
from unlinkable.params import at_least, exact
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.models.base.ceilings import SensitiveGoal
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.distinct_l_diversity import DistinctLDiversity
from unlinkable.tables.models.shared.exact_powers import is_at_least_one
from unlinkable.tables.models.shared.gaps import SIMILAR_VALUES, VALUES_RULED_OUT
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["EntropyLDiversity"]

_CLOSE = 1e-9
"""Floats decide what is further than this from the bound, in nats."""

_ERROR = 1e-14
"""The sum of the logarithms of a group is off by less than this for every value in it."""


@frozen
class EntropyLDiversity(SensitiveModel):
    r"""The sensitive values of every group have an entropy of at least ``log(l)``.

    For every combination :math:`q` that occurs, with :math:`P(q, s)` the share of value :math:`s`
    in its group: :math:`-\sum_s P(q, s) \log P(q, s) \ge \log l`. A missing value is a value of its
    own. The bound is met by equality, and decided exactly: l values once each are entropy
    l-diverse.

    Parameters
    ----------
    l
        The effective number of values, any number from 1 on.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.

    Guarantees
    ----------
    Every group has at least l different values, and l records. How sure one may be of a value is
    bounded only in the mean: with l = 2, one of ten values may have 86 % of a group.

    Merging
    -------
    Safe: entropy is concave, so that of a union is at least the weighted mean of those of its
    parts, and that is at least the smallest. It does not absorb: {1, 1} is 2-diverse, and with four
    more records of the first value it is {5, 1}, which is not.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "f", "f"], "ill": ["flu", "hiv", "hiv", "hiv"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = EntropyLDiversity(1.75, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, round(verdict.level, 4)
    (True, 1.7548)
    """

    name: ClassVar[str] = "entropy-l-diversity"
    reference: ClassVar[str] = "Machanavajjhala et al. 2007"
    threats: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "The values {of} of people who look alike are as hard to guess as {l} equally frequent "
        "ones."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "One value may still be much more frequent than the others.",
        SIMILAR_VALUES,
        VALUES_RULED_OUT,
    )
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "l"

    l: Fraction = field(converter=exact, validator=at_least(1))  # noqa: E741
    sensitive: str | None = field(default=None, kw_only=True)

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    def judge(self, groups: Groups) -> BoolArray:
        hidden = self.hidden(groups)
        gap = entropies(hidden.indptr, hidden.counts) - _log(self.l)
        good: BoolArray = gap > 0
        close = np.abs(gap) <= _CLOSE + _ERROR * hidden.distinct
        if close.any():
            # Most of what is close is a group of equally frequent values: their number tells.
            is_even = _are_even(hidden, groups.sizes)
            good[close] = hidden.distinct[close] >= math.ceil(self.l)
            for g in np.flatnonzero(close & ~is_even):
                row = hidden.counts[hidden.indptr[g] : hidden.indptr[g + 1]]
                good[g] = _is_diverse(tuple(sorted(row.tolist())), self.l)
        return good

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Count what a group must lose of its most frequent values.

        What finer groups keep of it is diverse together, because merging is safe.
        """
        hidden = self.hidden(groups)
        bound = _log(self.l) - _CLOSE - _ERROR * hidden.n_values
        return trim_to_entropy(hidden.indptr, hidden.counts, bound)

    def level(self, groups: Groups) -> FloatArray:
        """Give the effective number of values of each group: the exponential of the entropy."""
        hidden = self.hidden(groups)
        is_even = _are_even(hidden, groups.sizes)
        effective = np.exp(entropies(hidden.indptr, hidden.counts))
        return np.where(is_even, hidden.distinct, effective)

    def witness(self, groups: Groups, at: int) -> str:
        reached = float(self.level(groups)[at])
        return (
            f"as diverse as {reached:.4g} equally frequent values ({self.describe(groups, at)}), "
            f"and as {float(self.l):g} must be"
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """The entropy of m values is at most that of m equally frequent ones."""
        return (DistinctLDiversity(math.ceil(self.l), sensitive=self.sensitive),)

    def owner_ceiling(self) -> Fraction:
        return 1 / self.l

    def share_ceiling(self, goal: SensitiveGoal) -> float:
        return _largest_share(float(self.l), goal.shares.size)

    def weaker(self) -> EntropyLDiversity | None:
        less = self.l - Fraction(1, 2)
        return evolve(self, l=less) if less > 1 else None

    def explain_failure(self, groups: Groups) -> str:
        whole = self.hidden(groups).total
        n = int(whole.sum())
        indptr = np.array([0, whole.size])
        reached = math.floor(1000 * math.exp(entropies(indptr, whole)[0])) / 1000
        return (
            f"the values of {self.column!r} in all {n} records together reach l = {reached} (the "
            f"most frequent one has {int(whole.max(initial=0)) / max(n, 1):.1%} of them), and some "
            f"group is never more diverse than the whole: ask for l of at most {reached}, or "
            "promise recursive-cl-diversity or t-closeness, which allow for a frequent value"
        )


def _log(number: Fraction) -> float:
    return math.log(number.numerator) - math.log(number.denominator)


def _are_even(hidden: Histogram, sizes: CountArray) -> BoolArray:
    """Tell the groups whose values are all equally frequent."""
    even: BoolArray = sum_largest(hidden.indptr, hidden.counts, 1) * hidden.distinct == sizes
    return even


@lru_cache(maxsize=1 << 14)
def _is_diverse(counts: tuple[int, ...], l: Fraction) -> bool:  # noqa: E741
    """Decide whether the entropy of a group is at least log(l).

    With counts c that add up to n and l = p / q: exp(n entropy) = n^n / prod c^c, which is to be at
    least (p / q)^n.
    """
    n = sum(counts)
    p, q = l.as_integer_ratio()
    powers: Counter[int] = Counter()
    powers[n] += n
    powers[q] += n
    powers[p] -= n
    for c, times in Counter(counts).items():
        powers[c] -= c * times
    return is_at_least_one(powers)


def _largest_share(l: float, n_values: int) -> float:  # noqa: E741 (the name in the literature)
    """Find the greatest share of one of n values if their entropy is at least log l."""
    if l <= 1 or n_values < 2:
        return 1.0
    low, high = 1 / n_values, 1.0
    for _ in range(60):
        p = (low + high) / 2
        rest = (1 - p) * math.log((n_values - 1) / (1 - p)) if p < 1 else 0.0
        low, high = (p, high) if rest - p * math.log(p) >= math.log(l) else (low, p)
    return high
