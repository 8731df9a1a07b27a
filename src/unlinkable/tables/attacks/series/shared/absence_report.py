"""The outcome of critical-absence, in words and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from unlinkable.tables.attacks.base.attack import Outcome, Victim
from unlinkable.tables.attacks.grouped.shared.surest import Surest
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.absences import find_absences
from unlinkable.tables.attacks.series.shared.narrowing import intersect
from unlinkable.tables.attacks.series.shared.tangle import Tangle
from unlinkable.tables.attacks.series.shared.world_odds import Odds
from unlinkable.tables.models import number_of
from unlinkable.typing import BoolArray

if TYPE_CHECKING:
    from unlinkable.tables.attacks.series.critical_absence import CriticalAbsence

__all__ = ["Details", "add_up", "outcome_of", "teller", "told"]

Details = dict[str, int | float | str | None]
"""What was found besides, by name."""


def outcome_of(
    attack: CriticalAbsence, n_attacked: int, falls: BoolArray, surest: Surest, details: Details
) -> Outcome:
    """Say what was found, and of how many people it is not known.

    Parameters
    ----------
    attack
        The attack.
    n_attacked, falls
        How many people were looked at, and who of them fell.
    surest
        Of whom he is surest.
    details
        All numbers, with ``uncounted`` and ``steps``.
    """
    highest = max((victim.confidence for victim in surest.victims), default=0.0)
    n_fallen, uncounted = int(falls.sum()), int(details["uncounted"] or 0)
    people = number_of(n_attacked, "person", "people")
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


def teller(series: Series, name: str, odds: Odds, words: list[str]) -> Callable[[int], Victim]:
    """Tell of somebody which value he most likely has."""

    def tell(at: int) -> Victim:
        label = int(odds.label[at])
        learned = {name: words[label]} if label >= 0 else {}
        return Victim(series.called(at), float(odds.sure[at]), learned)

    return tell


def told(tangle: Tangle, guarded: BoolArray, odds: Odds, words: list[str]) -> Details:
    """Number what was found of one column."""
    only = intersect(tangle).only()
    absences = find_absences(tangle, guarded)
    return {
        "certain": int((odds.sure == 1).sum()),
        "excluded": int(odds.is_excluded.sum()),
        "by_intersection": int((guarded[only] & (only >= 0) & (tangle.degree > 1)).sum()),
        "critical_absences": absences.n_people,
        "absent_values": ", ".join(words[label] for label in absences.labels.tolist()),
    }


def add_up(details: Details, more: Details) -> None:
    """Add up what was found for several columns."""
    for key, value in more.items():
        old = details.get(key)
        if isinstance(value, str):
            details[key] = ", ".join(t for t in (old, value) if isinstance(t, str) and t)
        else:
            details[key] = (old or 0) + (value or 0)  # type: ignore[operator]
