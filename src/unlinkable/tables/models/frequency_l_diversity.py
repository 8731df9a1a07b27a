"""Frequency l-diversity: no value has more than 1/l of a group.

Distinct values say little if one of them is nearly everybody's, and entropy bounds how sure one may
be in the mean only. The simplest form of l-diversity that bounds it for every value asks for it
directly [1]_.

References
----------
.. [1] R. C.-W. Wong, A. W.-C. Fu, K. Wang, Y. Xu, J. Pei, P. S. Yu. "Probabilistic inference
   protection on anonymized data." ICDM 2010. Section I.
.. [2] X. Xiao, Y. Tao. "Anatomy: simple and effective privacy preservation." VLDB 2006.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.params import at_least, exact
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.ceilings import SensitiveGoal
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.distinct_l_diversity import DistinctLDiversity
from unlinkable.tables.models.shared.gaps import VALUES_RULED_OUT
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.tables.models.shared.share_model import ShareModel
from unlinkable.typing import Columns, FloatArray

__all__ = ["FrequencyLDiversity"]


@frozen
class FrequencyLDiversity(ShareModel, SensitiveModel):
    r"""No sensitive value is that of more than one in ``l`` records of any group.

    For every combination :math:`q` that occurs and every value :math:`s`: :math:`|T[q, s]| \le
    |T[q]| / l`. A missing value is a value of its own. The bound is met by equality, and decided
    exactly.

    Parameters
    ----------
    l
        One in how many records may have the same value; any number from 1 on.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.

    Guarantees
    ----------
    From the release alone, nobody is surer of a victim's value than 1/l. It says nothing of those
    who know more: who can rule out a value, or knows how likely it is for people like the victim,
    may become surer.

    Merging
    -------
    Safe: the share of a value in a union is a weighted mean of its shares in the parts, hence at
    most 1/l. It does not absorb: {1, 1} is 2-diverse, and with one more record of the first value,
    {2, 1}, it is not.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "f", "f"], "ill": ["flu", "hiv", "hiv", "cold"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = FrequencyLDiversity(2, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'l': 2.0})
    """

    name: ClassVar[str] = "frequency-l-diversity"
    reference: ClassVar[str] = "Wong et al. 2010; Xiao and Tao 2006"
    threats: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Of people who look alike, at most one in {l} has the same value {of}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        VALUES_RULED_OUT,
        "An adversary who knows how likely a value is for people like the victim may be much "
        "surer.",
    )
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "l"
    higher_is_safer: ClassVar[bool] = True

    l: Fraction = field(converter=exact, validator=at_least(1))  # noqa: E741
    sensitive: str | None = field(default=None, kw_only=True)

    @property
    def most(self) -> Fraction:
        return 1 / self.l

    @property
    def counted(self) -> Columns:
        return () if self.sensitive is None else (self.sensitive,)

    @property
    def least_size(self) -> int:
        return math.ceil(self.l)

    def level(self, groups: Groups) -> FloatArray:
        """Give one in how many records of each group have its most frequent value."""
        return groups.sizes / np.maximum(self.peaks(groups), 1)

    def consequences(self) -> tuple[GroupModel, ...]:
        """A share of at most 1/l each leaves room for at least l values."""
        distinct = DistinctLDiversity(math.ceil(self.l), sensitive=self.sensitive)
        return (*super().consequences(), distinct)

    def owner_ceiling(self) -> Fraction:
        return self.most

    def share_ceiling(self, goal: SensitiveGoal) -> Fraction:
        return self.most

    def weaker(self) -> FrequencyLDiversity | None:
        less = self.l - Fraction(1, 2)
        return evolve(self, l=less) if less > 1 else None

    def explain_failure(self, groups: Groups) -> str:
        n, peak = groups.n_records, int(self.hidden(groups).total.max(initial=0))
        best = 1000 * n // max(peak, 1) / 1000
        return (
            f"the most frequent value of {self.column!r} has {peak} of all {n} records, and some "
            f"group never does better than the whole: ask for l of at most {best:g}"
        )
