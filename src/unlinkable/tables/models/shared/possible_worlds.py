"""Possible worlds: what somebody believes of a group who weighs them by a prior."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import DataError
from unlinkable.kernels.worlds import extremes, greatest_chances, joint_chances
from unlinkable.params import exact
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.coded_prior import CodedPrior
from unlinkable.tables.models.shared.exact_worlds import joint_chance, value_chance
from unlinkable.tables.models.shared.largest_posterior import LargestPosterior
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["Worlds"]

_MOST_STATES = 1 << 18
"""Groups with more states are not counted."""


@define(eq=False, frozen=True)
class Worlds:
    """The worlds that groups allow, weighed by what is believed.

    Attributes
    ----------
    seen, hidden
        What people of the groups show, and which values they have.
    beliefs
        How likely who shows what has which value.
    is_joint
        Whether all values of a group are weighed at once.
    chances
        How likely somebody has a value, over all worlds.
    """

    seen: Histogram
    hidden: Histogram
    beliefs: CodedPrior
    is_joint: bool
    chances: LargestPosterior

    @classmethod
    def by_value(
        cls, seen: Histogram, hidden: Histogram, beliefs: CodedPrior, asked: BoolArray
    ) -> Self:
        """Weigh worlds in which some people have a value, and others have not.

        Raises
        ------
        DataError
            If a group has no world.
        """
        shares, others = beliefs.prior.shares, beliefs.prior.others
        rows, places = beliefs.row[seen.values], beliefs.place[hidden.values]
        places = np.where(asked, places, np.int32(-1))
        most, least = extremes(seen.indptr, rows, hidden.indptr, places, shares)
        people = seen.indptr, rows, seen.counts
        values = hidden.indptr, places, hidden.counts
        chance = greatest_chances(*people, *values, shares, others, most, least)
        _refuse_impossible(chance, hidden, beliefs)
        is_even = np.ones(chance.size, bool)
        is_even[asked] = shares[most[asked], places[asked]] == shares[least[asked], places[asked]]
        chances = LargestPosterior(
            hidden,
            chance=chance,
            who=most.astype(np.int64),
            is_even=is_even,
            is_counted=np.ones(chance.size, bool),
        )
        return cls(seen, hidden, beliefs, False, chances)

    @classmethod
    def jointly(
        cls, seen: Histogram, hidden: Histogram, beliefs: CodedPrior, asked: BoolArray
    ) -> Self:
        """Weigh worlds in which all values of a group are handed out.

        Raises
        ------
        DataError
            If a group has no world.
        """
        rows, places = beliefs.row[seen.values], beliefs.place[hidden.values]
        people = seen.indptr, rows, seen.counts
        values = hidden.indptr, places, hidden.counts
        found = joint_chances(*people, *values, beliefs.prior.shares, _MOST_STATES)
        chance, who, is_even, is_counted = found
        _refuse_impossible(chance, hidden, beliefs)
        chances = LargestPosterior(
            hidden,
            chance=np.where(asked, chance, 0.0),
            who=who.astype(np.int64),
            is_even=is_even[hidden.row],
            is_counted=is_counted[hidden.row] | ~asked,
        )
        return cls(seen, hidden, beliefs, True, chances)

    def exactly(self, entry: int) -> Fraction | None:
        """Give one of the chances as a fraction; None if that takes too long."""
        at = int(self.hidden.row[entry])
        people = slice(self.seen.indptr[at], self.seen.indptr[at + 1])
        rows, counts = self.beliefs.row[self.seen.values[people]], self.seen.counts[people].tolist()
        values = slice(self.hidden.indptr[at], self.hidden.indptr[at + 1])
        if not self.is_joint:
            place = self.beliefs.place[self.hidden.values[entry]]
            likely: Counter[Fraction] = Counter()
            for p, n in zip(_exact(self.beliefs.prior.shares[rows, place]), counts, strict=True):
                likely[p] += n
            return value_chance(tuple(sorted(likely.items())), int(self.hidden.counts[entry]))
        places = self.beliefs.place[self.hidden.values[values]]
        weights = tuple(_exact(self.beliefs.prior.shares[row, places]) for row in rows)
        room = tuple(self.hidden.counts[values].tolist())
        return joint_chance(weights, tuple(counts), room, entry - int(values.start))

    def describe(self) -> str:
        """Find who most likely has which value, in a single group; nothing if nobody has any."""
        entry = int(np.argmax(self.chances.chance))
        chance, code = self.chances.chance[entry], self.hidden.values[entry]
        if not chance:
            return ""
        prior, row = self.beliefs.prior, int(self.chances.who[entry])
        n, f = int(self.seen.counts.sum()), int(self.hidden.counts[entry])
        before = prior.shares[row, self.beliefs.place[code]]
        at_most = "" if self.chances.is_counted[entry] else "at most "
        return (
            f"whoever shows {prior.describe(row)} has {self.hidden.text(int(code)) or 'no value'} "
            f"with a chance of {at_most}{chance:.4g} ({f} of {n} records have it, and {before:.4g} "
            "was believed)"
        )


def _exact(shares: FloatArray) -> tuple[Fraction, ...]:
    return tuple(exact(p) for p in shares.tolist())


def _refuse_impossible(chance: FloatArray, hidden: Histogram, beliefs: CodedPrior) -> None:
    impossible = np.isnan(chance)
    if impossible.any():
        n = np.unique(hidden.row[impossible]).size
        raise DataError(
            f"prior {beliefs.prior.name!r} leaves no possible world for {n} of {hidden.n_groups} "
            "groups: it takes something for certain, or for impossible, that the table "
            "contradicts. Correct the chances of 0 and 1"
        )
