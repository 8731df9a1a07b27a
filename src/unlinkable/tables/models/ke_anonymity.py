"""(k,e)-anonymity: every group hides k different numbers that are far apart.

Where the sensitive values are numbers, different is not enough: an adversary who knows that a
salary is one of 30,000, 30,001 and 30,002 knows the salary. So the values of a group must also span
a range [1]_.

References
----------
.. [1] Q. Zhang, N. Koudas, D. Srivastava, T. Yu. "Aggregate query answering on anonymized tables."
   ICDE 2007. Section 2.2.7 in the book of Fung, Wang, Fu and Yu (2010).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from unlinkable.params import at_least, exact
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.models.base.joint import Joint
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.distinct_l_diversity import DistinctLDiversity
from unlinkable.tables.models.shared.sensitive_model import NumericModel
from unlinkable.tables.taxonomies import rounded_down
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["KEAnonymity"]


@frozen
class KEAnonymity(NumericModel, Joint):
    r"""Every group has at least ``k`` different sensitive numbers, over a range of ``e``.

    For every combination :math:`q` that occurs, with :math:`S_q` the sensitive numbers of its
    group: :math:`|S_q| \ge k` and :math:`\max S_q - \min S_q \ge e`. Both bounds are met by
    equality, and decided exactly, on the decimals that were written. A missing value counts as one
    of the k values and adds nothing to the range.

    Parameters
    ----------
    k
        The least number of different values.
    e
        The least distance of the smallest from the largest value, in the unit of the column; in
        days if it holds dates.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.

    Guarantees
    ----------
    From the release alone, a victim's number is known no better than to a range of e, and every
    group has at least k records. It does not bound how sure one may be of a narrower range: of ten
    salaries, nine may lie from 30 to 35 and one at 80. Epsilon-m-anonymity bounds that.

    Merging
    -------
    Absorbs: a union has all values of its parts, and a range that covers theirs.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"job": ["cook", "cook", "cook"], "salary": [30, 31, 80]},
    ...     quasi="job", sensitive="salary")
    >>> promise = KEAnonymity(3, 50, sensitive="salary")
    >>> verdict = promise.verdict(count(staff, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'e': 50.0, 'k': 3})
    """

    name: ClassVar[str] = "ke-anonymity"
    reference: ClassVar[str] = "Zhang, Koudas, Srivastava and Yu 2007"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "People who look alike have at least {k} different numbers {of}, over a range of at least "
        "{e}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It says nothing about where most of the numbers lie: nearly all may be close together.",
        "An adversary who can rule out the largest or the smallest number is left with a narrower "
        "range.",
    )
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "e"

    k: int = field(validator=at_least(1))
    e: Fraction = field(converter=exact, validator=at_least(0))
    sensitive: str | None = field(default=None, kw_only=True)

    @property
    def parts(self) -> Mapping[str, GroupModel]:
        return {
            "e": _Range(self.e, self.sensitive),
            "k": DistinctLDiversity(self.k, sensitive=self.sensitive),
        }

    def consequences(self) -> tuple[GroupModel, ...]:
        """Give both parts. A range has two ends, which are different values."""
        least = max(self.k, 2) if self.e else self.k
        return self.parts["e"], DistinctLDiversity(least, sensitive=self.sensitive)

    def covers(self, other: GroupModel) -> bool:
        """Whether it asks for as many values of the same column, and for as wide a range."""
        if not isinstance(other, KEAnonymity) or self.sensitive != other.sensitive:
            return False
        return self.k >= other.k and self.e >= other.e

    def owner_ceiling(self) -> Fraction:
        return Fraction(1, self.k)

    def weaker(self) -> KEAnonymity | None:
        return evolve(self, e=self.e * Fraction(4, 5)) if self.e else None

    def explain_failure(self, groups: Groups) -> str:
        together = Partition.whole(groups).groups()
        span, n = (float(part.level(together)[0]) for part in self.parts.values())
        return (
            f"{self.column!r} has {int(n)} different values over a range of "
            f"{self.amount(groups, span)} in all {groups.n_records} records, and every group needs "
            f"{self.k} over {self.amount(groups, float(self.e))}: ask for k of at most {int(n)} "
            f"and e of at most {rounded_down(span)}"
        )


@frozen
class _Range(NumericModel):
    """The numbers of every group span a range of at least ``e``."""

    name: ClassVar[str] = KEAnonymity.name
    reference: ClassVar[str] = KEAnonymity.reference
    threats: ClassVar[Threat] = Threat.ATTRIBUTE
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "e"

    e: Fraction
    sensitive: str | None = None

    @property
    def merging(self) -> Merging:
        return Merging.ABSORBS

    def judge(self, groups: Groups) -> BoolArray:
        scale = self.scale(groups)
        return np.asarray(self._spans(groups) >= math.ceil(self.e * scale.parts), bool)

    def level(self, groups: Groups) -> FloatArray:
        """Give the distance of the smallest from the largest number of each group."""
        return self.scale(groups).floats(self._spans(groups))

    def witness(self, groups: Groups, at: int) -> str:
        domain, (first, last) = self.domain(groups), self._ends(groups)
        ends = [domain.text(int(codes[at])) or "missing" for codes in (first, last)]
        span = self.amount(groups, float(self.level(groups)[at]))
        return (
            f"{self.column} from {ends[0]} to {ends[1]}, a range of {span}, and it must be at "
            f"least {self.amount(groups, float(self.e))}"
        )

    def _spans(self, groups: Groups) -> NDArray[Any]:
        """Measure the range of each group in steps; 0 for a group without numbers."""
        steps = np.append(self.scale(groups).steps, 0)
        first, last = self._ends(groups)
        spans: NDArray[Any] = steps[last] - steps[first]
        return spans

    def _ends(self, groups: Groups) -> tuple[CountArray, CountArray]:
        """Find the codes of the smallest and the largest number of each group."""
        hidden, n_present = self.hidden(groups), self.domain(groups).n_present
        is_number = hidden.values < n_present
        last = hidden.reduce(np.maximum, np.where(is_number, hidden.values, -1))
        # Codes rise within a group: the first one is the smallest, and missing if all are.
        first = hidden.reduce(np.minimum, hidden.values.astype(np.int64))
        return first, np.where(last < 0, first, last)
