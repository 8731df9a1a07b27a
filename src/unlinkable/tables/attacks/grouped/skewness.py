"""skewness: in some group a value is far more frequent than in the whole table.

A group of one half flu and one half HIV is as diverse as two values can be. In a table where one in
twenty has HIV, a person who looks like that group is believed to have it ten times as likely as
before [1]_. In one of 1 to 99 it is fifty times [2]_. Diversity looks at a group alone; the
skewness attack compares it with what everybody may believe of anybody.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.2.8.
.. [2] C. C. Aggarwal. "Data Mining: The Textbook." 2015. Section 20.3.3.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from unlinkable.params import exact, is_share
from unlinkable.release.attacks import Outcome, Threat, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.grouped.shared.beliefs import Beliefs, beliefs, hidden_in, no_groups
from unlinkable.tables.attacks.grouped.shared.exposure import Exposure
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.base import Bound, GroupModel, SensitiveGoal
from unlinkable.typing import BoolArray, CountArray

__all__ = ["Skewness"]

_WIDEST = 1 << 62
"""Products below this are 64-bit integers; others are Python's own."""


@frozen
class Skewness(Attack):
    r"""Learn from how much more frequent a value is among those who look alike than in the table.

    Before, the adversary believes that the victim has a value :math:`s` as likely as anybody in the
    published table does, :math:`Q(s) = |T[s]| / |T|`; after finding the victim's group :math:`q`,
    as likely as anybody in it does, :math:`P(s) = |T[q, s]| / |T[q]|`. Their gain is :math:`\max_s
    P(s) - Q(s)`, from 0 to 1. In buckets, P is the mean over the buckets of the records that the
    victim may have.

    The gain is at most half of :math:`\sum_s |P(s) - Q(s)|`, so t-closeness with the equal distance
    bounds it by t.

    Parameters
    ----------
    sensitive
        The sensitive column to attack; each of them if not given.
    limit
        Highest gain allowed: a person is exposed if the adversary gains more.

    Needs
    -----
    The victim's quasi-identifying values.

    Finds
    -----
    For each group the value that becomes most likely: its chance before and after, and the quotient
    of the two (lift). Also who can be said not to have a value that others have.

    Cost
    ----
    O(n) for n records.

    Raises
    ------
    SchemaError
        If the column is not published as a sensitive one.

    Examples
    --------
    >>> import polars as pl
    >>> told = pl.DataFrame({"job": ["cook"] * 2 + ["clerk"] * 18,
    ...     "ill": ["flu", "hiv"] + ["flu"] * 18})
    >>> outcome = Skewness().run(Target(told, ("job",), ("ill",)))
    >>> outcome.n_fallen, round(outcome.highest, 3), round(outcome.details["lift"], 3)
    (2, 0.45, 10.0)
    """

    name: ClassVar[str] = "skewness"
    reference: ClassVar[str] = "Fung, Wang, Fu and Yu 2010, section 2.2.8"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    needs: ClassVar[str] = "what the victim shows on the quasi-identifier"
    remedy: ClassVar[str] = (
        "keep what groups hide close to the whole table: t-closeness, beta-likeness (if rare "
        "values matter) or delta-disclosure"
    )
    stopped_by: ClassVar[tuple[str, ...]] = (
        "t-closeness",
        "hellinger-closeness",
        "beta-likeness",
        "delta-disclosure",
    )

    measured: ClassVar[str] = "gain in likelihood"

    sensitive: str | None = None
    limit: Fraction = field(
        default=Fraction(1, 4), converter=exact, validator=is_share, kw_only=True
    )

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        return no_groups(target)

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        asked = target.columns_about(self.sensitive)
        whole = hidden_in(target, asked)
        exposure = Exposure(self.limit)
        (seen,) = beliefs(target, asked)
        every = [_Gains(seen, name, h, whole[name].total) for name, h in seen.histograms.items()]
        for gains in every:
            exposure.take(seen, gains.best, gains.wholes, gains.tell)
            exposure.note("ruled_out", seen, gains.lacks_some)
        return exposure.outcome(
            self,
            self._found(exposure),
            {
                **max(every, key=lambda gains: gains.greatest).worst(),
                "highest_lift": max(gains.highest_lift for gains in every),
                "people_with_values_ruled_out": exposure.noted["ruled_out"],
                "highest_prior_ruled_out": max(gains.highest_ruled_out for gains in every),
            },
        )

    def value_ceiling(self, model: GroupModel, goal: SensitiveGoal) -> Bound:
        gains, share = model.gains(goal.shares), model.share_ceiling(goal)
        bounds = [] if gains is None else [float(gains.max())]
        if share is not None:
            bounds.append(float(share) - float(goal.shares.min()))
        return min(bounds, default=None)

    def _found(self, exposure: Exposure) -> str:
        what = "a sensitive value" if self.sensitive is None else f"a value of {self.sensitive!r}"
        if not exposure.n_fallen:
            return (
                f"Nobody falls: what a person shows makes {what} more likely than it is for "
                f"everybody by {exposure.highest:.3g} at most."
            )
        return (
            f"{exposure.n_fallen:,} of {quantity(exposure.n_attacked, 'person', 'people')} fall: "
            f"what they show makes {what} more likely than it is for everybody, by more than "
            f"{float(self.limit):.3g} and up to {exposure.highest:.3g}."
        )


class _Gains:
    """What is gained on one column: P - Q over the common denominator |T[q]| |T|."""

    def __init__(self, seen: Beliefs, name: str, hidden: Histogram, total: CountArray) -> None:
        self._seen, self._name, self._hidden, self._total = seen, name, hidden, total
        self._n = int(total.sum())
        is_wide = int(seen.wholes.max(initial=1)) * self._n >= _WIDEST
        kind = object if is_wide else np.int64
        own = hidden.counts.astype(kind, copy=False)
        whole = seen.wholes.astype(kind, copy=False)
        before = total.astype(kind, copy=False)[hidden.values] * whole[hidden.row]
        self._gains: NDArray[Any] = np.maximum(own * self._n - before, 0)
        self.best = hidden.reduce(np.maximum, self._gains)
        self.wholes: NDArray[Any] = whole * self._n

    @property
    def greatest(self) -> float:
        """The greatest gain of all."""
        return float((self.best / self.wholes).max(initial=0))

    @property
    def highest_lift(self) -> float:
        """The greatest quotient of a chance after and before; 0 if there is nobody."""
        after = self._hidden.counts / self._seen.wholes[self._hidden.row]
        before = self._total[self._hidden.values] / max(self._n, 1)
        return float((after / before).max(initial=0))

    @property
    def lacks_some(self) -> BoolArray:
        """The sets of people of whom it is certain that they do not have a value of others."""
        lacks: BoolArray = self._hidden.distinct < (self._total > 0).sum()
        return lacks

    @property
    def highest_ruled_out(self) -> float:
        """The greatest chance before of a value that some people do not have for sure."""
        occurs = np.bincount(self._hidden.values, minlength=self._hidden.n_values)
        lacked = self._total[occurs < len(self._seen)]
        return int(lacked.max(initial=0)) / max(self._n, 1)

    def tell(self, at: int, sure: float) -> Victim:
        """Tell of a set of people."""
        value = self._hidden.text(int(self._hidden.values[self._entry(at)]))
        who, n = self._seen.describe(at)
        return Victim(who, sure, {self._name: value}, people=n)

    def worst(self) -> dict[str, int | float | str | None]:
        """Tell of the value that becomes likelier than any other."""
        if not len(self._seen):
            return dict.fromkeys(("column", "value", "prior", "posterior", "lift"))
        at = int(np.argmax(np.asarray(self.best / self.wholes, float)))
        entry = self._entry(at)
        code = int(self._hidden.values[entry])
        after = float(self._hidden.counts[entry] / self._seen.wholes[at])
        before = int(self._total[code]) / self._n
        return {
            "column": self._name,
            "value": self._hidden.text(code),
            "prior": before,
            "posterior": after,
            "lift": after / before,
        }

    def _entry(self, at: int) -> int:
        start, end = self._hidden.indptr[at : at + 2].tolist()
        return int(start + np.argmax(self._gains[start:end]))
