"""corruption: an adversary who knows some people's values learns about the others.

Of two engineers one has HIV and one flu. If one of them says that they have the flu, the other has
HIV [1]_, [2]_. Others need not even talk: an adversary who is in the table knows their own value.

References
----------
.. [1] Y. Tao, X. Xiao, J. Li, D. Zhang. "On anti-corruption privacy preserving publication." ICDE
   2008.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.5.3.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.params import at_least, exact, is_share
from unlinkable.release.attacks import Outcome, Threat, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.grouped.shared.beliefs import no_groups
from unlinkable.tables.attacks.grouped.shared.known_others import (
    KnownOthers,
    count_people,
    find_others,
    worst_others,
)
from unlinkable.tables.attacks.shared.victims import SharedValues, TopVictims
from unlinkable.tables.engines import Counted
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import is_within
from unlinkable.tables.models.base import Bound, GroupModel, SensitiveGoal
from unlinkable.typing import BoolArray, Columns, CountArray, FloatArray

__all__ = ["Corruption"]

_KNOWN = "known"


@frozen
class Corruption(Attack):
    r"""Subtract the people whose values are known, and infer the values of the others.

    Let the victim's group have :math:`m` records, :math:`c_s` of them with the sensitive value
    :math:`s`. An adversary who knows the values of :math:`n` other people of the group, :math:`a_s`
    of them :math:`s`, believes that the victim has it with probability :math:`(c_s - a_s) / (m -
    n)`.

    With a list of known people these are found in their groups and taken away. Without one, the
    worst is computed for every person: those up to ``n`` others whom it takes to be as sure as
    possible of something. For a guess of :math:`s` they do not have it, as far as there are such.
    So for a person who has :math:`v` it is

    .. math:: \max\Bigl(\frac{\min(c_v, m - n)}{m - n},\
        \max_{s \ne v} \frac{c_s}{\max(m - n, c_s + 1)}\Bigr).

    In a group of fewer than n + 1 people all others are known, and m - n is 1. In buckets, the
    adversary is assumed to know the victim's bucket, which is so if all records that look like the
    victim's are in one; otherwise the result is an upper bound of the confidence.

    Parameters
    ----------
    sensitive
        The sensitive column to attack; each of them if not given.
    known
        The side table with the people of whom something is known: quasi-identifying columns as in
        the release, raw or generalized, and sensitive ones. All of them must be in the release. An
        empty sensitive value is not known.
    n
        Without such a table, of how many other people at most the adversary knows the values.
    limit
        Highest confidence allowed: a person is exposed if the adversary is more confident.

    Needs
    -----
    The victim's quasi-identifying values, and what some others have: by a list, or as many as
    ``n``.

    Finds
    -----
    Who is exposed, and how many are exposed without this knowledge.

    Cost
    ----
    O(r) for r records; with a list, that of finding its people in their groups.

    Raises
    ------
    SchemaError
        If a column is not published as a sensitive one, or the list has none of them.
    DataError
        If more people of the list than of their group have a value: then the list is not true, or
        its people are not in the release.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.data.side import Side
    >>> told = pl.DataFrame({"job": ["engineer"] * 2, "ill": ["hiv", "flu"]})
    >>> john = {"name": ["John"], "job": ["engineer"], "ill": ["flu"]}
    >>> knowledge = AdversaryKnowledge(Side.of({"known": john}))
    >>> outcome = Corruption().run(Target(told, ("job",), ("ill",)), knowledge)
    >>> outcome.n_fallen, outcome.victims[0].learned, outcome.details["fallen_before"]
    (1, {'ill': 'hiv'}, 0)
    """

    name: ClassVar[str] = "corruption"
    reference: ClassVar[str] = "Tao, Xiao, Li and Zhang 2008"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    needs: ClassVar[str] = "what the victim shows, and what some others of his group have"
    remedy: ClassVar[str] = (
        "leave more doubt than others can take away: skyline-privacy bounds who knows k others, "
        "and replacing values by chance (perturbed-generalization) makes what others know say "
        "nothing about the victim"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("skyline-privacy", "alpha-k-anonymity", "kc-anonymity")

    sensitive: str | None = None
    known: str = field(default=_KNOWN, kw_only=True)
    n: int = field(default=1, validator=at_least(0), kw_only=True)
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        if why := no_groups(target):
            return why
        if self.known != _KNOWN and not knowledge.has(self.known):
            return f"give the people of whom something is known with known={self.known!r}"
        return None

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        asked = target.columns_about(self.sensitive)
        counted = target.counted([(name,) for name in asked])
        if knowledge.has(self.known):
            others = find_others(target, counted, knowledge.side.open(self.known))
            return self._after_list(target, counted, others, others.columns(asked))
        return self._after_any(target, counted, asked)

    def value_ceiling(self, model: GroupModel, goal: SensitiveGoal) -> Bound:
        return model.corruption_ceiling(goal, self.n)

    def _after_list(
        self, target: Target, counted: Counted, others: KnownOthers, asked: Columns
    ) -> Outcome:
        groups, shared_values, surest = (
            counted.finest,
            SharedValues(target, counted.labels),
            TopVictims(),
        )
        people = groups.sizes - others.n_found
        falls = np.zeros((2, len(groups)), bool)
        before = 0.0
        for name in asked:
            whole = groups.histograms[name,]
            rest, left = others.take_away(name, whole)
            falls[0] |= ~is_within(whole.peak, self.limit, groups.sizes)
            falls[1] |= ~is_within(rest.peak, self.limit, left)
            before = max(before, float((whole.peak / groups.sizes)[people > 0].max(initial=0)))
            sure = np.where(people > 0, rest.peak / np.maximum(left, 1), 0.0)
            surest.offer(sure, _teller(shared_values, name, rest, sure, people))
        n_before, n_after = (int(people[group].sum()) for group in falls)
        return self._outcome(
            (int(people.sum()), n_after),
            surest,
            _what(int(others.n_found.sum()), "of the list"),
            {**others.details, "fallen_before": n_before, "highest_before": before},
        )

    def _after_any(self, target: Target, counted: Counted, asked: Columns) -> Outcome:
        groups, shared_values, surest = (
            counted.finest,
            SharedValues(target, counted.labels),
            TopVictims(),
        )
        falls: list[dict[str, BoolArray]] = [{}, {}]
        before = 0.0
        n_known = min(self.n, len(target))
        for name in asked:
            hidden = groups.histograms[name,]
            for n, falling in zip((0, n_known), falls, strict=True):
                parts, wholes = worst_others(hidden, groups.sizes, n)
                falling[name] = ~is_within(parts, self.limit, wholes)
            left = groups.sizes - np.minimum(n_known, groups.sizes - 1)
            most = np.minimum(hidden.peak, left)
            is_worst = parts * left[hidden.row] == most[hidden.row] * wholes
            worst = np.where(is_worst, hidden.counts, 0)
            n_worst, sure = hidden.reduce(np.add, worst), most / left
            surest.offer(sure, _teller(shared_values, name, hidden, sure, n_worst))
            before = max(before, float((hidden.peak / groups.sizes).max(initial=0)))
        n_before, n_after = (count_people(target, counted, falling) for falling in falls)
        return self._outcome(
            (len(target), n_after),
            surest,
            _what(self.n, "of the group"),
            {"n": self.n, "fallen_before": n_before, "highest_before": before},
        )

    def _outcome(
        self,
        people: tuple[int, int],
        surest: TopVictims,
        what: str,
        details: dict[str, int | float | str | None],
    ) -> Outcome:
        n_attacked, n_fallen = people
        highest = surest.highest
        who = quantity(n_attacked, "person", "people")
        found = (
            f"{n_fallen:,} of {who} fall: whoever knows {what} is more than "
            f"{float(self.limit):.3g} sure of what they have. Without that, "
            f"{details['fallen_before']:,} of them do."
            if n_fallen
            else f"Nobody of {who} falls: whoever knows {what} is at most {highest:.3g} sure."
        )
        if not n_attacked:
            found = f"Nobody is left to guess at: whoever knows {what} knows everybody."
        return Outcome(
            attack=self,
            n_attacked=n_attacked,
            n_fallen=n_fallen,
            highest=highest,
            victims=surest.victims,
            found=found,
            details=details,
        )


def _what(n: int, where: str) -> str:
    return f"what {quantity(n, 'other', 'others')} {where} {'has' if n == 1 else 'have'}"


def _teller(
    shared_values: SharedValues, name: str, hidden: Histogram, sure: FloatArray, people: CountArray
) -> Callable[[int], Victim]:
    """Tell of groups in which the most frequent value is what is guessed."""

    def tell(at: int) -> Victim:
        start, end = hidden.indptr[at : at + 2].tolist()
        value = hidden.text(int(hidden.values[start + np.argmax(hidden.counts[start:end])]))
        return Victim(shared_values.of(at), float(sure[at]), {name: value}, people=int(people[at]))

    return tell
