"""critical-absence: what people have, from who is still there and what is no longer.

Each of two releases may be safe alone. A person in both must have a value that is in both of their
groups; and if a value of the first group does not occur in the second release at all, they do not
have it, however the second release was made: a *critical absence* [1]_. More follows if some values
are never lost again, as an HIV infection: a person who has one has it in every release that they
are in, so that all who could not are excluded, and what remains may be certain [2]_, [3]_.

References
----------
.. [1] X. Xiao, Y. Tao. "m-invariance: towards privacy preserving re-publication of dynamic
   datasets." SIGMOD 2007.
.. [2] Y. Bu, A. W.-C. Fu, R. C.-W. Wong, L. Chen, J. Li. "Privacy preserving serial data
   publishing by role composition." VLDB 2008.
.. [3] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Sections 10.3 and 10.4.

The outcome of critical-absence, in words and numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import DataError, ParameterError
from unlinkable.params import as_columns, at_least, exact, is_share
from unlinkable.release.attacks import Outcome, Threat, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.memberships import Memberships
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack, people_misfit
from unlinkable.tables.attacks.series.shared.value_elimination import find_absences, intersect
from unlinkable.tables.attacks.series.shared.world_counting import StepBudget
from unlinkable.tables.attacks.series.shared.world_odds import Odds, weigh
from unlinkable.tables.attacks.shared.victims import TopVictims
from unlinkable.typing import BoolArray, CodeArray, Columns

__all__ = ["CriticalAbsence"]


@frozen
class CriticalAbsence(SeriesAttack):
    r"""Exclude what people cannot have, from all releases that they are in.

    The adversary knows who is in which group of every release, those who were deleted in between
    among them, and which releases a person was in. Which record of a group is whose they do not
    know, nor which records were made up. A *world* says which record of every release is whose. It
    is possible if nobody has a permanent value in one release and another value in another. The
    adversary holds all possible worlds for equally likely, and believes that a person has a value
    by the share of the worlds W in which that is so:

    .. math:: P(o, s) = |\{w \in W : o \text{ has } s \text{ in } w\}| \, / \, |W|.

    A person is exposed if this is above the limit for a permanent value. If every group hides other
    values, and people's groups always the same ones, it is 1 / (number of values): m-invariance.

    Parameters
    ----------
    sensitive
        The sensitive column to attack; each of them if not given.
    permanent
        The values that nobody loses again, and nobody gets after their first release. If not given,
        no value ever changes. Other values may change from release to release, and are not looked
        for.
    values
        The values to attack; all if not given, or all that are permanent. Those of others never
        change either, and show what people do not have.
    limit
        Highest confidence allowed: a person is exposed if the adversary is more confident.
    worlds
        How many steps may be taken to count worlds. Giving people who are in the same groups their
        values in one way takes as many steps as groups are in question.

    Needs
    -----
    Two or more releases, and who is in which group of each: the people's quasi-identifying values
    and when they were in. The holder knows whose records they are.

    Finds
    -----
    How likely everybody has which value, exactly, as long as the groups that hang together through
    people are few enough to count their worlds. Of other people, what can be excluded for certain
    is told, and that one of n values which are left has at least a chance of one in n; they are
    numbered as ``uncounted``. How many people are exposed by intersecting groups alone, and for how
    many a value of an earlier group is nowhere in a later release.

    Cost
    ----
    O(n log n) for n pairs of a record and a value of its group, and the steps. Counting worlds is
    as hard as computing a permanent; where all groups that hang together hide the same values
    equally often, or one group stands alone, nothing has to be counted.

    Raises
    ------
    SchemaError
        If there is no such column in all releases.
    UnsupportedError
        If no world is possible, because a person's value changed.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.attacks.series.series import Edition
    >>> from unlinkable.tables.attacks.base.target import Target
    >>> first = pl.DataFrame({"age": ["30s"] * 2, "surgery": ["knee", "nose"]})
    >>> then = pl.DataFrame({"age": ["30-45"] * 2, "surgery": ["knee", "hip"]})
    >>> annie, bob, carl = range(3)
    >>> series = Series((
    ...     Edition(Target(first, ("age",), ("surgery",)), np.array([annie, bob])),
    ...     Edition(Target(then, ("age",), ("surgery",)), np.array([annie, carl])),
    ... ), names=["Annie", "Bob", "Carl"])
    >>> outcome = CriticalAbsence().run(series)
    >>> [(victim.who["person"], victim.learned["surgery"]) for victim in outcome.victims]
    [('Annie', 'knee'), ('Bob', 'nose'), ('Carl', 'hip')]
    >>> outcome.details["by_intersection"], outcome.details["absent_values"]
    (1, 'nose')
    """

    name: ClassVar[str] = "critical-absence"
    reference: ClassVar[str] = "Xiao and Tao 2007; Bu, Fu, Wong, Chen and Li 2008"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    needs: ClassVar[str] = (
        "several releases, and who is in which group of each: what people show, and when they were "
        "in"
    )
    remedy: ClassVar[str] = (
        "keep the values of everybody's group the same as long as he is in, with made-up records "
        "where people are missing (m-invariance); if values change, hide those that nobody loses "
        "again among people who stay together (hd-composition)"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("m-invariance", "hd-composition")

    sensitive: str | None = None
    permanent: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    values: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )
    worlds: int = field(default=1_000_000, validator=at_least(1), kw_only=True)

    @values.validator
    def _check_values(self, attribute: object, values: Columns | None) -> None:
        if values is not None and self.permanent is not None:
            raise ParameterError(
                "permanent values are looked for themselves: give either values or permanent"
            )

    def misfit(self, series: Series, knowledge: AdversaryKnowledge) -> str | None:
        return people_misfit(series)

    def attack(self, series: Series, knowledge: AdversaryKnowledge) -> Outcome:
        asked = series.columns_about(self.sensitive)
        for value in self.values or ():
            if not any(value in series.texts(name) for name in asked):
                where = " or ".join(map(repr, asked))
                raise DataError(f"no record has {value!r} in {where}: check how it is written")
        falls, counted = np.zeros((2, series.n_people), bool)
        counted[:] = True
        surest, budget = TopVictims(), StepBudget(self.worlds)
        details: _Details = {}
        for name in asked:
            labels, guarded, words = self._labels(series.texts(name))
            memberships = Memberships.of(series.sheets(name), labels)
            odds = weigh(memberships, guarded, self.limit, budget)
            falls |= odds.falls
            counted &= odds.is_counted | (memberships.degree == 0)
            surest.offer(odds.sure, _teller(series, name, odds, words))
            _add_up(details, _label_details(memberships, guarded, odds, words))
        details |= {"uncounted": int((~counted).sum()), "steps": budget.spent}
        return _outcome(self, int((memberships.degree > 0).sum()), falls, surest, details)

    def _labels(self, texts: tuple[str | None, ...]) -> tuple[CodeArray, BoolArray, list[str]]:
        """Say which label every value has, which labels are guarded, and what these are called."""
        known = texts if self.permanent is None else [t for t in texts if t in self.permanent]
        number = {text: i for i, text in enumerate(known)}
        labels = np.array([number.get(text, len(number)) for text in texts], np.int32)
        asked = [self.values is None or text in self.values for text in known]
        guarded = np.array([*asked, False], bool)
        return labels, guarded, ["(missing)" if text is None else text for text in known]


_Details = dict[str, int | float | str | None]
"""What was found besides, by name."""


def _outcome(
    attack: CriticalAbsence,
    n_attacked: int,
    falls: BoolArray,
    surest: TopVictims,
    details: _Details,
) -> Outcome:
    """Say what was found, and of how many people it is not known.

    Parameters
    ----------
    attack
        The attack.
    n_attacked, falls
        How many people were looked at, and who of them fell.
    surest
        The people with the highest confidence.
    details
        All numbers, with ``uncounted`` and ``steps``.
    """
    highest = surest.highest
    n_fallen, uncounted = int(falls.sum()), int(details["uncounted"] or 0)
    people = quantity(n_attacked, "person", "people")
    if n_fallen:
        found = (
            f"{n_fallen:,} of {people} fall: he is surer than {float(attack.limit):.3g} of what "
            f"they hide, up to {highest:.3g}. {details['by_intersection']:,} of all people can "
            "have but one value by the groups that they are in."
        )
    elif attack.limit >= 1:
        found = f"Nobody of {people} falls: he may be as sure as can be."
    elif uncounted:
        found = f"Nobody of {people} is known to fall."
    else:
        found = f"Nobody of {people} falls: he is at most {highest:.3g} sure of what anybody hides."
    if uncounted and attack.limit < 1:
        found += (
            f" Of {uncounted:,} it is not known how sure he can be: they have more possible worlds "
            "than were counted, and more of them may fall."
        )
    if details["absent_values"]:
        found += (
            f" For {details['critical_absences']:,} people a value of an earlier group is "
            "nowhere in a later release: no generalization helps."
        )
    basis = None
    if uncounted:
        basis = (
            f"computed exactly but for {uncounted:,} people, whose groups hang together with "
            "too many others: of these, what is certain, and a lower bound"
        )
    return Outcome(
        attack=attack,
        n_attacked=n_attacked,
        n_fallen=n_fallen,
        highest=highest,
        found=found,
        victims=surest.victims,
        basis=basis,
        details=details,
    )


def _teller(series: Series, name: str, odds: Odds, words: list[str]) -> Callable[[int], Victim]:
    """Describe a victim and their likeliest value."""

    def tell(at: int) -> Victim:
        label = int(odds.label[at])
        learned = {name: words[label]} if label >= 0 else {}
        return Victim(series.called(at), float(odds.sure[at]), learned)

    return tell


def _label_details(
    memberships: Memberships, guarded: BoolArray, odds: Odds, words: list[str]
) -> _Details:
    """Number what was found of one column."""
    only = intersect(memberships).only()
    absences = find_absences(memberships, guarded)
    return {
        "certain": int((odds.sure == 1).sum()),
        "excluded": int(odds.is_excluded.sum()),
        "by_intersection": int((guarded[only] & (only >= 0) & (memberships.degree > 1)).sum()),
        "critical_absences": absences.n_people,
        "absent_values": ", ".join(words[label] for label in absences.labels.tolist()),
    }


def _add_up(details: _Details, more: _Details) -> None:
    """Add up what was found for several columns."""
    for key, value in more.items():
        old = details.get(key)
        if isinstance(value, str):
            details[key] = ", ".join(t for t in (old, value) if isinstance(t, str) and t)
        else:
            details[key] = (old or 0) + (value or 0)  # type: ignore[operator]
