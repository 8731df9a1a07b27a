"""(d,gamma)-privacy: nobody's record becomes much more, or much less, likely than it was.

An adversary believes beforehand, with some probability, that a victim's record is in the table. Of
records that they know little about, at most d, the release must neither make them too sure nor rule
a record out [1]_. The criterion is described in [2]_ without its formula; the formula here is that
of [1]_, taken for the record of a victim with a sensitive value.

References
----------
.. [1] V. Rastogi, D. Suciu, S. Hong. "The boundary between privacy and utility in data publishing."
   VLDB 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.params import exact, is_share
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.gaps import NO_GROUP_SIZE
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.tables.models.shared.value_prior import (
    ValuePrior,
    ValueProbabilities,
    read_probabilities,
)
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = ["DGammaPrivacy"]


@frozen
class DGammaPrivacy(SensitiveModel):
    r"""No value that was unlikely beforehand becomes likely for a victim, and none is ruled out.

    With :math:`P(r)` the prior belief that a victim has a value, and :math:`P(r|T)` the share of
    that value in the victim's group: for every value with :math:`P(r) \le d`,
    :math:`d/\gamma \le P(r|T)/P(r)` and :math:`P(r|T) \le \gamma`. Both bounds are met by equality,
    and decided exactly. A value that a group lacks has :math:`P(r|T) = 0` there, and breaks the
    first bound unless nobody believed in it.

    Parameters
    ----------
    d
        How sure the adversary may be beforehand, in (0, 1]. Values that they believe in more than
        that are not judged: the promise is for adversaries who do not know them yet.
    gamma
        How sure they may become, in (0, 1]. Given d, a level above 1 means that none would do.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    prior
        A side table with the columns ``value`` (empty for a missing value) and ``p``, what the
        adversary believes of everybody beforehand, for every value that occurs. If not given, they
        believe what the published table says of all records together.

    Guarantees
    ----------
    Nobody becomes more than gamma sure of a value that they believed in with at most d, and no such
    value becomes less than d/gamma times as likely. It holds for adversaries who take records for
    independent of each other. It says nothing about values that were likely beforehand, and useful
    tables keep it for small d only.

    Merging
    -------
    Safe: the share of a value in a union is a weighted mean of its shares in the parts, so it lies
    between bounds that hold for all parts; the prior stays the same. It does not absorb: with
    d = gamma = 1/2 a group {1, 1} of a table {2, 2} keeps it, and with the other record of the
    first value, {2, 1}, it does not. If the prior is that of the table, leaving records out
    changes it, so the rest is judged again.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "m", "m"], "ill": ["flu", "hiv", "flu", "hiv"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = DGammaPrivacy(0.5, 0.6, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'gamma': 0.5})
    """

    name: ClassVar[str] = "d-gamma-privacy"
    reference: ClassVar[str] = "Rastogi, Suciu and Hong 2007"
    threats: ClassVar[Threat] = Threat.TABLE | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "No value {of} that was unlikely beforehand (up to {d:%}) becomes likelier than {gamma:%} "
        "for anybody, and none is ruled out."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It says nothing about values that were likely beforehand.",
        "Adversaries who know how records hang together, such as families, are not stopped.",
        NO_GROUP_SIZE,
    )
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "gamma"
    higher_is_safer: ClassVar[bool] = False

    d: Fraction = field(converter=exact, validator=is_share)
    gamma: Fraction = field(converter=exact, validator=is_share)
    sensitive: str | None = field(default=None, kw_only=True)
    prior: str | None = field(default=None, kw_only=True)
    _probabilities: ValueProbabilities | None = field(
        default=None, kw_only=True, eq=False, repr=False
    )

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def relative(self) -> bool:
        return self.prior is None

    @property
    def sources(self) -> Columns:
        return () if self.prior is None else (self.prior,)

    def bind(self, context: BindingContext) -> tuple[Self, ...]:
        bound = super().bind(context)
        if self.prior is None:
            return bound
        probabilities = read_probabilities(context.side.open(self.prior))
        renew: Callable[..., Self] = evolve
        return tuple(renew(model, probabilities=probabilities) for model in bound)

    def judge(self, groups: Groups) -> BoolArray:
        prior, hidden = self._prior(groups), self.hidden(groups)
        at = np.flatnonzero(self._are_judged(prior)[hidden.values])
        row, weights = hidden.row[at], prior.weights[hidden.values[at]]
        counts = hidden.counts[at].astype(weights.dtype, copy=False)
        sizes = groups.sizes[row].astype(weights.dtype, copy=False)
        bad = ~is_within(counts, self.gamma, sizes)
        bad |= ~is_within(weights * sizes, self.gamma / self.d, counts * prior.total)
        broken = np.bincount(row[bad], minlength=len(groups)) > 0
        return ~broken & ~self._lack_some(groups, prior)

    def level(self, groups: Groups) -> FloatArray:
        """Give the least gamma that each group keeps; infinity if it lacks a value."""
        prior, hidden = self._prior(groups), self.hidden(groups)
        after = hidden.counts / groups.sizes[hidden.row]
        least = np.maximum(after, float(self.d) * prior.shares[hidden.values] / after)
        least[~self._are_judged(prior)[hidden.values]] = 0.0
        level = np.zeros(len(groups))
        np.maximum.at(level, hidden.row, least)
        return np.where(self._lack_some(groups, prior), np.inf, level)

    def judge_beliefs(
        self, prior: Sequence[float | Fraction], posterior: Sequence[float | Fraction]
    ) -> BoolArray:
        """Decide for single records whether beliefs before and after keep the promise.

        Records that were believed in with more than d keep it, whatever is believed afterwards.

        Raises
        ------
        ParameterError
            If there are not as many beliefs after as before, or one is no probability.

        Examples
        --------
        >>> DGammaPrivacy(0.2, 0.5).judge_beliefs([0.1, 0.1, 0.9], [0.5, 0.03, 1]).tolist()
        [True, False, True]
        """
        before, after = [exact(p) for p in prior], [exact(p) for p in posterior]
        if len(before) != len(after):
            raise ParameterError(
                f"beliefs after must be as many as before, got {len(after)} and {len(before)}"
            )
        for p in (*before, *after):
            if not 0 <= p <= 1:
                raise ParameterError(f"a belief must lie in [0, 1], got {p}")
        kept = [
            p > self.d or (self.d * p <= self.gamma * q and q <= self.gamma)
            for p, q in zip(before, after, strict=True)
        ]
        return np.array(kept, bool)

    def reading(self, groups: Groups) -> str:
        prior = self._prior(groups)
        where = "the published table" if self.prior is None else repr(self.prior)
        occurs, judged = prior.weights > 0, self._are_judged(prior)
        return (
            f"prior beliefs from {where}; {int((judged & occurs).sum())} of {int(occurs.sum())} "
            f"values were believed in with at most {float(self.d):g}, and only these are judged"
        )

    def witness(self, groups: Groups, at: int) -> str:
        prior, hidden = self._prior(groups), self.hidden(groups)
        n, row = int(groups.sizes[at]), slice(hidden.indptr[at], hidden.indptr[at + 1])
        counts = np.zeros(hidden.n_values, np.int64)
        counts[hidden.values[row]] = hidden.counts[row]
        judged = self._are_judged(prior)
        gone = [
            hidden.text(int(c))
            for c in np.flatnonzero(judged & (prior.weights > 0) & (counts == 0))
        ]
        gone += self._unknown_values(prior)
        if gone:
            return f"{gone[0] or 'missing'} can be ruled out: none of {n} records has it"
        codes = np.flatnonzero(judged & (counts > 0))
        if not codes.size:
            return f"no value here was believed in with at most {float(self.d):g}"
        least = np.maximum(counts / n, float(self.d) * prior.shares * n / np.maximum(counts, 1))
        code = int(codes[np.argmax(least[codes])])
        return (
            f"{hidden.text(code) or 'missing'} was believed in with {prior.shares[code]:.4g}, and "
            f"{int(counts[code])} of {n} records have it ({counts[code] / n:.4g}): that must be at "
            f"most {float(self.gamma):g}, and at least {float(self.d / self.gamma):.4g} times what "
            "was believed"
        )

    def covers(self, other: GroupModel) -> bool:
        """Whether it judges all values that another one judges, as strictly.

        A larger d judges more values, and raises the lower bound.
        """
        if not isinstance(other, DGammaPrivacy) or self.d < other.d or self.gamma > other.gamma:
            return False
        return (self.sensitive, self.prior) == (other.sensitive, other.prior)

    def allowed_gains(self, shares: FloatArray) -> FloatArray | None:
        """Bound each value by gamma if it was unlikely, and by what unlikely ones must leave to it.

        A value that was believed in with at most d keeps at least d / gamma of that everywhere,
        which no other value can have.
        """
        if self.prior is not None:
            return None
        d, gamma = float(self.d), float(self.gamma)
        is_unlikely = shares <= d
        kept = np.where(is_unlikely, shares * d / gamma, 0.0)
        left: FloatArray = 1 - (kept.sum() - kept)
        return np.where(is_unlikely, np.minimum(left, gamma), left) - shares

    def weaker(self) -> DGammaPrivacy | None:
        more = self.gamma + Fraction(1, 20)
        return evolve(self, gamma=more) if more < 1 else None

    def explain_failure(self, groups: Groups) -> str:
        if self.gamma < self.d:
            return (
                f"gamma must be at least d = {float(self.d):g}: no value can become "
                f"{float(self.d / self.gamma):.4g} times as likely in all groups"
            )
        return super().explain_failure(groups)

    def _prior(self, groups: Groups) -> ValuePrior:
        whole = groups.whole[self.column,]
        if self.prior is None:
            return ValuePrior.of_table(whole)
        if self._probabilities is None:
            raise SchemaError(f"{self} has not read {self.prior!r} yet: bind it to a table")
        return ValuePrior.of_probabilities(
            self._probabilities, self.hidden(groups), whole, self.prior
        )

    def _are_judged(self, prior: ValuePrior) -> BoolArray:
        """Mark the codes that were believed in with at most d."""
        return is_within(prior.weights, self.d, np.full(prior.weights.size, prior.total))

    def _unknown_values(self, prior: ValuePrior) -> list[str]:
        """List the values that every group lacks, because the column does."""
        return [text for text, p in prior.unknown_values if 0 < p <= self.d]

    def _lack_some(self, groups: Groups, prior: ValuePrior) -> BoolArray:
        """Find which groups lack a value that was believed in, with at most d."""
        hidden = self.hidden(groups)
        must = self._are_judged(prior) & (prior.weights > 0)
        n_there = hidden.reduce(np.add, must[hidden.values].astype(np.int64))
        lack: BoolArray = n_there < int(must.sum()) + len(self._unknown_values(prior))
        return lack
