"""Squared-error diversity: the numbers that a group hides scatter widely around their mean.

The best guess at a victim's number, if off by d costs d^2, is the mean of the victim's group, and
what it then costs on average is the variance of the group. That is bounded from below [1]_.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Workload-aware anonymization techniques for
   large-scale datasets." ACM TODS 33(3), 2008. Section 6.4 in the book of Fung, Wang, Fu and Yu
   (2010).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from unlinkable.kernels.splitting import squared_errors
from unlinkable.params import at_least, exact
from unlinkable.tables.groups import Groups, Histogram, Partition
from unlinkable.tables.models.base.ceilings import Bound
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.ke_anonymity import KEAnonymity
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.gaps import NO_GROUP_SIZE
from unlinkable.tables.models.shared.sensitive_model import NumericModel
from unlinkable.tables.taxonomies import rounded_down
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["SquaredErrorDiversity"]

_CLOSE = 1e-9
"""Floats decide what is further than this from the bound, as a share of it."""

_ERROR = 1e-14
"""The sum of the squares of a group is off by less than this share for every value in it."""


@frozen
class SquaredErrorDiversity(NumericModel):
    r"""The sensitive numbers of every group have a variance of at least ``v``.

    For every combination :math:`q` that occurs, with :math:`\mu_q` the mean of the sensitive
    numbers in its group: :math:`\frac{1}{|T[q]|} \sum_{x \in T[q]} (x - \mu_q)^2 \ge v`. The bound
    is met by equality, and decided exactly, on the decimals that were written. A missing value
    has no part in the mean, and its error counts as 0.

    Parameters
    ----------
    v
        The least mean squared error, in the squared unit of the column; in squared days if it holds
        dates.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.

    Guarantees
    ----------
    An adversary who knows only a victim's group cannot guess the victim's number with a smaller
    mean squared error than v, whatever they guess; the numbers of a group span a range of at least
    2 sqrt(v). It does not bound how sure one may be: 99 of 100 numbers may be equal if the other
    one is far enough away.

    Merging
    -------
    Safe: by the law of total variance, the variance of a union is at least the weighted mean of
    those of its parts, and that is at least the smallest. It does not absorb: {0, 2} has variance
    1, and with two more records of 1, {0, 1, 1, 2}, one half.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"job": ["cook"] * 4, "salary": [30, 32, 34, 36]},
    ...     quasi="job", sensitive="salary")
    >>> promise = SquaredErrorDiversity(5, sensitive="salary")
    >>> verdict = promise.verdict(count(staff, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'v': 5.0})
    """

    name: ClassVar[str] = "squared-error-diversity"
    reference: ClassVar[str] = "LeFevre, DeWitt and Ramakrishnan 2008"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "The numbers {of} of people who look alike vary: their variance is at least {v}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "One number far away is enough: nearly all others may be equal.",
        NO_GROUP_SIZE,
    )
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "v"

    v: Fraction = field(converter=exact, validator=at_least(0))
    sensitive: str | None = field(default=None, kw_only=True)

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    def judge(self, groups: Groups) -> BoolArray:
        scale, hidden = self.scale(groups), self.hidden(groups)
        bound = self.v * scale.parts**2
        if not bound:
            return np.ones(len(groups), bool)
        close, good = np.ones(len(groups), bool), np.zeros(len(groups), bool)
        if not scale.is_wide:
            gap = self._variances(groups) / float(bound) - 1
            good, close = gap > 0, np.abs(gap) <= _CLOSE + _ERROR * hidden.distinct
        if close.any():
            errors, shares = _errors(hidden.select(close), scale.steps)
            good[close] = is_within(shares * groups.sizes[close], 1 / bound, errors)
        return good

    def level(self, groups: Groups) -> FloatArray:
        """Give the variance of each group."""
        scale, hidden = self.scale(groups), self.hidden(groups)
        if not scale.is_wide:
            return scale.floats(self._variances(groups), power=2)
        errors, shares = _errors(hidden, scale.steps)
        n = np.maximum(shares * groups.sizes, 1)
        return scale.floats(np.array(list(map(Fraction, errors, n)), object), power=2)

    def witness(self, groups: Groups, at: int) -> str:
        reached = float(self.level(groups)[at])
        return (
            f"a guess at the mean is off by about {self.amount(groups, math.sqrt(reached))}, a "
            f"variance of {reached:.6g} ({self.describe(groups, at)}), and that must be at least "
            f"{float(self.v):g}"
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """A variance is at most a quarter of the squared range."""
        p, q = self.v.as_integer_ratio()
        span = Fraction(math.isqrt(4 * p * q), q)
        return (KEAnonymity(2, span, sensitive=self.sensitive),) if self.v else ()

    def range_ceiling(self, width: Fraction | None, span: Fraction | None) -> Bound:
        """Bound the share of numbers in a range.

        Let a share f of the numbers of a group lie in a range of width w, and all of them in one of
        R. From the middle of the range, these are at most w/2 away and the others R, so that the
        variance is at most f (w/2)^2 + (1 - f) R^2, and at least v.
        """
        if not span:
            return None
        width = span / 10 if width is None else width
        near, far = (width / 2) ** 2, span**2
        return (far - self.v) / (far - near) if near < self.v else None

    def weaker(self) -> SquaredErrorDiversity | None:
        return evolve(self, v=self.v * Fraction(4, 5)) if self.v else None

    def explain_failure(self, groups: Groups) -> str:
        together = Partition.whole(groups).groups()
        reached = float(self.level(together)[0])
        return (
            f"the variance of {self.column!r} in all {groups.n_records} records together is "
            f"{reached:.6g}, and some group has never more than the whole: ask for v of at most "
            f"{rounded_down(reached)}"
        )

    def _variances(self, groups: Groups) -> FloatArray:
        """Measure the variance of each group in squared steps, in floats."""
        hidden, steps = self.hidden(groups), self.scale(groups).steps
        squares = squared_errors(hidden.indptr, hidden.values, hidden.counts, steps)
        return np.asarray(squares / np.maximum(groups.sizes, 1))


def _errors(hidden: Histogram, steps: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Give m times the squared error of each group, and m, the number of its numbers.

    With numbers x it is m sum x^2 - (sum x)^2, in Python's integers. m is at least 1.
    """
    # The code after the last number is the missing value's.
    places = np.append(steps, 0).astype(object)
    n = np.where(hidden.values < steps.size, hidden.counts, 0).astype(object)
    above = places[hidden.values] - places[hidden.values[hidden.indptr[hidden.row]]]
    m = np.maximum(hidden.reduce(np.add, n), 1)
    return m * hidden.reduce(np.add, n * above**2) - hidden.reduce(np.add, n * above) ** 2, m
