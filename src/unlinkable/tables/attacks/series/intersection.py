"""intersection: a person in several releases has a value that all their groups hide.

Bob is in a group with Alzheimer and diabetes in one release, and in one with Alzheimer and
hepatitis in the next. Both are diverse enough; together they show that Bob has Alzheimer [1]_,
[2]_.

References
----------
.. [1] J.-W. Byun, T. Li, E. Bertino, N. Li, Y. Sohn. "Privacy-preserving incremental data
   dissemination." Journal of Computer Security 17(1), 2009. Section 4.4.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 10.1.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.params import exact, is_share
from unlinkable.release.attacks import Outcome, Threat, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.kinds import Kinds, histogram_of, kinds_of
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack, people_misfit
from unlinkable.tables.attacks.shared.victims import TopVictims
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["Intersection"]


@frozen
class Intersection(SeriesAttack):
    r"""Intersect the sensitive values of all groups that a person is in.

    Let :math:`e_1, \dots, e_n` be the groups that hold a person in all releases they are in. What
    they hide is in the multiset :math:`SI = \bigcap_i e_i\langle S\rangle`, which has of every
    value the smallest of its counts. The adversary believes that they have the most frequent value
    of it, with its share of :math:`SI`.

    Releases that a person is not in say nothing of them here. Records that were made up count as
    records: nobody can tell which they are.

    Parameters
    ----------
    sensitive
        The sensitive column to attack; each of all releases if not given.
    limit
        Highest confidence allowed: a person is exposed if the adversary is more confident.

    Needs
    -----
    All releases, and who is in which group of each of them: an adversary who has the
    quasi-identifying values of everybody in a release knows that.

    Finds
    -----
    Who is exposed, out of the people who are in several releases, and how many of them are exposed
    by one of the releases alone. If nothing is left in the intersection, the person's value changed
    in between: such people are counted, and are not exposed.

    Cost
    ----
    O(n s) for n records of all releases, and s values in a group.

    Raises
    ------
    SchemaError
        If no sensitive column is in all releases, or not the one asked for.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.attacks.series.series import Edition
    >>> from unlinkable.tables.attacks.base.target import Target
    >>> first = pl.DataFrame({"age": ["50-60"] * 2, "ill": ["Alzheimer", "diabetes"]})
    >>> then = pl.DataFrame({"age": ["51-55"] * 2, "ill": ["Alzheimer", "hepatitis"]})
    >>> bob, eve, hank = range(3)
    >>> series = Series((
    ...     Edition(Target(first, ("age",), ("ill",)), np.array([bob, eve])),
    ...     Edition(Target(then, ("age",), ("ill",)), np.array([bob, hank])),
    ... ), names=["Bob", "Eve", "Hank"])
    >>> outcome = Intersection().run(series)
    >>> outcome.n_fallen, outcome.victims[0].who, outcome.victims[0].learned
    (1, {'person': 'Bob'}, {'ill': 'Alzheimer'})
    """

    name: ClassVar[str] = "intersection"
    reference: ClassVar[str] = "Byun, Li, Bertino, Li and Sohn 2009"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[str] = "several releases, and who is in which group of each of them"
    remedy: ClassVar[str] = (
        "publish again by a policy that looks back: incremental checks each release together with "
        "all earlier ones, m-invariance keeps the values of everybody's group the same"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("incremental", "m-invariance")

    sensitive: str | None = None
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )

    def misfit(self, series: Series, knowledge: AdversaryKnowledge) -> str | None:
        return people_misfit(series)

    def attack(self, series: Series, knowledge: AdversaryKnowledge) -> Outcome:
        columns = series.columns_about(self.sensitive)
        kinds, surest = kinds_of(series.sheets(columns[0])), TopVictims()
        falls, fell, is_odd = (np.zeros(len(kinds), bool) for _ in range(3))
        for name in columns:
            hidden = [histogram_of(sheet) for sheet in series.sheets(name)]
            left = kinds.common(hidden)
            peak, total = left.peak, left.reduce(np.add, left.counts)
            falls |= kinds.returns & ~is_within(peak, self.limit, total)
            is_odd |= kinds.returns & (total == 0)
            fell |= kinds.returns & self._falls_alone(kinds, hidden)
            sure = np.where(kinds.returns, peak / np.maximum(total, 1), 0.0)
            each = kinds.kind[: kinds.n_people]
            of_each = np.where(each >= 0, sure[each], 0.0)
            surest.offer(of_each, _teller(series, name, left, of_each, kinds))
        return self._outcome(kinds, surest, falls, fell, is_odd)

    def _falls_alone(self, kinds: Kinds, hidden: list[Histogram]) -> BoolArray:
        """Tell which kinds one of the releases alone tells too much of."""
        fell = np.zeros(len(kinds), bool)
        for i, those in enumerate(hidden):
            total = those.reduce(np.add, those.counts)
            bad = np.append(~is_within(those.peak, self.limit, total), False)
            fell |= bad[kinds.where[:, i]]
        return fell

    def _outcome(
        self, kinds: Kinds, surest: TopVictims, falls: BoolArray, fell: BoolArray, is_odd: BoolArray
    ) -> Outcome:
        n_attacked, n_fallen, n_before, n_odd = (
            int(kinds.sizes[which].sum()) for which in (kinds.returns, falls, fell, is_odd)
        )
        highest = surest.highest
        who = f"{quantity(n_attacked, 'person', 'people')} in several releases"
        found = (
            f"{n_fallen:,} of {who} fall: whoever knows their groups is more than "
            f"{float(self.limit):.3g} sure of a value that all of them hide. One release alone "
            f"tells that of {n_before:,}."
            if n_fallen
            else f"Nobody of {who} falls: whoever knows their groups is at most {highest:.3g} sure."
        )
        return Outcome(
            attack=self,
            n_attacked=n_attacked,
            n_fallen=n_fallen,
            highest=highest,
            victims=surest.victims,
            found=found,
            details={"fallen_before": n_before, "contradicted": n_odd, "kinds": len(kinds)},
        )


def _teller(
    series: Series, name: str, left: Histogram, sure: FloatArray, kinds: Kinds
) -> Callable[[int], Victim]:
    """Tell of people and the most frequent value that is left of theirs."""
    texts = series.texts(name)

    def tell(person: int) -> Victim:
        start, end = left.indptr[kinds.kind[person] :][:2].tolist()
        text = texts[left.values[start + np.argmax(left.counts[start:end])]]
        return Victim(series.called(person), float(sure[person]), {name: text or ""})

    return tell
