"""Posteriors: what is believed of everybody who knew a prior and has seen the release.

Groups with too many worlds to count are estimated: values are swapped between people of the group
as often as the worlds weigh, in several chains that start anywhere. How far the chains are apart
says how far off their mean may be.


People of a group meet in pairs, and of the two worlds in which they have what they have, or have
swapped it, each is taken as often as it weighs. In the long run every world is met as often as it
weighs [1]_.

References
----------
.. [1] D. Kifer. "Attacks on privacy and deFinetti's theorem." SIGMOD 2009, for the use of such
   chains against published buckets.
"""

from __future__ import annotations

from functools import cached_property
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.errors import DataError
from unlinkable.kernels.counting import expand_stretches
from unlinkable.kernels.linkage import first_peaks
from unlinkable.kernels.worlds import (
    balance_tables,
    joint_posteriors,
    row_starts,
    rule_out,
    swap_values,
    value_posteriors,
)
from unlinkable.tables.attacks.shared.rates import student
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import CodedPrior
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Posteriors", "deal", "estimate"]

_MOST_STATES = 1 << 18
"""Groups with more states are not counted."""


@define(eq=False, frozen=True, slots=False)
class Posteriors:
    """How likely people have which of the values of their group.

    Attributes
    ----------
    seen, hidden
        What people of the groups show, and which values they have.
    beliefs
        How likely who shows what had which value beforehand.
    chance
        For all groups one after the other a table of how likely people of each kind have each
        value; 0 for values that are not asked about.
    low, high
        Where each of these lies with 95 % certainty: the same number if it was counted.
    is_counted
        The groups of which all worlds were counted.
    """

    seen: Histogram
    hidden: Histogram
    beliefs: CodedPrior
    chance: FloatArray
    low: FloatArray
    high: FloatArray
    is_counted: BoolArray

    @classmethod
    def by_value(cls, seen: Histogram, hidden: Histogram, beliefs: CodedPrior) -> Self:
        """Weigh for each value the worlds in which some people have it, and others have not.

        Raises
        ------
        DataError
            If a group has no world.
        """
        rows, places = beliefs.row[seen.values], beliefs.place[hidden.values]
        chance = value_posteriors(
            *(seen.indptr, rows, seen.counts),
            *(hidden.indptr, places, hidden.counts),
            *(beliefs.prior.shares, beliefs.prior.others),
        )
        found = cls(seen, hidden, beliefs, chance, chance, chance, np.ones(hidden.n_groups, bool))
        found._refuse_impossible()
        return found

    @classmethod
    def jointly(
        cls, seen: Histogram, hidden: Histogram, beliefs: CodedPrior, rng: np.random.Generator
    ) -> Self:
        """Weigh worlds in which all values of a group are handed out.

        Raises
        ------
        DataError
            If a group has no world.
        """
        rows, places = beliefs.row[seen.values], beliefs.place[hidden.values]
        chance, is_counted = joint_posteriors(
            *(seen.indptr, rows, seen.counts),
            *(hidden.indptr, places, hidden.counts),
            *(beliefs.prior.shares, _MOST_STATES),
        )
        found = cls(seen, hidden, beliefs, chance, chance, chance, is_counted)
        found._refuse_impossible()
        return found if is_counted.all() else found._estimated(rng)

    @cached_property
    def start(self) -> CountArray:
        """Where the row of each entry of ``seen`` begins, and where the last one ends."""
        return row_starts(self.seen.indptr, self.hidden.indptr)

    @cached_property
    def row(self) -> CountArray:
        """For every chance, the entry of ``seen`` that it is about."""
        return np.repeat(np.arange(self.seen.values.size), np.diff(self.start))

    @cached_property
    def column(self) -> CountArray:
        """For every chance, the entry of ``hidden`` that it is about."""
        first = self.hidden.indptr[self.seen.row]
        return np.arange(self.row.size) - (self.start[:-1] - first)[self.row]

    @property
    def surest(self) -> CountArray:
        """For every entry of ``seen``, where the likeliest of its values is."""
        return first_peaks(self.start, self.chance)

    def without(self, l: int) -> Self:  # noqa: E741
        """Say what is believed of people of whom l values can be ruled out, whichever tell most.

        Each chance is then out of a whole of its own: other values are ruled out to raise it.
        """
        if l == 0:
            return self
        rest, least, most = (rule_out(self.start, x, l) for x in (self.chance, self.low, self.high))
        return evolve(
            self,
            chance=_out_of(self.chance, rest),
            low=_out_of(self.low, most),
            high=_out_of(self.high, least),
        )

    def by_text(self, group: int) -> dict[str, dict[str, float]]:
        """Give the chances of a group by what people show, and by value."""
        first, last = self.seen.indptr[group : group + 2]
        codes = self.hidden.values[self.hidden.indptr[group] : self.hidden.indptr[group + 1]]
        texts = [self.hidden.text(int(code)) for code in codes]
        return {
            self.seen.text(int(self.seen.values[j])): dict(
                zip(texts, self.chance[self.start[j] : self.start[j + 1]].tolist(), strict=True)
            )
            for j in range(first, last)
        }

    def _refuse_impossible(self) -> None:
        impossible = np.isnan(self.chance)
        if impossible.any():
            n = np.unique(self.seen.row[self.row[impossible]]).size
            raise DataError(
                f"prior {self.beliefs.prior.name!r} leaves no possible world for {n} of "
                f"{self.hidden.n_groups} groups: it takes something for certain, or for "
                "impossible, that the release contradicts. Correct the chances of 0 and 1"
            )

    def _estimated(self, rng: np.random.Generator) -> Self:
        """Estimate what was not counted; the bounds of it stay bounds."""
        wanted = ~self.is_counted
        seen, hidden = self.seen.select(wanted), self.hidden.select(wanted)
        chance, error = estimate(seen, hidden, self.beliefs, rng)
        cells = wanted[self.seen.row[self.row]]
        bound = self.chance[cells]
        new, low, high = self.chance.copy(), self.chance.copy(), self.chance.copy()
        new[cells] = np.minimum(chance, bound)
        low[cells] = np.clip(new[cells] - error, 0, 1)
        high[cells] = np.minimum(new[cells] + error, bound)
        return evolve(self, chance=new, low=low, high=high)


def _out_of(part: FloatArray, rest: FloatArray) -> FloatArray:
    return np.divide(part, part + rest, out=np.zeros_like(part), where=part > 0)


_CHAINS, _ROUNDS = 8, 400
"""Chains, and how often everybody meets another person in each; the first quarter does not
count."""


def estimate(
    seen: Histogram, hidden: Histogram, beliefs: CodedPrior, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Estimate how likely people have values, and how far off that may be.

    Where some values are impossible for some people, swaps may not lead to all worlds. Then weights
    are balanced instead, and anything up to the bound may be true.
    """
    people = _People(seen, hidden, beliefs)
    means = np.array([people.chain(rng) for _ in range(_CHAINS)])
    error = student(_CHAINS - 1) * means.std(axis=0, ddof=1) / np.sqrt(_CHAINS)
    is_open = people.has_zeros[seen.row[people.kind_of_cell]]
    return np.where(is_open, people.balanced(), means.mean(axis=0)), np.where(is_open, 1.0, error)


def deal(hidden: Histogram, start: CountArray, rng: np.random.Generator) -> CodeArray:
    """Hand the values of every group to its people, in any order.

    People of group g are at ``start[g]:start[g + 1]``. Gives for each the number of their value
    among those of their group.
    """
    slot = np.arange(hidden.values.size) - hidden.indptr[:-1][hidden.row]
    held = np.repeat(slot, hidden.counts)
    group = np.repeat(np.arange(hidden.n_groups), np.diff(start))
    return held[np.lexsort((rng.random(held.size), group))].astype(np.int32)


class _People:
    """The people of groups one by one, as kernels want them."""

    def __init__(self, seen: Histogram, hidden: Histogram, beliefs: CodedPrior) -> None:
        self._hidden, self._n = hidden, seen.reduce(np.add, seen.counts)
        self._start = np.append(0, np.cumsum(self._n))
        self._base = np.append(0, np.cumsum(self._n * hidden.distinct))
        starts = row_starts(seen.indptr, hidden.indptr)
        self.kind_of_cell = np.repeat(np.arange(seen.values.size), np.diff(starts))
        column = np.arange(starts[-1]) - starts[:-1][self.kind_of_cell]
        column += hidden.indptr[seen.row][self.kind_of_cell]
        row, place = beliefs.row[seen.values], beliefs.place[hidden.values]
        shares = beliefs.prior.shares[row[self.kind_of_cell], place[column]]
        self.has_zeros = np.zeros(hidden.n_groups, bool)
        self.has_zeros[seen.row[self.kind_of_cell[shares == 0]]] = True
        # Every person of a kind has the row of that kind.
        own = np.repeat(np.arange(seen.values.size), seen.counts)
        self._cells = expand_stretches(starts[own], np.diff(starts)[own])[1]
        with np.errstate(divide="ignore"):
            self._weights = np.maximum(np.log(shares), -700.0)[self._cells]
        self._n_cells = int(starts[-1])

    def chain(self, rng: np.random.Generator) -> FloatArray:
        """Let people swap values, and give how often people of each kind had which."""
        hidden, n = self._hidden, int(self._start[-1])
        held = deal(hidden, self._start, rng)
        credit = np.zeros(self._weights.size)
        for step in range(_ROUNDS):
            if step == _ROUNDS // 4:
                credit[:] = 0.0
            swap_values(
                self._start,
                hidden.indptr,
                self._base,
                self._weights,
                held,
                rng.random(2 * n),
                credit,
            )
        return self._by_kind(credit)

    def balanced(self) -> FloatArray:
        """Give what weights are when they are balanced."""
        out = np.empty_like(self._weights)
        hidden = self._hidden
        balance_tables(
            self._start, hidden.indptr, hidden.counts, self._base, self._weights, 100, out
        )
        return self._by_kind(out)

    def _by_kind(self, amounts: FloatArray) -> FloatArray:
        total = np.bincount(self._cells, amounts, self._n_cells)
        whole = np.bincount(self.kind_of_cell, total)
        shares: FloatArray = total / whole[self.kind_of_cell]
        return shares
