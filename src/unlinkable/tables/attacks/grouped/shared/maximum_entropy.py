r"""Maximum entropy: how likely people have a record if only the numbers of records are known.

Kinds of people match looks of records, and everybody has one record at most. Of all distributions
of records over people that give every look as many records as it has, that of the greatest entropy
lets everybody decide independently: a person of kind i has a record of look j with probability
:math:`a_j / (1 + \sum_{l \in i} a_l)`, with odds a that give every look its records. Uniform draws
of all ways to hand out records come the closer to it, the more people there are of each kind.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.errors import DataError
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.shared.matching import Matching
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Pairs", "maximum_entropy", "refuse", "refuse_strangers"]

_ROUNDS = 2000
"""So many rounds are made at most to find the odds of looks."""

_WORK = 200_000_000
"""So many pairs are looked at in all rounds together, if these are not fewer than 30."""

_CLOSE = 1e-10
"""Odds are found if a round changes none by more than this share."""

_HUGE = 1e15
"""With higher odds than this it is certain that a person has a record."""

_LEAST = 1e-300
"""Nothing is divided by less."""


@define(eq=False, frozen=True)
class Pairs:
    """Which kinds match which looks, one pair after the other.

    Attributes
    ----------
    kind, look
        The pairs.
    sizes
        How many people are of each kind.
    records
        How many records have each look.
    """

    kind: CodeArray
    look: CodeArray
    sizes: CountArray
    records: CountArray

    @classmethod
    def of(cls, matching: Matching) -> Pairs:
        """Take kinds and looks that match."""
        kinds = np.arange(matching.first.size, dtype=np.int32)
        kind = np.repeat(kinds, np.diff(matching.indptr))
        return cls(kind, matching.looks, matching.kind_sizes, matching.look_sizes)

    def keep(self, which: BoolArray, looks: BoolArray) -> Pairs:
        """Keep some pairs, and the records of some looks."""
        records = np.where(looks, self.records, 0)
        return Pairs(self.kind[which], self.look[which], self.sizes, records)

    def without(self, kinds: BoolArray) -> Pairs:
        """Leave out some kinds, with the looks that only they match."""
        which = ~kinds[self.kind]
        looks = np.bincount(self.look[which], minlength=self.records.size) > 0
        return self.keep(which, looks)

    def n_people(self) -> CountArray:
        """Count the people who match each look."""
        return self._by_look(self.sizes[self.kind]).astype(np.int64)

    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Bound for each kind the share of its people who are in the release."""
        records, sizes = self.records[self.look], self.sizes[self.kind]
        others = self.n_people()[self.look] - sizes
        low = np.zeros(self.sizes.size)
        np.maximum.at(low, self.kind, (records - others) / sizes)
        return low, np.minimum(self._by_kind(records) / np.maximum(self.sizes, 1), 1.0)

    def expected(self, odds: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give the records that looks have with these odds, and the share of each kind."""
        of_kind = self._by_kind(odds[self.look])
        records = odds * self._by_look((self.sizes / (1 + of_kind))[self.kind])
        return records, of_kind / (1 + of_kind)

    def _by_look(self, amounts: CountArray | FloatArray) -> FloatArray:
        return np.bincount(self.look, amounts, self.records.size).astype(float)

    def _by_kind(self, amounts: CountArray | FloatArray) -> FloatArray:
        return np.bincount(self.kind, amounts, self.sizes.size).astype(float)


def maximum_entropy(pairs: Pairs) -> tuple[FloatArray, int, float]:
    """Find the distribution of the greatest entropy.

    First, where as many people match a look as it has records, all of them have these, and have no
    others. The odds of the other looks are then moved until every look has its records: by as much
    as would be right if it did not overlap. Moving the logarithms of the odds in that way brings
    any two choices of them closer together, because their derivatives are not negative and add up
    to less than 1 in every row.
    """
    likely = np.zeros(pairs.sizes.size)
    while pairs.look.size:
        is_full = (pairs.n_people() == pairs.records) & (pairs.records > 0)
        if not is_full.any():
            break
        taken = np.zeros(likely.size, bool)
        taken[pairs.kind[is_full[pairs.look]]] = True
        likely[taken] = 1.0
        pairs = pairs.keep(~taken[pairs.kind], ~is_full)
        refuse_strangers(pairs.records, pairs.n_people())
    n_people, n_rounds = pairs.n_people(), 0
    asked = pairs.records / np.maximum(n_people - pairs.records, 1)
    odds, records, share = asked, pairs.records.astype(float), np.zeros(likely.size)
    most = min(_ROUNDS, max(_WORK // max(pairs.look.size, 1), 30))
    while pairs.look.size and n_rounds < most:
        n_rounds += 1
        records, share = pairs.expected(odds)
        reached = records / np.maximum(n_people - records, _LEAST)
        ratio = np.divide(asked, reached, out=np.ones_like(asked), where=reached > 0)
        odds = odds * ratio
        if np.abs(ratio - 1).max() < _CLOSE:
            break
        if odds.max() > _HUGE:
            # By now all who match these looks have a record, and records are still left.
            refuse_strangers(np.rint(pairs.records - records).astype(np.int64), 0 * n_people)
            break
    return np.maximum(likely, share), n_rounds, float(np.abs(records - pairs.records).sum())


def refuse_strangers(records: CountArray, people: CountArray) -> None:
    """Refuse more records with a look than there are people who match it.

    Raises
    ------
    DataError
        If there are such.
    """
    if n := int(np.maximum(records - people, 0).sum()):
        refuse(n)


def refuse(n: int) -> None:
    """Refuse a population to which so many records cannot belong.

    Raises
    ------
    DataError
        Always.
    """
    raise DataError(
        f"at least {quantity(n, 'record')} of the release cannot belong to anybody of the "
        "population: too few of its people look like that. The population must hold everybody who "
        "is in the release, once, under the same columns"
    )
