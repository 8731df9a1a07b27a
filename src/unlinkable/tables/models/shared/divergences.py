"""Distances between distributions that know nothing of values but their shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from attrs import define

from unlinkable.kernels.distributions import relative_entropies, squared_hellinger
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.distribution_distance import (
    WIDEST,
    DistributionDistance,
    Reference,
    are_same,
    as_numbers,
)
from unlinkable.tables.models.shared.exact_powers import is_at_least_exp
from unlinkable.tables.models.shared.exact_roots import is_at_least_zero
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["Hellinger", "RelativeEntropy"]

_CLOSE = 1e-9
"""Floats decide what is further than this from the bound."""

_ERROR = 1e-14
"""What is computed in floats is off by less than this."""

Pairs = tuple[tuple[int, int], ...]
"""Counts of the same value in a group and in what it is compared with."""


@define(eq=False, frozen=True)
class RelativeEntropy(DistributionDistance):
    """The sum of p log(p / q), in nats: Kullback and Leibler's divergence of p from q.

    It is infinite where p has a value that q lacks. It is never equal to a fraction but 0, which
    it is for equal shares only: floats decide what is clear, and enough digits what is close.
    """

    def distances(self, hidden: Histogram, sizes: CountArray, others: Reference) -> FloatArray:
        rows, whole, totals = as_numbers(np.int64, hidden, sizes, others)
        return np.maximum(relative_entropies(*rows, whole, totals, others.which), 0.0)

    def are_within(
        self, hidden: Histogram, sizes: CountArray, others: Reference, bound: Fraction
    ) -> BoolArray:
        if not bound:
            return are_same(hidden, sizes, others)
        gap = self.distances(hidden, sizes, others) - float(bound)
        good = gap < 0
        close = np.abs(gap) <= _CLOSE * max(float(bound), 1.0)
        _decide(good, close, hidden, others, bound, _gains_at_most)
        return good


@define(eq=False, frozen=True)
class Hellinger(DistributionDistance):
    """The root of 1 - sum sqrt(p q), from 0 for equal shares to 1 for different values.

    Sums of roots are compared with the bound in floats where that is clear, and by their digits,
    and by which of them are multiples of each other, where it is close.
    """

    def distances(self, hidden: Histogram, sizes: CountArray, others: Reference) -> FloatArray:
        far: FloatArray = np.sqrt(self._squares(hidden, sizes, others))
        return far

    def are_within(
        self, hidden: Histogram, sizes: CountArray, others: Reference, bound: Fraction
    ) -> BoolArray:
        if not bound:
            return are_same(hidden, sizes, others)
        most = float(bound * bound)
        gap = self._squares(hidden, sizes, others) - most
        good = gap < 0
        close = np.abs(gap) <= _CLOSE * most + _ERROR
        _decide(good, close, hidden, others, bound, _overlaps_at_least)
        return good

    def _squares(self, hidden: Histogram, sizes: CountArray, others: Reference) -> FloatArray:
        dtype = np.int64 if others.most(sizes) < WIDEST else np.float64
        rows, whole, totals = as_numbers(dtype, hidden, sizes, others)
        squares: FloatArray = squared_hellinger(*rows, whole, totals, others.which)
        return squares


def _decide(
    good: BoolArray,
    close: BoolArray,
    hidden: Histogram,
    others: Reference,
    bound: Fraction,
    rule: Callable[[Pairs, int, Fraction], bool],
) -> None:
    """Decide by a rule for groups that are close to a bound, of which there are few."""
    for g in np.flatnonzero(close):
        row = slice(hidden.indptr[g], hidden.indptr[g + 1])
        there = others.counts[others.which[g]]
        pairs = zip(hidden.counts[row].tolist(), there[hidden.values[row]].tolist(), strict=True)
        good[g] = rule(tuple(sorted(pairs)), int(others.totals[others.which[g]]), bound)


@lru_cache(maxsize=1 << 14)
def _gains_at_most(pairs: Pairs, total: int, bound: Fraction) -> bool:
    """Decide whether the relative entropy of a group is at most a bound other than 0.

    For n records with counts c, in a table of N with counts w, exp(n times it) is prod (c N / n
    w)^c, a fraction.
    """
    n = sum(c for c, _ in pairs)
    powers: Counter[int] = Counter({total: n})
    powers[n] -= n
    for c, w in pairs:
        powers[c] += c
        powers[w] -= c
    return not is_at_least_exp(powers, n * bound)


@lru_cache(maxsize=1 << 14)
def _overlaps_at_least(pairs: Pairs, total: int, bound: Fraction) -> bool:
    """Decide whether the sum of sqrt(p q) is at least 1 - bound^2."""
    n = sum(c for c, _ in pairs)
    terms = [(Fraction(1), c * w) for c, w in pairs]
    return is_at_least_zero([*terms, (bound * bound - 1, n * total)])
