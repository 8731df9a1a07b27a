"""What a release tells of how values are distributed, from the definitions.

Whoever reads a published set of values takes each of them for equally likely, and a record that was
left out for any record of the domain.

Gionis and Tassa, "k-anonymization with minimal loss of information", 2009 (non-uniform entropy, as
ARX normalizes it); Kifer and Gehrke, "Injecting utility into anonymized datasets", 2006 (the
Kullback-Leibler divergence); Nergiz and Clifton, "Thoughts on k-anonymization", 2007 (ambiguity).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product

from tests.witness.losses import Domains, Numbers, Shown

__all__ = [
    "ambiguity",
    "combinations",
    "divergence",
    "entropy_lost",
    "joint_divergence",
    "marginal_after",
    "marginal_before",
    "marginal_divergence",
    "nonuniform_entropy",
]

Record = Mapping[str, Hashable]
Distribution = dict[Hashable, Fraction]


def entropy_lost(
    original: Sequence[Record],
    release: Sequence[Shown],
    attribute: str,
    weights: Numbers | None = None,
) -> float:
    """Sum over the cells of a column of -log2(n(raw) / n(shown)), as the original column counts.

    A record that was left out shows the whole column.

    >>> column = [{"x": v} for v in "aabc"]
    >>> ab, c = frozenset("ab"), frozenset("c")
    >>> round(entropy_lost(column, [{"x": ab}] * 3 + [{"x": c}], "x"), 4)  # 2 log2(3/2) + log2(3)
    2.7549
    """
    given = [1] * len(original) if weights is None else weights
    bits = []
    for place, record in enumerate(release):
        raw = original[place][attribute]
        with_raw = sum(w for r, w in zip(original, given, strict=True) if r[attribute] == raw)
        with_shown = sum(
            w
            for r, w in zip(original, given, strict=True)
            if record is None or r[attribute] in record[attribute]
        )
        bits.append(-math.log2(Fraction(with_raw) / Fraction(with_shown)) * float(given[place]))
    return math.fsum(bits)


def nonuniform_entropy(
    original: Sequence[Record],
    release: Sequence[Shown],
    domains: Domains,
    importance: Mapping[str, Fraction | int] | None = None,
    weights: Numbers | None = None,
) -> float:
    """What each column has lost of what it has in all, averaged over the columns by importance.

    A column with nothing to lose has lost 0. ARX can normalize before it aggregates, as here, or
    after.

    >>> column = [{"x": v} for v in "aabb"]
    >>> nonuniform_entropy(column, [None, None] + [{"x": frozenset("b")}] * 2, {"x": "ab"})
    0.5
    """
    roots: list[Shown] = [None] * len(original)
    above = below = 0.0
    for a in domains:
        share = 1.0 if importance is None else float(importance[a])
        most = entropy_lost(original, roots, a, weights)
        above += share * (entropy_lost(original, release, a, weights) / most if most else 0.0)
        below += share
    return above / below


def marginal_before(
    original: Sequence[Record], attribute: str, weights: Numbers | None = None
) -> Distribution:
    """Share of every value of a column."""
    found: Distribution = {}
    for place, record in enumerate(original):
        weight = Fraction(1 if weights is None else weights[place])
        found[record[attribute]] = found.get(record[attribute], Fraction(0)) + weight
    return _normalized(found)


def marginal_after(
    release: Sequence[Shown],
    attribute: str,
    domain: Sequence[Hashable],
    weights: Numbers | None = None,
) -> Distribution:
    """Share of every value of a column, as the release tells it.

    >>> found = marginal_after([{"x": frozenset("ab")}, {"x": frozenset("b")}, None], "x", "abc")
    >>> [str(found[v]) for v in "abc"]  # (1/2 + 1/3) / 3, (1/2 + 1 + 1/3) / 3, (1/3) / 3
    ['5/18', '11/18', '1/9']
    """
    found: Distribution = {}
    for place, record in enumerate(release):
        weight = Fraction(1 if weights is None else weights[place])
        possible = list(domain) if record is None else list(record[attribute])
        for value in possible:
            found[value] = found.get(value, Fraction(0)) + weight / len(possible)
    return _normalized(found)


def divergence(before: Distribution, after: Distribution, base: float = 2.0) -> float:
    """Sum of P log(P / Q) over what occurs.

    >>> half = Fraction(1, 2)
    >>> divergence({"a": Fraction(1)}, {"a": half, "b": half})
    1.0
    """
    return math.fsum(
        float(p) * math.log(Fraction(p, after[value])) / math.log(base)
        for value, p in before.items()
        if p
    )


def marginal_divergence(
    original: Sequence[Record],
    release: Sequence[Shown],
    domains: Domains,
    importance: Mapping[str, Fraction | int] | None = None,
    weights: Numbers | None = None,
    base: float = 2.0,
) -> float:
    """Mean over the attributes, by their importance, of the divergence of the release."""
    above = below = 0.0
    for a, domain in domains.items():
        share = 1.0 if importance is None else float(importance[a])
        before = marginal_before(original, a, weights)
        above += share * divergence(before, marginal_after(release, a, domain, weights), base)
        below += share
    return above / below if below else 0.0


def joint_divergence(
    original: Sequence[Record],
    release: Sequence[Shown],
    domains: Domains,
    weights: Numbers | None = None,
    base: float = 2.0,
) -> float:
    """Divergence of the distribution of whole records: a box is spread over all it holds.

    >>> table = [{"x": v, "y": v} for v in "ab"]
    >>> both = {"x": frozenset("ab"), "y": frozenset("ab")}
    >>> joint_divergence(table, [both, both], {"x": "ab", "y": "ab"})
    1.0
    """
    before: Distribution = {}
    after: Distribution = {}
    for place, record in enumerate(release):
        weight = Fraction(1 if weights is None else weights[place])
        raw = tuple(original[place][a] for a in domains)
        before[raw] = before.get(raw, Fraction(0)) + weight
        sets = [list(d) if record is None else list(record[a]) for a, d in domains.items()]
        possible = list(product(*sets))
        for combination in possible:
            after[combination] = after.get(combination, Fraction(0)) + weight / len(possible)
    return divergence(_normalized(before), _normalized(after), base)


def ambiguity(
    release: Sequence[Shown],
    domains: Domains,
    importance: Mapping[str, Fraction | int] | None = None,
    weights: Numbers | None = None,
) -> float:
    """Mean over the records of log(combinations that it could be) / log(all combinations).

    An attribute that is three times as important counts as three attributes.

    >>> domains = {"x": "abcd", "y": "ab"}
    >>> round(ambiguity([{"x": frozenset("ab"), "y": frozenset("a")}, None], domains), 6)
    0.666667
    """
    times = {a: 1 if importance is None else int(importance[a]) for a in domains}
    n_all = math.prod(len(domain) ** times[a] for a, domain in domains.items())
    above = below = 0.0
    for place, record in enumerate(release):
        weight = 1.0 if weights is None else float(weights[place])
        sets = domains if record is None else record
        n_possible = math.prod(len(sets[a]) ** times[a] for a in domains)
        above += weight * (math.log(n_possible) / math.log(n_all) if n_all > 1 else 0.0)
        below += weight
    return above / below if below else 0.0


def combinations(
    release: Sequence[Shown], domains: Domains, weights: Numbers | None = None
) -> Fraction:
    """Mean over the records of the number of combinations that it could be."""
    above = below = Fraction(0)
    for place, record in enumerate(release):
        weight = 1 if weights is None else weights[place]
        above += weight * math.prod(len((record or domains)[a]) for a in domains)
        below += weight
    return above / below


def _normalized(counts: Distribution) -> Distribution:
    total = sum(counts.values(), Fraction(0))
    return {value: count / total for value, count in counts.items()} if total else {}
