"""r-robustness: who knows how likely diseases are for men and women still links nobody to one.

A group of a man and a woman hides a lung cancer and a flu. Statistics say that one man in ten, and
three women in a thousand, have lung cancer. Then it is the man's, with a chance of 97 %.
r-robustness bounds the belief of an adversary who weighs all possible worlds by such a prior [1]_.

References
----------
.. [1] R. C.-W. Wong, A. W.-C. Fu, K. Wang, Y. Xu, J. Pei, P. S. Yu. "Probabilistic inference
   protection on anonymized data." ICDM 2010. Definition 3; equations (1) to (3).
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.params import Choice
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.ceilings import Bound
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.verdict import Basis
from unlinkable.tables.models.frequency_l_diversity import FrequencyLDiversity
from unlinkable.tables.models.shared.possible_worlds import Worlds
from unlinkable.tables.models.shared.prior_model import PriorModel
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["RRobustness", "Reading"]


class Reading(Choice):
    """What an adversary makes of a prior."""

    VALUE = "value"
    """The adversary takes every value by itself, against all others."""
    JOINT = "joint"
    """The adversary weighs all values of a group at once."""


@frozen
class RRobustness(PriorModel):
    r"""Who knows a prior links nobody to a value with a chance of more than one in ``r``.

    A possible world :math:`w` hands the values of a group to its people. With the prior
    :math:`p(s_j : x)` of somebody with the signature :math:`s_j`, it weighs :math:`p(w) = \prod_j
    p(s_j : w_j)`. For every person :math:`t` and every value :math:`x`: :math:`p(t : x) = \sum_{w:
    w_t = x} p(w) / \sum_w p(w) \le 1/r`. The bound is met by equality, and decided exactly.

    Parameters
    ----------
    r
        The inverse of the largest chance; any number from 1 on.
    prior
        The side table that says how likely a value is for whom, or several, each of which some
        adversary has. Its columns: one or more columns of the table, ``value``, and ``p``.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    values
        The values that nobody may be linked to; all if not given.
    reading
        ``value``: every value by itself against all others, so that p need be known of the guarded
        values only. ``joint``: all values of a group at once; then p must be given for all values,
        and add up to 1.

    Guarantees
    ----------
    An adversary who knows who is in a group, what they show on the columns of the prior, and the
    prior, links nobody to a guarded value with a chance of more than 1/r, if they reason as above.
    It bounds the posterior belief, not the change from the prior. It says nothing about other
    priors. The reading of one value at a time does not bound what somebody believes who weighs all
    values at once. In that other reading, groups with more than 262,144 states (counts of the
    values handed out) are not counted: a bound from above decides, and if it is too high, the group
    is not shown to be good, and counts as bad. So does a group whose chance is so close to 1/r that
    floats cannot tell, and that is too large to compute it as a fraction. If everybody of a group
    is equally likely to have a value, everybody is afterwards; taken one at a time, also a value
    that was held for impossible or certain. Any other prior that the table contradicts is refused.

    Merging
    -------
    Unsafe: two men, one with lung cancer, are 2-robust, and so are two women, one with lung cancer.
    Of all four together, the two who have it are the men, with a chance of 95 % each. The same
    shows that splitting a group can mend it.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.models.base import BindingContext
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.data.side import Side
    >>> ward = as_table({"ward": ["A", "A"], "sex": ["m", "f"], "ill": ["cancer", "flu"]},
    ...     quasi="ward", sensitive="ill", insensitive="sex")
    >>> us = {"sex": ["m", "f"], "value": ["cancer", "cancer"], "p": [0.1, 0.003]}
    >>> context = BindingContext(quasi=("ward",), sensitive=("ill",), side=Side.of({"us": us}))
    >>> (promise,) = RRobustness(2, prior="us", values="cancer").bind(context)
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, round(verdict.level, 3)
    (False, 1.027)
    >>> print(verdict.why)
    whoever shows sex m has cancer with a chance of 0.9736 (1 of 2 records have it, and 0.1 was
    believed), and at most 0.5 is allowed
    """

    name: ClassVar[str] = "r-robustness"
    reference: ClassVar[str] = "Wong et al. 2010"
    in_words: ClassVar[str] = (
        "Whoever knows the given statistics is sure of a value {of} with a chance of at most one "
        "in {r}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It is about the statistics that were given: an adversary with better ones believes more.",
        "It assumes that people have their values independently of each other: it says nothing "
        "about families.",
    )

    taken: Reading = field(default=Reading.VALUE, converter=Reading, kw_only=True, alias="reading")

    @property
    def needs_all(self) -> bool:
        return self.taken is Reading.JOINT

    def judge(self, groups: Groups) -> BoolArray:
        good = np.ones(len(groups), bool)
        for worlds in self._worlds(groups):
            good &= worlds.chances.within(groups, 1 / self.r, worlds.exactly)
        return good

    def level(self, groups: Groups) -> FloatArray:
        """Give the inverse of the greatest chance in each group; infinite if there is none."""
        greatest = np.zeros(len(groups))
        for worlds in self._worlds(groups):
            np.maximum(greatest, worlds.chances.greatest, out=greatest)
        with np.errstate(divide="ignore"):
            return 1 / greatest

    def basis(self, groups: Groups) -> Basis:
        """Whether all worlds of all groups were counted, or a bound on chances was found."""
        return Basis.SUFFICIENT if self._n_bounded(groups) else Basis.COUNTED

    def reading(self, groups: Groups) -> str:
        if self.taken is Reading.VALUE:
            return (
                "every value by itself against all others; who weighs all values of a group at "
                "once may believe more"
            )
        n = self._n_bounded(groups)
        how = f"; {n} of {len(groups)} groups judged by a bound on chances" if n else ""
        return f"all values of a group at once{how}"

    def witness(self, groups: Groups, at: int) -> str:
        mask = np.arange(len(groups)) == at
        worlds = max(self._worlds(groups.select(mask)), key=lambda w: w.chances.greatest[0])
        allowed = f"at most {float(1 / self.r):.4g} is allowed"
        words = worlds.describe()
        return f"{words}, and {allowed}" if words else f"nobody has a guarded value, and {allowed}"

    def consequences(self) -> tuple[GroupModel, ...]:
        """The mean chance of a value in a group is its share, and no chance is above 1/r."""
        if self.values is not None:
            return ()
        return (FrequencyLDiversity(self.r, sensitive=self.sensitive),)

    def prior_ceiling(self, prior: str, *, joint: bool) -> Bound:
        is_same = prior in self.prior and joint == (self.taken is Reading.JOINT)
        return 1 / self.r if is_same else None

    def weaker(self) -> RRobustness | None:
        less = self.r - Fraction(1, 2)
        return evolve(self, r=less) if less > 1 else None

    def _worlds(self, groups: Groups) -> list[Worlds]:
        hidden, asked = self.hidden(groups), self.guarded(groups)
        make = Worlds.by_value if self.taken is Reading.VALUE else Worlds.jointly
        return [make(seen, hidden, beliefs, asked) for seen, beliefs in self.believed(groups)]

    def _n_bounded(self, groups: Groups) -> int:
        if self.taken is Reading.VALUE:
            return 0
        bounded = np.zeros(len(groups), bool)
        for worlds in self._worlds(groups):
            bounded[worlds.chances.hidden.row[~worlds.chances.is_counted]] = True
        return int(bounded.sum())
