"""Amounts of knowledge: the confidence of an adversary who knows something of several people.

Groups are *worlds*: the values of a group belong to its people, one each, and every way to hand
them out is equally likely, in each group by itself. Somebody who aims at a value s of a victim t
knows [1]_

- l values other than s that t does not have,
- the values of k other people, and
- a family of m further people: if any of them has s, so has t.

`confidences` gives the largest probability of s that any such knowledge leads to. Let the group of
t have n records, a of them with s, and let the l most frequent other values leave r of the n - a
others. If nothing is known of others, the odds against s are r / a. They are lowered

- by 1 / a for every other person of the group who is known to have one of the r values;
- by the chance that none of the family has s, for t does not have s only if none of them does. In
  a group of n' records, of which a' have s, that is the product of 1 - a' / (n' - i) for i < m. At
  home it is taken without t. Every person of that group who is known not to have s takes 1 from n'.

The logarithm of that product is concave in m, and in the number of people known; so is log (r - k).
A sum of concave functions is least at an end: the whole family is in one group, at home or not, and
all people of whom values are known are at home, or all in the family's group. Three cases are left
for each group that the family may be in, and of all groups away from home only the best counts.

References
----------
.. [1] B.-C. Chen, K. LeFevre, R. Ramakrishnan. "Privacy skyline: privacy with multidimensional
   adversarial knowledge." VLDB 2007.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache

import numpy as np
from attrs import frozen

from unlinkable.kernels.distributions import sum_largest
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["KnowledgeAmounts", "are_below", "confidences"]

_CLOSE = 1e-9
"""Floats decide what is further than this from a bound, or from another float."""


@frozen
class KnowledgeAmounts:
    """How much is known: l values that the victim does not have, k others, a family of m."""

    l: int  # noqa: E741
    k: int
    m: int


def confidences(hidden: Histogram, sizes: CountArray, known: KnowledgeAmounts) -> FloatArray:
    """Give for every value of every group how sure one can be of it there.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> letters = Flat().build(observe("s", ["a", "b", "c"]))
    >>> one = Histogram(np.array([0, 3]), np.arange(3, dtype=np.int32), np.array([2, 1, 1]), 3)
    >>> confidences(one, np.array([4]), KnowledgeAmounts(1, 0, 0)).round(3).tolist()
    [0.667, 0.5, 0.5]
    >>> confidences(one, np.array([4]), KnowledgeAmounts(0, 0, 1)).round(3).tolist()
    [0.75, 0.333, 0.333]
    """
    a, n = hidden.counts, sizes[hidden.row]
    rest = _rest(hidden, n, known.l)
    at_home = np.maximum(rest - known.k, 0)
    odds = at_home * _chances(n - a - known.k - 1, n - known.k - 1, known.m)
    if known.m:
        plain = _best_elsewhere(hidden, _chances(n - a, n, known.m))
        away = _best_elsewhere(hidden, _chances(n - a - known.k, n - known.k, known.m))
        odds = np.minimum(odds, np.minimum(at_home * plain, rest * away))
    sure: FloatArray = a / (a + odds)
    return sure


def are_below(
    hidden: Histogram, sizes: CountArray, known: KnowledgeAmounts, bound: Fraction
) -> BoolArray:
    """Decide for every value of every group whether one can only be less sure than the bound."""
    a, n = hidden.counts, sizes[hidden.row]
    if known.m == 0:
        rest = np.maximum(_rest(hidden, n, known.l) - known.k, 0)
        return is_within(a, bound, a + rest, strict=True)
    gap = float(bound) - confidences(hidden, sizes, known)
    below: BoolArray = gap > 0
    close = np.flatnonzero(np.abs(gap) <= _CLOSE)
    if close.size:
        exact = _Exact(hidden, n, known)
        for at in close.tolist():
            below[at] = bound * (1 + exact.odds(at)) > 1
    return below


class _Exact:
    """Odds as fractions, for what is too close to call."""

    def __init__(self, hidden: Histogram, n: CountArray, known: KnowledgeAmounts) -> None:
        self._known, self._values = known, hidden.values
        self._a, self._n, self._rest = hidden.counts, n, _rest(hidden, n, known.l)
        self._near: dict[tuple[int, int], Counter[tuple[int, int]]] = {}

    def odds(self, at: int) -> Fraction:
        """Give the least odds against the value of an entry."""
        k, m = self._known.k, self._known.m
        a, n, rest = int(self._a[at]), int(self._n[at]), int(self._rest[at])
        home = max(rest - k, 0)
        odds = [home * _chance(n - a - k - 1, n - k - 1, m)]
        odds += [home * _chance(b, size, m) for b, size in self._elsewhere(at, 0)]
        odds += [rest * _chance(b, size, m) for b, size in self._elsewhere(at, k)]
        return min(odds) / a

    def _elsewhere(self, at: int, k: int) -> list[tuple[int, int]]:
        """List other groups where the family may be best: how many lack the value, and sizes."""
        key = int(self._values[at]), k
        if key not in self._near:
            same = np.flatnonzero(self._values == key[0])
            b, n = self._n[same] - self._a[same] - k, self._n[same] - k
            chances = _chances(b, n, self._known.m)
            second = np.sort(chances)[:2][-1]
            near = chances <= second + _CLOSE
            self._near[key] = Counter(zip(b[near].tolist(), n[near].tolist(), strict=True))
        own = int(self._n[at] - self._a[at]) - k, int(self._n[at]) - k
        return list(self._near[key] - Counter([own]))


def _rest(hidden: Histogram, n: CountArray, l: int) -> CountArray:  # noqa: E741
    """Count the records of other values that are left without the l most frequent of these."""
    if l == 0:
        return n - hidden.counts
    fewer, top, more = (
        sum_largest(hidden.indptr, hidden.counts, x)[hidden.row] if x else np.zeros_like(n)
        for x in (l - 1, l, l + 1)
    )
    # Of those at the top, the value itself does not count: the next one moves up.
    others = np.where(hidden.counts >= top - fewer, more - hidden.counts, top)
    rest: CountArray = n - hidden.counts - others
    return rest


def _chances(b: CountArray, n: CountArray, m: int) -> FloatArray:
    """Give the chance that m people of a group of n are among the b who do not have the value."""
    lacking, people = b.astype(float), n.astype(float)
    chance = np.ones(b.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(min(m, int(b.max(initial=0)))):
            chance *= (lacking - i) / (people - i)
    chance[b < m] = 0.0
    return chance


@lru_cache(maxsize=1 << 14)
def _chance(b: int, n: int, m: int) -> Fraction:
    chance = Fraction(1)
    for i in range(m):
        if b <= i:
            return Fraction(0)
        chance *= Fraction(b - i, n - i)
    return chance


def _best_elsewhere(hidden: Histogram, chances: FloatArray) -> FloatArray:
    """Give for every value of a group the least chance of the same value in other groups, or 1."""
    least, second = np.ones(hidden.n_values), np.ones(hidden.n_values)
    np.minimum.at(least, hidden.values, chances)
    is_least = chances == least[hidden.values]
    how_many = np.bincount(hidden.values[is_least], minlength=hidden.n_values)
    np.minimum.at(second, hidden.values[~is_least], chances[~is_least])
    is_alone = is_least & (how_many[hidden.values] == 1)
    return np.where(is_alone, second[hidden.values], least[hidden.values])
