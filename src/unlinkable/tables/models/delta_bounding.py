"""Delta bounding: beliefs in a value that are close enough beforehand stay low afterwards.

What somebody believes who weighs all possible worlds is costly to compute. If every value occurs
once in a group, and what was believed of its people differs by little, it is known without
computing it that nobody is linked to a value [1]_.

References
----------
.. [1] R. C.-W. Wong, A. W.-C. Fu, K. Wang, Y. Xu, J. Pei, P. S. Yu. "Probabilistic inference
   protection on anonymized data." ICDM 2010. Definitions 7 and 8, Theorems 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, frozen

from unlinkable.kernels.worlds import extremes
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.ceilings import Bound
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.verdict import Basis
from unlinkable.tables.models.r_robustness import Reading, RRobustness
from unlinkable.tables.models.shared.listed_values import mark
from unlinkable.tables.models.shared.prior_model import PriorModel
from unlinkable.tables.models.shared.prior_spread import PriorSpread, delta_ceil
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["DeltaBounding", "delta_ceil"]


@frozen
class DeltaBounding(PriorModel):
    r"""Every value occurs once in a group, and what is believed of its people is close together.

    For every group of :math:`N \ge r` people and each of its values :math:`x`, with :math:`f_v` how
    likely person :math:`v` has it beforehand, and :math:`f` the greatest of these:
    :math:`f - \min_v f_v \le (N - r) f / (f (r - 1) / (1 - f) + N - 1)`. That is the same as
    :math:`r \le 1 + (N - 1)\,o_{\min} / o_{\max}` for odds :math:`o = f / (1 - f)`. The bound is
    met by equality, and decided exactly.

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
        The values that nobody may be linked to; all if not given. Other values may occur often.

    Guarantees
    ----------
    r-robustness, in the reading of one value at a time: the condition is sufficient, and for the
    worst group with these beliefs it is necessary. It does not bound what somebody believes who
    weighs all values of a group at once: with x, y and z once each, believed of one person with
    0.3, 0.18 and 0.18, and of two others with 0.18, 0.3 and 0.3, it holds for r = 2, and the first
    person has x with a chance of 58 %. No table with a guarded value in more than one of r records
    can keep it.

    Merging
    -------
    Unsafe: two groups with different values may merge, and two that both have the value x have it
    twice together.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.models.base import BindingContext
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.data.side import Side
    >>> ward = as_table({"ward": ["A"] * 3, "age": ["30s", "40s", "50s"],
    ...     "ill": ["cancer", "flu", "cold"]}, quasi="ward", sensitive="ill", insensitive="age")
    >>> us = {"age": ["30s", "40s", "50s"], "value": ["cancer"] * 3, "p": [0.08, 0.09, 0.1]}
    >>> context = BindingContext(quasi=("ward",), sensitive=("ill",), side=Side.of({"us": us}))
    >>> (promise,) = DeltaBounding(2, prior="us", values="cancer").bind(context)
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, round(verdict.level, 3), verdict.basis.value
    (True, 2.565, 'sufficient')
    """

    name: ClassVar[str] = "delta-bounding"
    reference: ClassVar[str] = "Wong et al. 2010"
    in_words: ClassVar[str] = (
        "Whoever knows the given statistics is sure of a value {of} with a chance of at most one "
        "in {r}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It is proved for one value against all others: an adversary who weighs all values at "
        "once may be surer.",
        "It is about the statistics that were given: an adversary with better ones believes more.",
    )

    def judge(self, groups: Groups) -> BoolArray:
        bad = np.zeros(len(groups), bool)
        for spread in self._spreads(groups):
            bad[spread.hidden.row[~spread.reaches(self.r)]] = True
        return ~bad

    def level(self, groups: Groups) -> FloatArray:
        """Give the largest r for which each group meets the condition; -inf if for none."""
        level = np.full(len(groups), np.inf)
        for spread in self._spreads(groups):
            np.minimum.at(level, spread.hidden.row, spread.levels)
        return level

    def basis(self, groups: Groups) -> Basis:
        return Basis.SUFFICIENT

    def reading(self, groups: Groups) -> str:
        return (
            "proved for one value against all others; who weighs all values of a group at once may "
            "believe more"
        )

    def witness(self, groups: Groups, at: int) -> str:
        spreads = list(self._spreads(groups.select(np.arange(len(groups)) == at)))
        spread = min(spreads, key=lambda s: float(np.min(s.levels, initial=np.inf)))
        return spread.describe(self.r)

    def consequences(self) -> tuple[GroupModel, ...]:
        """Theorem 1: nobody has a value with a chance of more than 1/r, one value at a time."""
        return (
            RRobustness(
                self.r,
                prior=self.prior,
                sensitive=self.sensitive,
                values=self.values,
                reading=Reading.VALUE,
                priors=self._priors,
                beliefs=self._beliefs,
            ),
        )

    def prior_ceiling(self, prior: str, *, joint: bool) -> Bound:
        """The condition takes a value at a time."""
        return 1 / self.r if prior in self.prior and not joint else None

    def weaker(self) -> DeltaBounding | None:
        less = self.r - Fraction(1, 2)
        return evolve(self, r=less) if less > 1 else None

    def explain_failure(self, groups: Groups) -> str:
        hidden, n = self.hidden(groups), groups.n_records
        peak = int(hidden.total[mark(hidden, self.values)].max(initial=0))
        plain = (
            f"one of the guarded values has {peak} of all {n} records, and a group of at least "
            f"{float(self.r):g} records may have it once"
        )
        if peak * self.r > n:
            return f"{plain}: leave records out, or ask for r of at most {n / peak:.4g}"
        return f"{plain}: form groups of people who are about as likely to have a value"

    def _spreads(self, groups: Groups) -> Iterator[PriorSpread]:
        hidden, asked = self.hidden(groups), self.guarded(groups)
        for seen, beliefs in self.believed(groups):
            rows = beliefs.row[seen.values]
            places = np.where(asked, beliefs.place[hidden.values], np.int32(-1))
            shares = beliefs.prior.shares
            most, least = extremes(seen.indptr, rows, hidden.indptr, places, shares)
            sizes = groups.sizes[hidden.row]
            yield PriorSpread(hidden, beliefs.prior, sizes, places, most, least)
