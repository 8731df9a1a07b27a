"""Differential privacy of mechanisms with finitely many outputs that matter, by definition.

Dwork, McSherry, Nissim and Smith, "Calibrating noise to sensitivity in private data analysis", TCC
2006; Ghosh, Roughgarden and Sundararajan, "Universally utility-maximizing privacy mechanisms", STOC
2009: geometric noise; McSherry and Talwar, "Mechanism design via differential privacy", FOCS 2007.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

__all__ = [
    "choice_chances",
    "composed",
    "epsilon_between",
    "gaussian_cdf",
    "geometric_cdf",
    "geometric_chance",
    "laplace_cdf",
    "least_delta",
    "noisy_counts",
    "price_of",
    "price_of_ledger",
    "response_epsilon",
]

Number = Fraction | float
Chances = Mapping[Hashable, Number]


def geometric_chance(noise: int, ratio: Number) -> Number:
    """Give the probability of two-sided geometric noise: (1 - a) / (1 + a) a^|noise|.

    The ratio a of neighbouring probabilities is exp(-1 / scale); sensitivity s costs s / scale.

    >>> [str(geometric_chance(x, Fraction(1, 2))) for x in (-2, 0, 1)]
    ['1/12', '1/3', '1/6']
    """
    return (1 - ratio) / (1 + ratio) * ratio ** abs(noise)


def geometric_cdf(noise: int, ratio: Number) -> Number:
    """Give the probability of noise of at most this.

    >>> str(geometric_cdf(0, Fraction(1, 2))), str(geometric_cdf(-1, Fraction(1, 2)))
    ('2/3', '1/3')
    """
    if noise < 0:
        return ratio**-noise / (1 + ratio)
    return 1 - ratio ** (noise + 1) / (1 + ratio)


def noisy_counts(count: int, ratio: Number, lowest: int, highest: int) -> dict[Hashable, Number]:
    """Give the probabilities of a count with geometric noise, pushed back into a range.

    >>> {n: str(p) for n, p in noisy_counts(1, Fraction(1, 2), 0, 2).items()}
    {0: '1/3', 1: '1/3', 2: '1/3'}
    """
    found: dict[Hashable, Number] = {
        n: geometric_chance(n - count, ratio) for n in range(lowest + 1, highest)
    }
    found[lowest] = geometric_cdf(lowest - count, ratio)
    found[highest] = 1 - geometric_cdf(highest - 1 - count, ratio)
    return dict(sorted(found.items(), key=lambda pair: int(str(pair[0]))))


def laplace_cdf(x: float, scale: float) -> float:
    """Give the probability that Laplace noise is at most x."""
    return 0.5 * math.exp(x / scale) if x < 0 else 1 - 0.5 * math.exp(-x / scale)


def gaussian_cdf(x: float, scale: float) -> float:
    """Give the probability that Gaussian noise is at most x."""
    return 0.5 * math.erfc(-x / scale / math.sqrt(2))


def choice_chances(
    scores: Mapping[Hashable, float], epsilon: float, sensitivity: float = 1.0
) -> dict[Hashable, float]:
    """Give the probabilities of the exponential mechanism: as exp(epsilon score / 2 sensitivity).

    >>> found = choice_chances({"a": 2, "b": 0}, 2 * math.log(3), 2)
    >>> {choice: round(p, 12) for choice, p in found.items()}
    {'a': 0.75, 'b': 0.25}
    """
    top = max(scores.values())
    weights = {c: math.exp(epsilon * (s - top) / 2 / sensitivity) for c, s in scores.items()}
    return {c: w / sum(weights.values()) for c, w in weights.items()}


def epsilon_between(one: Chances, other: Chances) -> float:
    """Give the largest absolute logarithm of the ratio of an output's probabilities.

    >>> round(epsilon_between({"y": 0.75, "n": 0.25}, {"y": 0.25, "n": 0.75}), 6)
    1.098612
    >>> epsilon_between({"y": 1}, {"y": 0.5, "n": 0.5})
    inf
    """
    worst = 0.0
    for out in {*one, *other}:
        p, q = one.get(out, 0), other.get(out, 0)
        if (p == 0) != (q == 0):
            return math.inf
        if p:
            worst = max(worst, abs(math.log(p / q)))
    return worst


def least_delta(one: Chances, other: Chances, epsilon: float) -> float:
    """Give the least delta: what outputs are more likely than exp(epsilon) times, one way or other.

    >>> least_delta({"y": 1}, {"y": 0.5, "n": 0.5}, 0.0)
    0.5
    """

    def excess(a: Chances, b: Chances) -> float:
        return sum(
            max(0.0, float(p) - math.exp(epsilon) * float(b.get(x, 0))) for x, p in a.items()
        )

    return max(excess(one, other), excess(other, one))


def composed(*told: Chances) -> dict[Hashable, Number]:
    """Give the probabilities of outputs told one after another, each with its own chance.

    >>> found = composed({"a": Fraction(1, 2), "b": Fraction(1, 2)}, {"c": Fraction(1)})
    >>> {out: str(p) for out, p in found.items()}
    {('a', 'c'): '1/2', ('b', 'c'): '1/2'}
    """
    found: dict[tuple[Hashable, ...], Number] = {(): Fraction(1)}
    for chances in told:
        found = {(*out, x): p * q for out, p in found.items() for x, q in chances.items()}
    return dict(found.items())


def response_epsilon(truth: Number, n_categories: int) -> float:
    """Give the epsilon of answers that are true with a probability, else any other category.

    >>> round(response_epsilon(Fraction(3, 4), 2), 6)
    1.098612
    """
    other = (1 - truth) / (n_categories - 1)
    return abs(math.log(truth / other)) if other else math.inf


def price_of(event: Mapping[str, object]) -> float:
    """Give what an event costs by pure differential privacy, all its repetitions together.

    >>> price_of({"mechanism": "laplace", "sensitivity": 1, "scale": 4, "times": 2})
    0.5
    """

    def number(name: str, default: float | None = None) -> float:
        found = event.get(name, default)
        if not isinstance(found, int | float):
            raise TypeError(f"no number {name}")
        return found

    match event["mechanism"]:
        case "laplace" | "geometric":
            one = number("sensitivity") / number("scale")
        case "randomized-response":
            one = response_epsilon(number("truth"), int(number("categories")))
        case "pure":
            one = number("epsilon")
        case _:
            one = math.inf
    return one * number("times", 1)


def price_of_ledger(
    events: Sequence[Mapping[str, object]], neighbours: str = "add-remove"
) -> float:
    """Add up the events: of the cells of a partition the dearest counts, or the two dearest.

    A person is in one cell, so that adding him changes one; replacing him by another may change
    two.

    >>> cells = [{"mechanism": "pure", "epsilon": e, "partition": "p", "cell": c}
    ...     for c, e in (("a", 0.5), ("b", 0.25), ("b", 0.5))]
    >>> price_of_ledger(cells), price_of_ledger(cells, "replace")
    (0.75, 1.25)
    """
    total = sum(price_of(event) for event in events if event.get("partition") is None)
    cells: dict[object, dict[object, float]] = {}
    for event in events:
        if event.get("partition") is not None:
            of_cell = cells.setdefault(event["partition"], {})
            of_cell[event["cell"]] = of_cell.get(event["cell"], 0.0) + price_of(event)
    n_met = {"add-remove": 1, "replace": 2}[neighbours]
    return total + sum(sum(sorted(c.values(), reverse=True)[:n_met]) for c in cells.values())
