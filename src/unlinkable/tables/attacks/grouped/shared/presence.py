"""Presence: how likely the people of a population are in a release that is taken from it.

Everybody of the population has one record in the release or none, and every record belongs to
somebody whom it matches. If all who match a look match no other, each of them is in the release
with the number of its records over the number of them.

Looks may overlap, as with local recoding, or if people are known roughly. Then somebody who matches
two looks may have a record of either, and what is likely depends on everybody whom these match, and
on whom these match in turn. If few hang together in this way, all ways to hand out the records are
counted (`unlinkable.tables.attacks.grouped.shared.owners`). Otherwise the distribution of the
greatest entropy is given (`unlinkable.tables.attacks.grouped.shared.most_even`), with bounds that
are certain: of the people of a kind no more are in the release than there are records that match,
and no fewer than a look has records that others cannot have.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.tables.attacks.grouped.shared.most_even import (
    Pairs,
    most_even,
    refuse,
    refuse_strangers,
)
from unlinkable.tables.attacks.grouped.shared.owners import chances_of_none, n_steps, together
from unlinkable.tables.attacks.shared.matching import Matching
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["Presence", "find_presence"]

_COUNTED = 20_000
"""Up to so many pairs of people and looks that overlap are looked at one by one."""

_STEPS = 2_000_000
"""So many steps are made at most to count who may own what."""


@define(eq=False, frozen=True)
class Presence:
    """How likely people are in a release, by kind.

    Attributes
    ----------
    likely
        The probability.
    low, high
        Where it lies for certain.
    is_exact
        Whether it is exact.
    records, people
        Where people match one look only: its records, and the people who match it.
    counted
        Where all ways to hand out records were counted, the probability as a fraction.
    n_rounds
        How many rounds it took to find what is not exact.
    n_off
        How many records are still without an owner after these.
    """

    likely: FloatArray
    low: FloatArray
    high: FloatArray
    is_exact: BoolArray
    records: CountArray
    people: CountArray
    counted: dict[int, Fraction]
    n_rounds: int
    n_off: float

    def above(self, limit: Fraction, *, absence: bool) -> BoolArray:
        """Tell which people are in the release, or not in it, with more than this probability."""
        asked = self.people - self.records if absence else self.records
        sure = 1 - self.likely if absence else self.likely
        exactly = ~is_within(asked, limit, self.people)
        above: BoolArray = np.where(self.is_exact, exactly, sure > float(limit))
        for kind, chance in self.counted.items():
            above[kind] = (1 - chance if absence else chance) > limit
        return above


def find_presence(matching: Matching) -> Presence:
    """Find how likely each kind of people is in a release.

    Raises
    ------
    DataError
        If some records match nobody who could have them.
    """
    pairs = Pairs.of(matching)
    refuse_strangers(pairs.records, pairs.n_people())
    n_kinds = matching.first.size
    is_alone = np.ones(pairs.records.size, bool)
    is_alone[pairs.look[(np.bincount(pairs.kind, minlength=n_kinds) > 1)[pairs.kind]]] = False
    exact = is_alone[pairs.look]
    records, people = np.zeros(n_kinds, np.int64), np.ones(n_kinds, np.int64)
    records[pairs.kind[exact]] = pairs.records[pairs.look[exact]]
    people[pairs.kind[exact]] = pairs.n_people()[pairs.look[exact]]
    likely = records / people
    low, high = likely.copy(), likely.copy()
    mixed = pairs.keep(~exact, ~is_alone)
    counted = _count(mixed)
    for kind, chance in counted.items():
        likely[kind] = low[kind] = high[kind] = float(chance)
    is_exact = np.ones(n_kinds, bool)
    is_exact[mixed.kind] = False
    is_exact[list(counted)] = True
    rest = mixed.without(is_exact)
    found, n_rounds, n_off = most_even(rest)
    for out, values in zip((likely, low, high), (found, *rest.bounds()), strict=True):
        out[~is_exact] = values[~is_exact]
    likely = np.clip(likely, low, high)
    return Presence(likely, low, high, is_exact, records, people, counted, n_rounds, n_off)


def _count(pairs: Pairs) -> dict[int, Fraction]:
    """Count who may own what where few people and looks hang together."""
    if pairs.look.size > _COUNTED:
        return {}
    looks_of: dict[int, tuple[int, ...]] = {}
    for kind, look in zip(pairs.kind.tolist(), pairs.look.tolist(), strict=True):
        looks_of[kind] = (*looks_of.get(kind, ()), look)
    names = together(looks_of.values())
    parts: dict[int, dict[tuple[int, ...], list[int]]] = {}
    for kind, looks in looks_of.items():
        parts.setdefault(names[looks[0]], {}).setdefault(looks, []).append(kind)
    found: dict[int, Fraction] = {}
    left = _STEPS
    for part in parts.values():
        kinds = {looks: int(pairs.sizes[who].sum()) for looks, who in part.items()}
        records = {look: int(pairs.records[look]) for looks in kinds for look in looks}
        if (steps := n_steps(records, kinds)) > left:
            continue
        left -= steps
        chances = chances_of_none(records, kinds)
        if not chances:
            refuse(1)
        found |= {kind: 1 - chances[looks] for looks, who in part.items() for kind in who}
    return found
