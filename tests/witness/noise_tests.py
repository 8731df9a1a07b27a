"""Tests of noise: whether samples come from a distribution, with both errors stated beforehand.

A test has a false-alarm rate, the largest probability with which it rejects the right distribution,
and for another distribution a power, the least probability with which it rejects that one. Both are
proved here, not measured:

- `agrees` compares empirical and given cdf. By Massart's constant in the inequality of Dvoretzky,
  Kiefer and Wolfowitz their largest difference exceeds c with a probability of at most
  2 exp(-2 n c^2), for any distribution, continuous or not. If the samples come from another cdf
  that is D > c away, the test misses that with a probability of at most 2 exp(-2 n (D - c)^2).
- `has_scale` adds up what has an exact distribution: twice the absolute values of Laplace noise
  over its scale are chi-square with 2n degrees of freedom, the squares of Gaussian noise over its
  variance with n. It needs ten times fewer samples, and sees the scale alone.

Dvoretzky, Kiefer and Wolfowitz, 1956; Massart, "The tight constant in the
Dvoretzky-Kiefer-Wolfowitz inequality", 1990.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

__all__ = [
    "agrees",
    "chi_square_above",
    "critical_distance",
    "distance",
    "distance_of_scales",
    "has_scale",
    "power",
    "samples_needed",
    "scale_power",
]

Cdf = Callable[[float], float]


def distance(samples: Sequence[float], cdf: Cdf, before: Cdf | None = None) -> float:
    """Give the largest difference of the samples' cdf and a given one (Kolmogorov-Smirnov).

    ``before`` is the probability of less than x, for distributions in which single values have a
    probability of their own.

    >>> distance([0.1, 0.4, 0.9], lambda x: x)
    0.2666666666666666
    >>> distance([0, 0, 1, 1], lambda x: 0.5 * (x >= 0) + 0.5 * (x >= 1),
    ...     lambda x: 0.5 * (x > 0) + 0.5 * (x > 1))
    0.0
    """
    ordered, n, worst = sorted(samples), len(samples), 0.0
    below = before or cdf
    i = 0
    while i < n:
        j = i
        while j < n and ordered[j] == ordered[i]:
            j += 1
        worst = max(worst, abs(j / n - cdf(ordered[i])), abs(i / n - below(ordered[i])))
        i = j
    return worst


def critical_distance(n: int, false_alarm: float) -> float:
    """Give the distance that is exceeded by chance with at most this probability.

    >>> round(critical_distance(10_000, 1e-6), 5)
    0.02693
    """
    return math.sqrt(math.log(2 / false_alarm) / (2 * n))


def agrees(
    samples: Sequence[float], cdf: Cdf, false_alarm: float, before: Cdf | None = None
) -> bool:
    """Whether samples may come from a distribution; wrong at most this often if they do."""
    return distance(samples, cdf, before) <= critical_distance(len(samples), false_alarm)


def power(n: int, apart: float, false_alarm: float) -> float:
    """Give the least probability with which n samples of a cdf that far away are rejected.

    >>> power(20_000, 0.048, 1e-6) > 1 - 1e-6
    True
    """
    room = apart - critical_distance(n, false_alarm)
    return max(0.0, 1 - 2 * math.exp(-2 * n * room**2)) if room > 0 else 0.0


def samples_needed(apart: float, false_alarm: float, missed: float) -> int:
    """Give how many samples keep both errors against a cdf that far away.

    >>> samples_needed(0.048, 1e-6, 1e-6)
    12595
    """
    roots = math.sqrt(math.log(2 / false_alarm)) + math.sqrt(math.log(2 / missed))
    return math.ceil((roots / apart) ** 2 / 2)


def distance_of_scales(cdf: Cdf, factor: float, points: Sequence[float]) -> float:
    """Give a lower bound on how far a cdf is from itself stretched by a factor, seen at points."""
    return max(abs(cdf(x) - cdf(x / factor)) for x in points)


def has_scale(samples: Sequence[float], scale: float, kind: str, false_alarm: float) -> bool:
    """Whether Laplace or Gaussian noise may have this scale; half of the false alarms either way.

    The number of samples of Gaussian noise must be even.
    """
    total, degrees = _statistic(samples, scale, kind)
    above = chi_square_above(total, degrees)
    return false_alarm / 2 <= above <= 1 - false_alarm / 2


def scale_power(n: int, factor: float, kind: str, false_alarm: float) -> float:
    """Give the probability with which n samples of a scale that many times the asked are rejected.

    Exactly: the statistic is chi-square times the factor (Laplace) or its square (Gaussian).

    >>> scale_power(2000, 1.3, "laplace", 1e-6) > 1 - 1e-6
    True
    """
    degrees, stretch = (2 * n, factor) if kind == "laplace" else (n, factor**2)
    low, high = (_quantile(p, degrees) for p in (1 - false_alarm / 2, false_alarm / 2))
    return 1 - (
        chi_square_above(low / stretch, degrees) - chi_square_above(high / stretch, degrees)
    )


def chi_square_above(x: float, degrees: int) -> float:
    """Give the probability that chi-square of an even number of degrees of freedom exceeds x.

    It is that of fewer than degrees/2 events of a Poisson process with mean x/2.

    >>> round(chi_square_above(4.0, 2), 6), round(chi_square_above(9.49, 4), 3)
    (0.135335, 0.05)
    """
    if degrees % 2:
        raise ValueError("an even number of degrees of freedom is needed")
    if x <= 0:
        return 1.0
    mean = x / 2
    logs = [k * math.log(mean) - mean - math.lgamma(k + 1) for k in range(degrees // 2)]
    top = max(logs)
    return min(1.0, math.exp(top) * math.fsum(math.exp(log - top) for log in logs))


def _statistic(samples: Sequence[float], scale: float, kind: str) -> tuple[float, int]:
    if kind == "laplace":
        return 2 * math.fsum(abs(x) for x in samples) / scale, 2 * len(samples)
    if kind == "gaussian":
        return math.fsum(x * x for x in samples) / scale**2, len(samples)
    raise ValueError(f"no test of the scale of {kind} noise")


def _quantile(above: float, degrees: int) -> float:
    """Give the number that chi-square exceeds with this probability, by halving."""
    low, high = 0.0, 2.0 * degrees + 400
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_above(middle, degrees) > above else (low, middle)
    return (low + high) / 2
