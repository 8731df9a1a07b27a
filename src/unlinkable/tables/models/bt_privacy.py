"""(B,t)-privacy: a release changes what an informed adversary believes of anybody by little.

An adversary who knows how diseases go with age and sex in general believes something of everybody
before they see a release. (B,t)-privacy estimates that belief from the table, from the records near
by, and bounds how far it is from what they believe afterwards [1]_, [2]_. The smaller the bandwidth
B, the more they know: from the distribution of the whole table, where B is large (then it is
t-closeness), to that of the nearest records only. Several pairs (B,t) form a skyline.

References
----------
.. [1] T. Li, N. Li, J. Zhang. "Modeling and integrating background knowledge in data
   anonymization." ICDE 2009.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.5.3.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen
from attrs.converters import optional as if_given
from attrs.validators import optional

from unlinkable.errors import ParameterError
from unlinkable.params import at_least, at_most, exact, positive
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.base.verdict import Verdict
from unlinkable.tables.models.shared.belief_distance import (
    BeliefDistance,
    belief_changes,
    measure_change,
)
from unlinkable.tables.models.shared.kernel_regression import KernelPrior
from unlinkable.tables.models.shared.original_values_model import (
    OriginalValuesModel,
    shows_originals,
)
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = ["BTPrivacy"]

_CLOSE = 1e-9
"""Beliefs are floats: a distance that is this little above the bound meets it."""


@frozen
class BTPrivacy(OriginalValuesModel):
    r"""What is believed of anybody before and after the release is at most ``t`` apart.

    Before, an adversary believes of somebody with the original values :math:`q` what is true of the
    records near by, :math:`P(s|q) = \sum_j K(q, q_j) [s_j = s] / \sum_j K(q, q_j)`, where
    :math:`K` is the product over all columns of :math:`\max(0, 1 - (d/b)^2)`. After, for somebody
    in a group with :math:`n_s` records of each value, :math:`P'(s|q) \propto n_s P(s|q) / \sum_j
    P(s|q_j)`, the sum over all records of the group. For every record: the distance of :math:`P`
    and :math:`P'` is at most :math:`t`.

    The distance :math:`d` of numbers and dates is out of their range, that of categories the height
    of their least common node out of the height of the root. A missing value is 1 away from all
    others. Beliefs are floats: a distance of up to 1e-9 above t meets it.

    Parameters
    ----------
    b
        The bandwidth: how far others may be who tell something about a person, out of 1. Above 1
        everybody does.
    t
        How far apart the beliefs may be, from 0 to 1.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    distance
        How far apart two beliefs are: ``equal``, ``ordered`` or ``hierarchical``, the work of
        turning one into the other as in t-closeness; or ``jensen-shannon``, the divergence that
        the paper uses, in bits.
    smoothing
        With ``jensen-shannon``: the bandwidth with which beliefs are first spread over values
        that are near to each other, so that similar diseases count as similar. Not at all if not
        given.

    Guarantees
    ----------
    An adversary whose knowledge corresponds to bandwidth b learns at most t about any person, if
    they reason as above. That is an estimate: exact reasoning over all ways to hand out the values
    of a group can lead further. It says nothing about adversaries who know more or less, so promise
    a few bandwidths together; small changes of b change little. It does not hide who is in the
    group.

    Merging
    -------
    Unsafe: what is believed of a person depends on who else is in the group. With b = 1, let two
    people be 30 (flu, hiv), one 31 (hiv) and three 33 (flu). What is believed of those aged 30
    moves by 0.154 if they are a group, and of those aged 33 by 0.156; if these five are one group,
    of somebody by 0.192. Suppressing records changes the prior beliefs, so the rest is judged
    again.

    Cost
    ----
    The belief beforehand takes a pass over all pairs of distinct people who are within reach of
    each other: it is estimated once for all groupings of a table. Judging is then linear.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.models.base import BindingContext
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "m", "m"], "ill": ["flu", "hiv", "flu", "flu"]},
    ...     quasi="sex", sensitive="ill")
    >>> (promise,) = BTPrivacy(2, 0.25, sensitive="ill").bind(BindingContext.of(ward.schema))
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, round(verdict.level, 3)
    (True, 0.214)
    """

    name: ClassVar[str] = "bt-privacy"
    reference: ClassVar[str] = "Li, Li and Zhang 2009"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "What somebody with background knowledge (bandwidth {b}) believes of anybody's value {of} "
        "changes by at most {t} through the release."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "What is believed after is an estimate: exact reasoning can lead further.",
        "Adversaries who know more, or less, than was assumed may learn more.",
    )
    parameter: ClassVar[str] = "t"
    higher_is_safer: ClassVar[bool] = False

    b: Fraction = field(converter=exact, validator=positive)
    t: Fraction = field(converter=exact, validator=(at_least(0), at_most(1)))
    sensitive: str | None = field(default=None, kw_only=True)
    distance: BeliefDistance = field(
        default=BeliefDistance.EQUAL, converter=BeliefDistance, kw_only=True
    )
    smoothing: Fraction | None = field(
        default=None, converter=if_given(exact), validator=optional(positive), kw_only=True
    )
    _quasi: Columns | None = field(default=None, kw_only=True, eq=False, repr=False)
    _kernel_prior: KernelPrior | None = field(default=None, kw_only=True, eq=False, repr=False)

    @smoothing.validator
    def _is_used(self, attribute: object, value: Fraction | None) -> None:
        if value is not None and self.distance is not BeliefDistance.JENSEN_SHANNON:
            raise ParameterError(
                f"smoothing is for the distance jensen-shannon, not for {self.distance}: leave it "
                "out"
            )

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    @property
    def relative(self) -> bool:
        return True

    def needs(self) -> frozenset[Columns]:
        return frozenset({(*self.quasi, self.column)})

    def prepared(self, finest: Groups) -> BTPrivacy:
        """Estimate once what is believed before."""
        return evolve(self, kernel_prior=self._prior_of(finest))

    def judge(self, groups: Groups) -> BoolArray:
        return self.level(groups) <= float(self.t) + _CLOSE

    def level(self, groups: Groups) -> FloatArray:
        """Give the largest distance of beliefs among the records of each group."""
        prior, level = self._prior_of(groups), np.zeros(len(groups))
        for change in belief_changes(prior, self._together(groups)):
            far = measure_change(change, prior, self.distance, self.smoothing)
            level[change.groups] = np.maximum.reduceat(far, change.starts)
        return level

    def verdict(self, groups: Groups) -> Verdict:
        return super(BTPrivacy, self.prepared(groups)).verdict(groups)

    def reading(self, groups: Groups) -> str:
        is_raw = shows_originals(self._together(groups), len(self.quasi))
        labels = "published values are taken for the original ones; " if is_raw else ""
        return (
            f"{labels}what is believed afterwards is estimated (Omega-estimate), not worked out "
            "over all ways to hand out the values of a group"
        )

    def witness(self, groups: Groups, at: int) -> str:
        prior = self._prior_of(groups)
        alone = groups.select(np.arange(len(groups)) == at)
        (change,) = belief_changes(prior, self._together(alone))
        far = measure_change(change, prior, self.distance, self.smoothing)
        person = int(np.argmax(far))
        gap = change.after[person] - change.before[person]
        value = int(np.argmax(np.abs(gap)))
        text = prior.parts[-1][0].domain.text(int(prior.codes[value])) or "missing"
        return (
            f"what is believed of one of {int(groups.sizes[at])} records moves by "
            f"{float(far[person]):.4g} ({text}: from {change.before[person, value]:.4g} to "
            f"{change.after[person, value]:.4g}), and at most {float(self.t):g} is allowed"
        )

    def weaker(self) -> BTPrivacy | None:
        more = self.t + Fraction(1, 20)
        return evolve(self, t=more) if more < 1 else None

    def _together(self, groups: Groups) -> Histogram:
        return self.counted(groups, (*self.quasi, self.column))

    def _prior_of(self, groups: Groups) -> KernelPrior:
        counted, whole = self._together(groups), groups.whole[(*self.quasi, self.column)]
        if self._kernel_prior is not None and self._kernel_prior.are_of(counted, whole):
            return self._kernel_prior
        return KernelPrior.of(counted, whole, self.b)
