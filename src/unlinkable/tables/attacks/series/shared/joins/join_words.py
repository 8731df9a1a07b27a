"""What a join of releases tells, in words."""

from __future__ import annotations

from collections.abc import Sequence

from unlinkable.tables.attacks.base.attack import Victim
from unlinkable.tables.attacks.grouped.shared.surest import Surest
from unlinkable.tables.attacks.series.shared.joins.asked import Asked
from unlinkable.tables.attacks.series.shared.joins.effects import JoinEffects
from unlinkable.tables.attacks.series.shared.joins.told import Told
from unlinkable.tables.models import number_of

__all__ = ["found_by_joining", "offer_victims"]


def found_by_joining(found: JoinEffects, n_fallen: int, n_attacked: int, highest: float) -> str:
    """Say who falls to the join, and how much more it tells than a release by itself."""
    who = number_of(n_attacked, "person", "people")
    by_itself = max((b.part / b.whole for b in found.before), default=0.0)
    beside = f"a release by itself makes at most {by_itself:.3g} sure"
    if n_fallen:
        text = (
            f"{n_fallen:,} of {who} are in groups of the join that tell too much: the join "
            f"makes up to {highest:.3g} sure, and {beside}."
        )
    else:
        text = f"Nobody of {who} falls: the join makes at most {highest:.3g} sure; {beside}."
    n_dangling = sum(found.dangling)
    if n_dangling:
        text += (
            f" {number_of(n_dangling, 'record')} match nothing: the releases are not of the "
            "same people, or values are written in different ways."
        )
    return text


def offer_victims(
    surest: Surest, found: JoinEffects, asked: Asked, told: Told, names: Sequence[str]
) -> None:
    """Offer the groups of the join that most is told of, to be shown if they are the surest."""
    texts = found.releases.coded(asked.column)[1]

    def tell(at: int) -> Victim:
        return Victim(
            found.releases.look(told.rows[at], names),
            float(told.shares[at] / told.wholes[at]),
            {asked.column: texts[int(told.values[at])] or ""},
            records=int(told.wholes[at]),
            people=int(told.people[at]),
        )

    surest.offer(told.shares / told.wholes, tell)
