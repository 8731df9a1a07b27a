"""Discrete medians: numbers cut where they tell a class apart, and shown as medians.

Fayyad and Irani, "Multi-interval discretization of continuous-valued attributes for classification
learning", 1993; Babu, "Utility-based privacy preserving data publishing", 2013: section 5.3.2.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import median_high, median_low

__all__ = ["best_cut", "candidates", "cuts", "entropy", "gain", "medians", "threshold"]

Number = int | float | Fraction
Pair = tuple[Number, Hashable]


def entropy(classes: Sequence[Hashable]) -> float:
    """Give the entropy of classes in bits."""
    n = len(classes)
    return sum(c / n * math.log2(n / c) for c in Counter(classes).values())


def candidates(pairs: Sequence[Pair]) -> list[Fraction]:
    """List the midpoints between neighbouring different numbers.

    >>> [str(cut) for cut in candidates([(1, "x"), (4, "y"), (1, "y"), (5, "x")])]
    ['5/2', '9/2']
    """
    numbers = sorted({Fraction(x) for x, _ in pairs})
    return [(a + b) / 2 for a, b in pairwise(numbers)]


def gain(pairs: Sequence[Pair], cut: Number) -> float:
    """Give by how many bits the entropy of the class falls when its number is known by the cut."""
    low, high = _halves(pairs, cut)
    return entropy(_classes(pairs)) - sum(
        len(part) / len(pairs) * entropy(_classes(part)) for part in (low, high)
    )


def threshold(pairs: Sequence[Pair], cut: Number) -> float:
    """Give the gain that a cut must exceed by the principle of minimum description length.

    ``(log2(N - 1) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)) / N`` with the k classes present.
    """
    low, high = _halves(pairs, cut)
    k, spread = len({*_classes(pairs)}), 0.0
    for sign, part in ((1, pairs), (-1, low), (-1, high)):
        spread += sign * len({*_classes(part)}) * entropy(_classes(part))
    return (math.log2(len(pairs) - 1) + math.log2(3**k - 2) - spread) / len(pairs)


def best_cut(pairs: Sequence[Pair]) -> Fraction | None:
    """Give the cut of the largest gain, the lowest of equals."""
    return max(candidates(pairs), key=lambda cut: (round(gain(pairs, cut), 12), -cut), default=None)


def cuts(pairs: Sequence[Pair]) -> list[Fraction]:
    """Cut at the largest gain while it pays, and cut both halves in the same way.

    >>> [str(cut) for cut in cuts([(x, x > 9) for x in range(20)])]
    ['19/2']
    >>> cuts([(x, x % 2) for x in range(20)])
    []
    """
    cut = best_cut(pairs)
    if cut is None or gain(pairs, cut) <= threshold(pairs, cut):
        return []
    low, high = _halves(pairs, cut)
    return [*cuts(low), cut, *cuts(high)]


def medians(numbers: Sequence[Number], at: Sequence[Number], kind: str = "average") -> list[Number]:
    """Replace every number by the median of its group.

    >>> medians([1, 2, 5, 9], [4], "low"), medians([1, 2, 5, 9], [4], "high")
    ([1, 1, 5, 5], [2, 2, 9, 9])
    """
    middles: dict[str, Callable[[list[Number]], Number]] = {
        "average": lambda group: (median_low(group) + median_high(group)) / 2,
        "low": median_low,
        "high": median_high,
    }
    groups: dict[int, list[Number]] = {}
    for x in numbers:
        groups.setdefault(sum(x > cut for cut in at), []).append(x)
    return [middles[kind](groups[sum(x > cut for cut in at)]) for x in numbers]


def _classes(pairs: Sequence[Pair]) -> list[Hashable]:
    return [c for _, c in pairs]


def _halves(pairs: Sequence[Pair], cut: Number) -> tuple[list[Pair], list[Pair]]:
    return [p for p in pairs if p[0] <= cut], [p for p in pairs if p[0] > cut]
