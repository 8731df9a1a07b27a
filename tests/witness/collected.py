"""What can be told from answers that people made noisy themselves.

Warner, "Randomized response", 1965. Aggarwal, "Data mining: the textbook", 2015: equations 20.1 to
20.5, after Agrawal and Srikant, "Privacy-preserving data mining", SIGMOD 2000. Agrawal and
Aggarwal, "On the design and quantification of privacy preserving data mining algorithms", PODS
2001: expectation maximization.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction

__all__ = [
    "answer_counts",
    "bayes_round",
    "em_round",
    "expected_estimate",
    "log_likelihood",
    "naive_bayes",
    "reconstructed",
    "reconstructed_kept",
    "response_estimate",
    "response_variance",
]

Interval = tuple[float, float]
Density = Callable[[float], float]


def answer_counts(counts: Sequence[int], truth: Fraction) -> dict[tuple[int, ...], Fraction]:
    """Give the probability of every outcome: how many people gave each answer.

    Everybody tells the truth with a probability, and else any other category, all as likely.

    >>> found = answer_counts([1, 1], Fraction(3, 4))
    >>> {outcome: str(p) for outcome, p in sorted(found.items())}
    {(0, 2): '3/16', (1, 1): '5/8', (2, 0): '3/16'}
    """
    k = len(counts)
    found = {(0,) * k: Fraction(1)}
    for category, n in enumerate(counts):
        for _ in range(n):
            later: dict[tuple[int, ...], Fraction] = {}
            for outcome, p in found.items():
                for answer in range(k):
                    chance = truth if answer == category else (1 - truth) / (k - 1)
                    one_more = tuple(c + (i == answer) for i, c in enumerate(outcome))
                    later[one_more] = later.get(one_more, Fraction(0)) + p * chance
            found = later
    return found


def response_estimate(answers: Sequence[int], truth: Fraction) -> list[Fraction]:
    """Estimate the shares: (share of the answer - q) / (truth - q), q the chance of each lie.

    >>> [str(p) for p in response_estimate([2, 0], Fraction(3, 4))]
    ['3/2', '-1/2']
    """
    n, lie = sum(answers), (1 - truth) / (len(answers) - 1)
    return [(Fraction(a, n) - lie) / (truth - lie) for a in answers]


def expected_estimate(counts: Sequence[int], truth: Fraction) -> list[Fraction]:
    """Give the expected estimate, over all outcomes; it is the truth.

    >>> [str(p) for p in expected_estimate([1, 3], Fraction(2, 3))]
    ['1/4', '3/4']
    """
    total = [Fraction(0)] * len(counts)
    for outcome, p in answer_counts(counts, truth).items():
        for i, share in enumerate(response_estimate(outcome, truth)):
            total[i] += p * share
    return total


def response_variance(counts: Sequence[int], truth: Fraction, category: int) -> Fraction:
    """Give the variance of the estimate of a share among these people, over all outcomes.

    >>> str(response_variance([1, 3], Fraction(3, 4), 0))
    '3/16'
    """
    share = Fraction(counts[category], sum(counts))
    return sum(
        (
            p * (response_estimate(outcome, truth)[category] - share) ** 2
            for outcome, p in answer_counts(counts, truth).items()
        ),
        start=Fraction(0),
    )


def reconstructed_kept(
    observed: Mapping[Hashable, Fraction], p: Fraction
) -> dict[Hashable, Fraction]:
    """Give the true shares if a value is kept with probability p, and else any of all values.

    >>> shares = {"a": Fraction(2, 5), "b": Fraction(3, 5)}
    >>> {v: str(share) for v, share in reconstructed_kept(shares, Fraction(1, 2)).items()}
    {'a': '3/10', 'b': '7/10'}
    """
    return {v: (share - (1 - p) / len(observed)) / p for v, share in observed.items()}


def bayes_round(
    density: Sequence[float], intervals: Sequence[Interval], seen: Sequence[float], noise: Density
) -> list[float]:
    """Update a density that is constant on intervals, and looked at in their middles (Eq. 20.5).

    f'(a) = 1/n sum over z of noise(z - a) f(a) / sum over w of noise(z - w) f(w) width(w). An
    observation that no interval explains says nothing, and is left out of the mean.

    >>> even = lambda y: 0.5 if -1 <= y <= 1 else 0.0
    >>> bayes_round([0.5, 0.5], [(-0.5, 0.5), (0.5, 1.5)], [0.2, 1.8], even)
    [0.25, 0.75]
    """
    middles = [(lo + hi) / 2 for lo, hi in intervals]
    total, n = [0.0] * len(density), 0
    for z in seen:
        explained = sum(
            noise(z - w) * f * (hi - lo)
            for w, f, (lo, hi) in zip(middles, density, intervals, strict=True)
        )
        if explained:
            n += 1
            for j, (a, f) in enumerate(zip(middles, density, strict=True)):
                total[j] += noise(z - a) * f / explained
    return [t / n for t in total]


def reconstructed(
    intervals: Sequence[Interval], seen: Sequence[float], noise: Density, rounds: int
) -> list[float]:
    """Start from the even density, and update it so many times."""
    width = sum(hi - lo for lo, hi in intervals)
    density = [1 / width] * len(intervals)
    for _ in range(rounds):
        density = bayes_round(density, intervals, seen, noise)
    return density


def em_round(
    shares: Sequence[float], intervals: Sequence[Interval], seen: Sequence[float], cdf: Density
) -> list[float]:
    """Update the shares of intervals by expectation maximization.

    The chance of z from an interval is the mean density of the noise over it: (cdf(z - lo) - cdf(z
    - hi)) / width. Every z is shared among the intervals by the posterior, and shares are means.

    >>> even = lambda y: min(max((y + 1) / 2, 0.0), 1.0)
    >>> em_round([0.5, 0.5], [(-0.5, 0.5), (0.5, 1.5)], [0.2, 2.2], even)
    [0.29411764705882354, 0.7058823529411764]
    """
    total = [0.0] * len(shares)
    for z in seen:
        weights = [share * _chance(z, i, cdf) for share, i in zip(shares, intervals, strict=True)]
        for j, weight in enumerate(weights):
            total[j] += weight / sum(weights)
    return [t / len(seen) for t in total]


def log_likelihood(
    shares: Sequence[float], intervals: Sequence[Interval], seen: Sequence[float], cdf: Density
) -> float:
    """Give the logarithm of the density of all observations, which no round lets fall."""
    return sum(
        math.log(sum(s * _chance(z, i, cdf) for s, i in zip(shares, intervals, strict=True)))
        for z in seen
    )


def naive_bayes(
    priors: Mapping[Hashable, float],
    tables: Mapping[Hashable, Sequence[Sequence[float]]],
    record: Sequence[int],
) -> dict[Hashable, float]:
    """Give the probability of every class of a record, whose values are places of intervals.

    ``tables[c][j][v]`` is the probability of interval v on attribute j in class c.

    >>> tables = {"y": [[0.9, 0.1]], "n": [[0.3, 0.7]]}
    >>> found = naive_bayes({"y": 0.5, "n": 0.5}, tables, [0])
    >>> {c: round(p, 12) for c, p in found.items()}
    {'y': 0.75, 'n': 0.25}
    """
    weights = {
        c: prior * math.prod(table[v] for table, v in zip(tables[c], record, strict=True))
        for c, prior in priors.items()
    }
    return {c: weight / sum(weights.values()) for c, weight in weights.items()}


def _chance(z: float, interval: Interval, cdf: Density) -> float:
    lo, hi = interval
    return (cdf(z - lo) - cdf(z - hi)) / (hi - lo)
