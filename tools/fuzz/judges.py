"""Promises about sizes and shares, counted by their definitions.

Every judge takes a view and the parameters of the model, and says whether the promise is kept.
Where logarithms or roots decide, `UnclearError` is raised for what is too close to the bound.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

from tools.fuzz.values import Value
from tools.fuzz.view import View

__all__ = ["COUNTED", "UnclearError", "at_least", "at_most"]

Judge = Callable[..., bool]


class UnclearError(Exception):
    """What was measured is too close to the bound for floating-point numbers."""


def at_most(value: float, bound: float) -> bool:
    """Compare two numbers that were rounded."""
    if abs(value - bound) <= 1e-9 * max(1.0, abs(bound)):
        raise UnclearError
    return value < bound


def at_least(value: float, bound: float) -> bool:
    """Compare two numbers that were rounded."""
    return not at_most(value, bound)


def k_anonymity(view: View, *, k: int, qid: Sequence[str] | None = None) -> bool:
    return all(view.people(group) >= k for group in view.groups(qid))


def xy_anonymity(view: View, *, k: int, y: Sequence[str], x: Sequence[str] | None = None) -> bool:
    if list(y) == ["who"]:
        return k_anonymity(view, k=k, qid=x)
    return all(len(view.counts(group, y)) >= k for group in view.groups(x))


def crowd_entropy(view: View, *, bits: Fraction) -> bool:
    for group in view.groups():
        whose = [at if view.owners is None else view.owners[at] for at in group]
        entropy = _entropy(Counter(whose)) / math.log(2)
        if not at_least(entropy, float(bits)):
            return False
    return True


def distinct_l_diversity(view: View, *, l: int, sensitive: str) -> bool:  # noqa: E741
    return all(len(view.counts(group, sensitive)) >= l for group in view.groups())


def entropy_l_diversity(view: View, *, l: Fraction, sensitive: str) -> bool:  # noqa: E741
    for group in view.groups():
        counts = view.counts(group, sensitive)
        even = len(set(counts.values())) == 1
        if even:
            if len(counts) < l:
                return False
        elif not at_least(_entropy(counts), math.log(l)):
            return False
    return True


def _entropy(counts: Counter[object] | Counter[str | int | None]) -> float:
    total = counts.total()
    return -sum(n / total * math.log(n / total) for n in counts.values())


def recursive_cl_diversity(
    view: View,
    *,
    c: Fraction,
    l: int,  # noqa: E741
    sensitive: str,
    strict: bool = True,
) -> bool:
    for group in view.groups():
        falling = sorted(view.counts(group, sensitive).values(), reverse=True)
        rare = c * sum(falling[l - 1 :])
        if len(falling) < l or falling[0] > rare or (strict and falling[0] == rare):
            return False
    return True


def frequency_l_diversity(view: View, *, l: Fraction, sensitive: str) -> bool:  # noqa: E741
    return _shares(view, None, [sensitive], None, 1 / Fraction(l))


def _shares(
    view: View,
    x: Sequence[str] | None,
    y: Sequence[str],
    values: Sequence[object] | None,
    bound: Fraction,
) -> bool:
    """Whether no value on the columns Y has a larger share among those alike on X."""
    for group in view.groups(x):
        counts = view.counts(group, y)
        guarded = counts if values is None else [_key(value) for value in values]
        if any(counts[value] > bound * len(group) for value in guarded):
            return False
    return True


def _key(value: object) -> tuple[object, ...]:
    """Texts as they stand in a promise: the empty one is the missing value."""
    texts = value if isinstance(value, list | tuple) else [value]
    return tuple(None if text == "" else text for text in texts)


def alpha_k_anonymity(
    view: View,
    *,
    alpha: Fraction,
    k: int,
    sensitive: str,
    values: Sequence[str] | None = None,
) -> bool:
    return k_anonymity(view, k=k) and _shares(view, None, [sensitive], values, Fraction(alpha))


def kc_anonymity(view: View, *, k: int, c: Fraction, sensitive: str) -> bool:
    return alpha_k_anonymity(view, alpha=c, k=k, sensitive=sensitive)


def xy_linkability(
    view: View,
    *,
    h: Fraction,
    y: Sequence[str],
    x: Sequence[str] | None = None,
    values: Sequence[object] | None = None,
) -> bool:
    return _shares(view, x, y, values, Fraction(h))


def xy_privacy(
    view: View,
    *,
    k: int,
    h: Fraction,
    y: Sequence[str],
    x: Sequence[str] | None = None,
    count: str = "records",
) -> bool:
    many = (
        xy_anonymity(view, k=k, y=y, x=x) if count == "distinct" else k_anonymity(view, k=k, qid=x)
    )
    return many and _shares(view, x, y, None, Fraction(h))


def lkc_privacy(
    view: View,
    *,
    l: int,  # noqa: E741
    k: int,
    c: Fraction,
    sensitive: str | None = None,
    values: Sequence[str] | None = None,
) -> bool:
    for size in range(min(l, len(view.quasi)) + 1):
        for columns in combinations(view.quasi, size):
            if not k_anonymity(view, k=k, qid=columns):
                return False
            if sensitive and not _shares(view, columns, [sensitive], values, Fraction(c)):
                return False
    return True


def confidence_bounding(
    view: View, *, parts: Sequence[tuple[Sequence[str], str, str, Fraction]]
) -> bool:
    return all(
        _shares(view, columns or None, [column], [value], share)
        for columns, column, value, share in parts
    )


def ff_anonymity(
    view: View, *, h: Fraction, columns: Sequence[str], pairs: Sequence[tuple[str, str]]
) -> bool:
    """All that can be observed of anybody, on any columns, and every sensitive value of another."""
    secret = {(column, None if value == "" else value) for column, value in pairs}
    for column in {column for column, _ in secret}:
        others = [name for name in columns if name != column]
        for size in range(len(others) + 1):
            for seen in combinations(others, size):
                for group in view.groups(seen):
                    row = view.rows[group[0]]
                    if any((name, row[name]) in secret for name in seen):
                        continue
                    counts = view.counts(group, column)
                    if any(
                        counts[value] > Fraction(h) * len(group)
                        for name, value in secret
                        if name == column
                    ):
                        return False
    return True


def average_risk(view: View, *, risk: Fraction) -> bool:
    total = sum(Fraction(len(group), view.people(group)) for group in view.groups())
    return not view.rows or total / len(view.rows) <= Fraction(risk)


def k_map(view: View, *, k: int, population: Sequence[dict[str, Value]]) -> bool:
    return all(view.lookalikes(group[0], population) >= k for group in view.groups())


def population_uniqueness(
    view: View, *, share: Fraction, population: Sequence[dict[str, Value]]
) -> bool:
    alone = sum(len(group) for group in view.groups() if view.lookalikes(group[0], population) <= 1)
    return alone <= Fraction(share) * len(view.rows)


def delta_presence(
    view: View, *, low: Fraction, high: Fraction, population: Sequence[dict[str, Value]]
) -> bool:
    seen = 0
    for group in view.groups():
        crowd = view.lookalikes(group[0], population)
        seen += crowd
        if not Fraction(low) * crowd <= view.people(group) <= Fraction(high) * crowd:
            return False
    return seen >= len(population) or Fraction(low) == 0


def profitability(
    view: View,
    *,
    publisher_benefit: int,
    publisher_loss: int,
    adversary_gain: int,
    adversary_cost: int,
    attack: bool = True,
) -> bool:
    for group in view.groups():
        chance = Fraction(1, view.people(group))
        pays = chance * adversary_gain > adversary_cost
        if not attack:
            if pays:
                return False
        elif publisher_benefit - (chance * publisher_loss if pays else 0) <= 0:
            return False
    return True


COUNTED: dict[str, Judge] = {
    "KAnonymity": k_anonymity,
    "MultirelationalKAnonymity": k_anonymity,
    "XYAnonymity": xy_anonymity,
    "CrowdEntropy": crowd_entropy,
    "DistinctLDiversity": distinct_l_diversity,
    "EntropyLDiversity": entropy_l_diversity,
    "RecursiveCLDiversity": recursive_cl_diversity,
    "FrequencyLDiversity": frequency_l_diversity,
    "AlphaKAnonymity": alpha_k_anonymity,
    "KCAnonymity": kc_anonymity,
    "XYLinkability": xy_linkability,
    "XYPrivacy": xy_privacy,
    "LKCPrivacy": lkc_privacy,
    "ConfidenceBounding": confidence_bounding,
    "FFAnonymity": ff_anonymity,
    "AverageRisk": average_risk,
    "KMap": k_map,
    "PopulationUniqueness": population_uniqueness,
    "DeltaPresence": delta_presence,
    "Profitability": profitability,
}
