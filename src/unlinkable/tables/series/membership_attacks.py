"""Membership attacks: by adversaries who know who is in which group of every release."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attrs import evolve

from unlinkable.tables.attacks.base import AdversaryKnowledge, Outcome
from unlinkable.tables.attacks.series import (
    CriticalAbsence,
    Difference,
    Edition,
    Intersection,
    RecordTracing,
    Series,
    SeriesAttack,
)
from unlinkable.tables.data import with_column

__all__ = ["MEMBERSHIP_ATTACKS", "WORLDS", "attempt", "membership_attacks", "releases_with"]

MEMBERSHIP_ATTACKS = (Difference.name, Intersection.name, RecordTracing.name, CriticalAbsence.name)
"""The names of the attacks of whoever knows who is in which group."""

WORLDS = 20_000
"""How many steps are taken at first to count the worlds of releases that are to be published.

That takes a tenth of a second, and is enough for all worlds of a very small series, or for
thousands of people of a large one. If no share was promised, none are counted: nobody is surer than
1.
"""

MORE_WORLDS = 200_000
"""How many steps are taken if nobody has fallen by then, and not all worlds were counted.

That takes about a second, and is enough for hundreds of people. Of the others critical-absence
tells what is certain, and so a lower bound of what can be found out (``uncounted``).
"""


_EVERYBODY = " everybody"
"""A column for the time being: no file can have a column of this name."""


def membership_attacks(bounds: Mapping[str, tuple[int, Fraction]]) -> tuple[SeriesAttack, ...]:
    """Name the attacks of whoever knows who is in which group, on values that never change.

    Parameters
    ----------
    bounds
        For each sensitive column how many people must be left, and how sure one may be of a value.

    Examples
    --------
    >>> [attack.name for attack in membership_attacks({"ill": (2, Fraction(1, 2))})]
    ['difference', 'intersection', 'record-tracing', 'critical-absence']
    """
    return tuple(
        attack
        for column, (k, c) in bounds.items()
        for attack in (
            Difference(k=k, limit=c, sensitive=column),
            Intersection(limit=c, sensitive=column),
            RecordTracing(k=k, limit=c, sensitive=column),
            CriticalAbsence(column, limit=c, worlds=WORLDS if c < 1 else 1),
        )
    )


def attempt(attack: SeriesAttack, series: Series, knowledge: AdversaryKnowledge) -> Outcome:
    """Try an attack, and harder where that was not enough to know that nobody falls.

    Raises
    ------
    UnsupportedError, SchemaError, DataError
        As the attack itself.
    """
    outcome = attack.run(series, knowledge)
    if not isinstance(attack, CriticalAbsence) or attack.limit >= 1 or outcome.succeeded:
        return outcome
    if not outcome.details["uncounted"] or attack.worlds >= MORE_WORLDS:
        return outcome
    return evolve(attack, worlds=MORE_WORLDS).run(series, knowledge)


def releases_with(series: Series, column: str) -> Series:
    """Give the releases that tell a sensitive column of known people.

    None if the last one does not: then it adds nothing to what is known of who has what.
    """
    *_, last = [_tells(edition, column) for edition in series.editions]
    told = (edition for edition in series.editions if last and _tells(edition, column))
    return Series(tuple(map(_in_groups, told)), series.names)


def _tells(edition: Edition, column: str) -> bool:
    return edition.people is not None and column in edition.target.sensitive


def _in_groups(edition: Edition) -> Edition:
    """Put everybody into one group, if nothing is shown by which people may be known."""
    target = edition.target
    if target.alike:
        return edition
    frame = with_column(target.frame, _EVERYBODY, ["*"] * len(target))
    return evolve(edition, target=evolve(target, frame=frame, quasi=(_EVERYBODY,)))
