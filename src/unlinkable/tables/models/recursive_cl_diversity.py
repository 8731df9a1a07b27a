"""Recursive (c,l)-diversity: no value of a group is much more frequent than its rare ones.

Entropy l-diversity is out of reach where one value is frequent in the whole table. Recursive
diversity compares the most frequent value of a group with its rare ones only [1]_.

References
----------
.. [1] A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam. "l-diversity: privacy beyond
   k-anonymity." ACM TKDD 1(1), 2007. Definition 4.2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.kernels.distributions import sum_largest, trim_to_ratio
from unlinkable.params import at_least, exact, positive
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.models.base.ceilings import Bound, SensitiveGoal
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.distinct_l_diversity import DistinctLDiversity
from unlinkable.tables.models.frequency_l_diversity import FrequencyLDiversity
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.gaps import SIMILAR_VALUES
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["RecursiveCLDiversity"]

_WIDEST = 1 << 31
"""Counts times numbers below this fit into 64 bits."""


@frozen(kw_only=True)
class RecursiveCLDiversity(SensitiveModel):
    r"""The most frequent value is rarer than ``c`` times all from the ``l``-th on together.

    With the counts of a group in falling order, :math:`r_1 \ge r_2 \ge \dots \ge r_m`: :math:`r_1 <
    c\,(r_l + \dots + r_m)`. A group with fewer than ``l`` values fails. A missing value is a value
    of its own.

    Parameters
    ----------
    c
        How many times as frequent as the rare values together the most frequent one may be.
    l
        The place from which on values count as rare.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    strict
        Whether equality fails, as in the original definition. Some texts allow it.

    Guarantees
    ----------
    Somebody who can rule out any l - 2 values (l being 2 or more) is sure of any other value with
    less than c / (1 + c).

    Merging
    -------
    Safe: the promise says that r_1 + c times the sum of the l - 1 largest counts is below c n. When
    counts are added up, the right side adds up, and the left side, a sum of maxima, at most adds
    up. It does not absorb: {1, 1} is (2,2)-diverse; with five more records of the first value, {6,
    1}, it is not.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "f", "f"], "ill": ["flu", "hiv", "hiv", "cold"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = RecursiveCLDiversity(c=3, l=3, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'c': 2.0})
    """

    name: ClassVar[str] = "recursive-cl-diversity"
    reference: ClassVar[str] = "Machanavajjhala et al. 2007"
    threats: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Among people who look alike the most frequent value {of} is rarer than {c} times all "
        "values from the {l}th most frequent on together."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "An adversary who can rule out more values than the bound allows for is not stopped.",
        SIMILAR_VALUES,
    )
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "c"
    higher_is_safer: ClassVar[bool] = False

    c: Fraction = field(converter=exact, validator=positive)
    l: int = field(validator=at_least(1))  # noqa: E741
    sensitive: str | None = None
    strict: bool = True

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    def judge(self, groups: Groups) -> BoolArray:
        first, rare = self._first_and_rare(self.hidden(groups), groups.sizes)
        # Counts below 2^31 times the terms of c: 64 bits are enough for terms below 2^32.
        return is_within(first, self.c, rare, strict=self.strict)

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Count what a group must lose of its most frequent values.

        What finer groups keep of it keeps the promise together, because merging is safe.
        """
        hidden = self.hidden(groups)
        p, q = self.c.as_integer_ratio()
        if max(p, q) >= _WIDEST:
            return np.zeros(len(groups), np.int64)
        # More places than there are values leave nothing for the rest, as one more than these does.
        place = min(self.l, hidden.n_values + 1)
        return trim_to_ratio(hidden.indptr, hidden.counts, place, p, q, self.strict)

    def level(self, groups: Groups) -> FloatArray:
        """Give the c at which each group fails, or just holds if equality is allowed."""
        first, rare = self._first_and_rare(self.hidden(groups), groups.sizes)
        with np.errstate(divide="ignore"):
            reached: FloatArray = first / rare
        return reached

    def witness(self, groups: Groups, at: int) -> str:
        first, rare = self._first_and_rare(self.hidden(groups), groups.sizes)
        return (
            f"the most frequent value has {int(first[at])} records, those from place {self.l} on "
            f"have {int(rare[at])} ({self.describe(groups, at)}), and it may have "
            f"{'less than' if self.strict else 'at most'} {float(self.c):g} times as many"
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """Something must be left from place l on, and the first is not much more than all others.

        From place 2 on there are at most n - f records, so f <= c (n - f), and f / n is at most
        c / (1 + c).
        """
        distinct = DistinctLDiversity(self.l, sensitive=self.sensitive)
        if self.l < 2:
            return (distinct,)
        return distinct, FrequencyLDiversity((1 + self.c) / self.c, sensitive=self.sensitive)

    def owner_ceiling(self) -> Fraction:
        return Fraction(1, self.l)

    def share_ceiling(self, goal: SensitiveGoal) -> Fraction:
        return self.c / (1 + self.c)

    def background_ceiling(
        self, goal: SensitiveGoal, negations: int, others: int, same: int
    ) -> Bound:
        """After l - 2 values are ruled out, the first and those from place l on are left."""
        is_stopped = others == same == 0 and negations <= max(self.l - 2, 0)
        return self.share_ceiling(goal) if is_stopped else None

    def weaker(self) -> RecursiveCLDiversity | None:
        return evolve(self, c=2 * self.c)

    def explain_failure(self, groups: Groups) -> str:
        whole = self.hidden(groups).merge(np.zeros(len(groups), np.int32), 1)
        n_values, n = int(whole.distinct[0]), groups.n_records
        if n_values < self.l:
            return (
                f"{self.column!r} has {n_values} different values in all {n} records, and every "
                f"group needs {self.l}: ask for l of at most {n_values}"
            )
        first, rare = (int(x[0]) for x in self._first_and_rare(whole, np.array([n])))
        more = "more than" if self.strict else "at least"
        return (
            f"the most frequent value of {self.column!r} has {first} of {n} records and those from "
            f"place {self.l} on have {rare}, which some group never does better than: ask for c of "
            f"{more} {_above(first, rare)}, or for a smaller l"
        )

    def _first_and_rare(
        self, hidden: Histogram, sizes: CountArray
    ) -> tuple[CountArray, CountArray]:
        """Count the records of the most frequent value, and of all from the l-th on."""
        before = min(self.l - 1, hidden.n_values)
        first = sum_largest(hidden.indptr, hidden.counts, 1)
        return first, sizes - sum_largest(hidden.indptr, hidden.counts, before)


def _above(part: int, whole: int) -> float:
    """Round the ratio up to three places."""
    return -(-1000 * part // whole) / 1000
