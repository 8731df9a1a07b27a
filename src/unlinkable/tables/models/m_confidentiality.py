"""m-confidentiality: who knows that nothing is generalized without need learns nothing from that.

An algorithm that generalizes as little as it can gives something away by generalizing at all. Two
engineers and five lawyers are published as seven professionals, two of them with HIV. Had the two
been lawyers, or one of them an engineer, no job would have had too high a share, and nothing would
have been generalized: so both engineers have HIV. That is the minimality attack [1]_, [2]_.

References
----------
.. [1] R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei. "Minimality attack in privacy preserving data
   publishing." VLDB 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.5.1.
.. [3] K. Joag-Dev, F. Proschan. "Negative association of random variables, with applications."
   Annals of Statistics 11(1), 1983.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.kernels.worlds import greatest_credibilities
from unlinkable.params import at_least, exact, is_share
from unlinkable.release import Basis
from unlinkable.release.attacks import Threat
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.ceilings import Bound, SensitiveGoal
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.frequency_l_diversity import FrequencyLDiversity
from unlinkable.tables.models.shared.exact_worlds import credibility
from unlinkable.tables.models.shared.known_columns import is_about_all_of
from unlinkable.tables.models.shared.largest_posterior import LargestPosterior
from unlinkable.tables.models.shared.listed_values import as_texts, mark
from unlinkable.tables.models.shared.original_values_model import OriginalValuesModel
from unlinkable.typing import BoolArray, Columns, CountArray, FloatArray, ValueText

__all__ = ["MConfidentiality"]

_LARGEST = 1000
"""Groups of more people are not counted: there are more worlds than a float can be."""


@frozen
class MConfidentiality(OriginalValuesModel):
    r"""Who knows that groups are merged only where a share was too high is sure by one in ``m``.

    A group is made of the parts of people who were alike before it was generalized, :math:`n_i` in
    part :math:`i`, and :math:`j` of all have a value. A world says how many of each part have it,
    :math:`j_1 + \dots + j_u = j`, and weighs :math:`\prod_i \binom{n_i}{j_i}`. Those are possible
    in which merging was needed: :math:`j_i > h\,n_i` for some part. For every part:
    :math:`E(j_i)/n_i \le 1/m` over the possible worlds. If there are none, the group was merged for
    another reason, and if it has one part, it was not merged: then :math:`j/n \le 1/m`. The bound
    is met by equality, and decided exactly.

    Parameters
    ----------
    m
        The inverse of the largest chance; any number from 1 on.
    h
        The largest share of a value that the publisher was known to allow, above 0 and at most 1.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    values
        The values that nobody may be linked to; all if not given.

    Guarantees
    ----------
    An adversary who knows the original quasi-identifying values of everybody, the bound h, and that
    only groups that break it were merged, links nobody to a guarded value with a chance of more
    than 1/m. Every value is taken by itself: that a group was merged because of it. It says nothing
    about who knows more of the algorithm, such as the order of its steps. Groups of more than 1,000
    records with parts of different sizes are not counted: a bound from above decides, and if it is
    too high, the group is not shown to be good, and counts as bad. So does a group whose chance is
    so close to 1/m that floats cannot tell, and that is too large to compute it as a fraction.
    Without the original values, every group is taken for one part, and all that is judged are
    shares.

    Merging
    -------
    Unsafe: two people of whom one has HIV, and four of whom one has it, keep it for m = 2 and
    h = 1/2. Merged, the only world in which that was needed is that in which the first two have it.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.models.base import BindingContext
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"job": ["engineer"] * 2 + ["lawyer"] * 5,
    ...     "ill": ["hiv"] * 2 + ["flu"] * 5}, quasi="job", sensitive="ill")
    >>> promise = MConfidentiality(2, h=0.6, values="hiv")
    >>> (promise,) = promise.bind(BindingContext.of(staff.schema))
    >>> jobs = count(staff, promise.needs()).finest
    >>> professionals = jobs.merge(np.zeros(2, np.int32), 1, ("job",), jobs.keys[:1])
    >>> promise.level(professionals).tolist(), professionals.n_records
    ([1.0], 7)
    """

    name: ClassVar[str] = "m-confidentiality"
    reference: ClassVar[str] = "Wong, Fu, Wang and Pei 2007"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "Even somebody who knows how the method decides is sure of a value {of} with a chance of "
        "at most one in {m}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It is about one requirement: an adversary who knows more of how the method works may "
        "conclude more.",
        "It does not hide who is in a group, or that somebody is in the data.",
    )
    parameter: ClassVar[str] = "m"

    m: Fraction = field(converter=exact, validator=at_least(1))
    h: Fraction = field(converter=exact, validator=is_share, kw_only=True)
    sensitive: str | None = field(default=None, kw_only=True)
    values: tuple[ValueText, ...] | None = field(default=None, converter=as_texts, kw_only=True)
    _quasi: Columns | None = field(default=None, kw_only=True, eq=False, repr=False)

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    def needs(self) -> frozenset[Columns]:
        return frozenset({self.quasi, (self.column,)})

    def judge(self, groups: Groups) -> BoolArray:
        def exactly(entry: int) -> Fraction | None:
            at = chances.hidden.row[entry]
            part = tuple(sorted(parts.counts[parts.indptr[at] : parts.indptr[at + 1]].tolist()))
            return credibility(part, self.h, int(chances.hidden.counts[entry]))

        chances, parts = self._chances(groups), self.counted(groups, self.quasi)
        return chances.within(groups, 1 / self.m, exactly)

    def level(self, groups: Groups) -> FloatArray:
        """Give the inverse of the greatest chance in each group; infinite if there is none."""
        with np.errstate(divide="ignore"):
            return 1 / self._chances(groups).greatest

    def basis(self, groups: Groups) -> Basis:
        """Whether all worlds of all groups were counted, or a bound on chances was found."""
        all_counted = bool(self._chances(groups).is_counted.all())
        return Basis.COUNTED if all_counted else Basis.SUFFICIENT

    def reading(self, groups: Groups) -> str:
        if (self.counted(groups, self.quasi).distinct <= 1).all():
            return (
                "shares alone: every group shows one combination of original values, so nothing "
                "was merged, or the original values are not at hand"
            )
        return "every value by itself: groups are taken to be merged because of it"

    def witness(self, groups: Groups, at: int) -> str:
        chances = self._chances(groups.select(np.arange(len(groups)) == at))
        entry = int(np.argmax(chances.chance))
        allowed = f"at most {float(1 / self.m):.4g} is allowed"
        if not chances.chance[entry]:
            return f"nobody has a guarded value, and {allowed}"
        value = chances.hidden.text(int(chances.hidden.values[entry])) or "no value"
        at_most = "" if chances.is_counted[entry] else "at most "
        n, share = int(groups.sizes[at]), chances.hidden.counts[entry] / groups.sizes[at]
        if np.isclose(chances.chance[entry], share):
            return (
                f"{int(chances.hidden.counts[entry])} of {quantity(n, 'record')} have {value}, a "
                f"chance of {share:.4g} for each, and {allowed}"
            )
        return (
            f"{int(chances.hidden.counts[entry])} of {int(groups.sizes[at])} records have {value}; "
            f"if they were merged because more than {float(self.h):.4g} of some who were alike had "
            f"it, each of {int(chances.who[entry])} who were has it with a chance of "
            f"{at_most}{chances.chance[entry]:.4g}, and {allowed}"
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """The mean chance of a value in a group is its share, and no chance is above 1/m."""
        if self.values is not None:
            return ()
        return (FrequencyLDiversity(self.m, sensitive=self.sensitive),)

    def covers(self, other: GroupModel) -> bool:
        """Whether it asks for as much of all values of another, with the same bound on shares."""
        return (
            isinstance(other, MConfidentiality)
            and self.m >= other.m
            and is_about_all_of(self.values, other.values)
            and evolve(self, m=other.m, values=other.values) == other
        )

    def minimality_ceiling(self, goal: SensitiveGoal) -> Bound:
        """Bound the chance of a value if groups are taken to be merged because they had to be.

        Values are dealt out in each group by itself. If merging was needed somewhere, the chance of
        a value in a group is a mean of what it is if it was needed there and of its share, and
        neither is above 1/m. That is so for one value, and if the adversary takes the same share h
        for what is allowed as the promise does.
        """
        if len(goal.values or ()) != 1 or not goal.published:
            return None
        (value,) = goal.values or ()
        is_known = all(promise.is_share_bound(value, self.h, goal) for promise in goal.published)
        return 1 / self.m if is_known else None

    def is_share_bound(self, value: ValueText, h: Fraction, goal: SensitiveGoal) -> bool:
        return self.values == (value,) and self.m * h == 1

    def weaker(self) -> MConfidentiality | None:
        less = self.m - Fraction(1, 2)
        return evolve(self, m=less) if less > 1 else None

    def explain_failure(self, groups: Groups) -> str:
        reached = float(np.min(self.level(groups), initial=np.inf))
        return (
            f"all {groups.n_records} records in one group reach m = {reached:.4g}. Ask for less, "
            "or distort values instead of merging groups, so that merging tells nothing"
        )

    def _chances(self, groups: Groups) -> LargestPosterior:
        hidden, parts = self.hidden(groups), self.counted(groups, self.quasi)
        asked = mark(hidden, self.values)[hidden.values]
        caps = _floors(parts.counts, self.h)
        chance, who, is_counted = greatest_credibilities(
            parts.indptr, parts.counts, caps, hidden.indptr, hidden.counts, asked, _LARGEST
        )
        most, least = parts.reduce(np.maximum, parts.counts), parts.reduce(np.minimum, parts.counts)
        return LargestPosterior(hidden, chance, who, (most == least)[hidden.row], is_counted)


def _floors(sizes: CountArray, h: Fraction) -> CountArray:
    """Give h times each size, rounded down."""
    p, q = h.as_integer_ratio()
    if int(sizes.max(initial=0)) * p >= 1 << 63 or q >= 1 << 63:
        return (sizes.astype(object) * p // q).astype(np.int64)
    floors: CountArray = sizes * p // q
    return floors
