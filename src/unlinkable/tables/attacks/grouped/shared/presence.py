r"""Presence: how likely the people of a population are in a release that is taken from it.

Everybody of the population has one record in the release or none, and every record belongs to a
person whom it matches. If all who match a look match no other, each of them is in the release with
the number of its records over the number of them.

Looks may overlap, as with local recoding, or if people are known roughly. Then anyone who matches
two looks may have a record of either, and what is likely depends on everybody whom these match, and
on whom these match in turn. If few hang together in this way, all ways to hand out the records are
counted. Otherwise the distribution of the greatest entropy is given
(`unlinkable.tables.attacks.grouped.shared.maximum_entropy`), with bounds that are certain: of the
people of a kind no more are in the release than there are records that match, and no fewer than a
look has records that others cannot have.

Assignments of records to people are counted by a generating function.

People of kind i match the looks of a set i, and everybody has one record at most. With a variable
z for each look, the ways to hand out all records are the coefficient of
:math:`\prod_j z_j^{r_j}` in :math:`F = \prod_i (1 + \sum_{j \in i} z_j)^{p_i}`, for p people of
each kind and r records with each look, up to a factor that does not matter. Those in which a given
person of kind i has none are the same coefficient of F over one of its factors. Since
:math:`1 / (1 + S) = \sum_k (-S)^k`, that is a sum over coefficients of F, too:
:math:`\sum_m (-1)^{|m|} \binom{|m|}{m} F[r - m]` over all m that count looks of kind i.

All numbers are whole, so the probabilities are exact. The coefficients are as many as there are
ways to leave out records of each look, so this is for looks that hardly overlap, or for few.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.tables.attacks.grouped.shared.maximum_entropy import (
    Pairs,
    maximum_entropy,
    refuse,
    refuse_strangers,
)
from unlinkable.tables.attacks.shared.matching import Matching
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["Kinds", "Presence", "chances_of_none", "find_presence", "n_steps", "together"]

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
    found, n_rounds, n_off = maximum_entropy(rest)
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


Kinds = Mapping[tuple[int, ...], int]
"""By the looks that people match, how many people match just these."""


def chances_of_none(records: Mapping[int, int], kinds: Kinds) -> dict[tuple[int, ...], Fraction]:
    """Give for people of each kind the probability that they have no record.

    Nothing if the records cannot all belong to a person.

    Examples
    --------
    >>> found = chances_of_none({0: 1, 1: 1}, {(0,): 1, (0, 1): 1, (1,): 1})
    >>> [str(chance) for chance in found.values()]
    ['1/3', '1/3', '1/3']
    """
    axis = {look: i for i, look in enumerate(records)}
    ways = np.zeros([n + 1 for n in records.values()], object)
    ways[(0,) * len(axis)] = 1
    for looks, people in kinds.items():
        for _ in range(people):
            ways = _times(ways, [axis[look] for look in looks])
    whole = ways[(-1,) * len(axis)]
    if not whole:
        return {}
    found = {}
    for looks in kinds:
        none = 0
        for m in product(*(range(records[look] + 1) for look in looks)):
            at = [-1] * len(axis)
            for look, left_out in zip(looks, m, strict=True):
                at[axis[look]] -= left_out
            none += (-1) ** sum(m) * _multinomial(m) * ways[tuple(at)]
        found[looks] = Fraction(none, whole)
    return found


def n_steps(records: Mapping[int, int], kinds: Kinds) -> int:
    """Say how many steps it takes."""
    states = math.prod(n + 1 for n in records.values())
    return sum(
        people * states * len(looks) + math.prod(records[look] + 1 for look in looks)
        for looks, people in kinds.items()
    )


def together(kinds: Iterable[tuple[int, ...]]) -> dict[int, int]:
    """Find the looks that hang together through people who match several: a name for each look.

    Examples
    --------
    >>> together([(0,), (0, 1), (2,)])
    {0: 0, 1: 0, 2: 2}
    """
    parent: dict[int, int] = {}

    def root(look: int) -> int:
        while parent.setdefault(look, look) != look:
            parent[look] = parent[parent[look]]
            look = parent[look]
        return look

    for looks in kinds:
        for look in looks:
            a, b = sorted((root(looks[0]), root(look)))
            parent[b] = a
    return {look: root(look) for look in parent}


def _times(ways: NDArray[Any], axes: list[int]) -> NDArray[Any]:
    """Multiply by 1 + the variables of these axes."""
    out = ways.copy()
    for axis in axes:
        later: list[slice] = [slice(None)] * ways.ndim
        earlier = later.copy()
        later[axis], earlier[axis] = slice(1, None), slice(None, -1)
        out[tuple(later)] += ways[tuple(earlier)]
    return out


def _multinomial(parts: tuple[int, ...]) -> int:
    return math.factorial(sum(parts)) // math.prod(map(math.factorial, parts))
