"""Promises about distances and beliefs, counted by their definitions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
from scipy.optimize import linprog

from tools.fuzz.judges import Judge, UnclearError, at_most
from tools.fuzz.rules import Rule
from tools.fuzz.values import Cell, as_text, number
from tools.fuzz.view import View

__all__ = ["BELIEVED"]


def _numbers(view: View, group: Sequence[int], column: str) -> list[Fraction]:
    found = [number(view.rows[at][column]) for at in group]
    return [value for value in found if value is not None]


def ke_anonymity(view: View, *, k: int, e: Fraction, sensitive: str) -> bool:
    for group in view.groups():
        values = _numbers(view, group, sensitive)
        span = max(values) - min(values) if values else Fraction(0)
        kinds = len(set(values)) + (len(values) < len(group))
        if kinds < k or span < Fraction(e):
            return False
    return True


def epsilon_m_anonymity(
    view: View, *, epsilon: Fraction, m: Fraction, sensitive: str, interval: str = "absolute"
) -> bool:
    for group in view.groups():
        values = _numbers(view, group, sensitive)
        most = len(group) - len(values)
        for value in values:
            reach = Fraction(epsilon) * (abs(value) if interval == "relative" else 1)
            most = max(most, sum(abs(other - value) <= reach for other in values))
        if most * Fraction(m) > len(group):
            return False
    return True


def squared_error_diversity(view: View, *, v: Fraction, sensitive: str) -> bool:
    for group in view.groups():
        values = _numbers(view, group, sensitive)
        mean = sum(values) / len(values) if values else Fraction(0)
        if sum((value - mean) ** 2 for value in values) / len(group) < Fraction(v):
            return False
    return True


def beta_likeness(view: View, *, beta: Fraction, sensitive: str, enhanced: bool = False) -> bool:
    whole = view.counts(range(len(view.rows)), sensitive)
    for group in view.groups():
        for value, n in view.counts(group, sensitive).items():
            q = Fraction(whole[value], len(view.rows))
            gain = (Fraction(n, len(group)) - q) / q
            if gain > Fraction(beta):
                return False
            if enhanced and gain > 0 and not at_most(float(gain), -math.log(q)):
                return False
    return True


def delta_disclosure(view: View, *, delta: Fraction, sensitive: str) -> bool:
    whole = view.counts(range(len(view.rows)), sensitive)
    for group in view.groups():
        counts = view.counts(group, sensitive)
        for value, n in whole.items():
            ratio = Fraction(counts[value] * len(view.rows), len(group) * n)
            if ratio == 0 or not at_most(abs(math.log(ratio)), float(delta)):
                return False
    return True


def d_gamma_privacy(view: View, *, d: Fraction, gamma: Fraction, sensitive: str) -> bool:
    whole = view.counts(range(len(view.rows)), sensitive)
    for group in view.groups():
        counts = view.counts(group, sensitive)
        for value, n in whole.items():
            before, after = Fraction(n, len(view.rows)), Fraction(counts[value], len(group))
            likely = before > Fraction(d)
            if not likely and (after / before < d / gamma or after > gamma):
                return False
    return True


def t_closeness(
    view: View, *, t: Fraction, sensitive: str, distance: str = "equal", near: object = None
) -> bool:
    everybody = range(len(view.rows))
    measure = _Distance(view, sensitive, distance)
    return all(measure.within(group, everybody, Fraction(t)) for group in view.groups())


def hellinger_closeness(view: View, *, t: Fraction, sensitive: str) -> bool:
    return t_closeness(view, t=t, sensitive=sensitive, distance="hellinger")


def n_t_closeness(
    view: View, *, n: int, t: Fraction, sensitive: str, distance: str = "equal"
) -> bool:
    measure = _Distance(view, sensitive, distance)

    def close(group: list[int]) -> bool:
        unclear = False
        for kept in product((True, False), repeat=len(view.quasi)):
            columns = [name for name, keep in zip(view.quasi, kept, strict=True) if keep]
            around = next(other for other in view.groups(columns) if group[0] in other)
            try:
                if len(around) >= n and measure.within(group, around, Fraction(t)):
                    return True
            except UnclearError:
                unclear = True
        if unclear:
            raise UnclearError
        return False

    return all(close(group) for group in view.groups())


class _Distance:
    """How far the values of some rows are from those of others."""

    def __init__(self, view: View, sensitive: str, distance: str) -> None:
        self._view, self._name, self._kind = view, sensitive, distance
        values = {row[sensitive] for row in view.rows}
        self._values = sorted(values, key=_order(view, sensitive))
        self._apart = self._grounds() if distance in ("ordered", "hierarchical") else None

    def _grounds(self) -> np.ndarray:
        told = [value for value in self._values if value is not None]
        rule = self._view.rules[self._name]
        apart = np.ones((len(self._values), len(self._values)))
        for i, one in enumerate(self._values):
            for j, other in enumerate(self._values):
                if one == other:
                    apart[i, j] = 0
                elif one is None or other is None:
                    apart[i, j] = 1
                elif self._kind == "ordered":
                    apart[i, j] = abs(told.index(one) - told.index(other)) / (len(told) - 1)
                else:
                    apart[i, j] = _height(rule, one, other)
        return apart

    def within(self, group: Sequence[int], around: Sequence[int], t: Fraction) -> bool:
        """Whether the distance is at most t."""
        ours = self._view.counts(group, self._name)
        theirs = self._view.counts(around, self._name)
        p = [Fraction(ours[value], len(group)) for value in self._values]
        q = [Fraction(theirs[value], len(around)) for value in self._values]
        if p == q:
            return True
        if self._kind in ("equal", "variational"):
            return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2 <= t
        if self._kind == "kl":
            lost = (float(a) * math.log(a / b) for a, b in zip(p, q, strict=True) if a)
            return at_most(sum(lost), float(t))
        if self._kind == "hellinger":
            common = sum(math.sqrt(a * b) for a, b in zip(p, q, strict=True))
            return at_most(1 - common, float(t * t))
        assert self._apart is not None
        work = _transport(self._apart, [float(x) for x in p], [float(x) for x in q])
        if abs(work - t) < 1e-7:
            raise UnclearError
        return work <= t


def _transport(apart: np.ndarray, p: list[float], q: list[float]) -> float:
    """The least work of turning the shares p into q."""
    n = len(p)
    rows = [[float(i == row) for i in range(n) for _ in range(n)] for row in range(n)]
    columns = [[float(j == column) for _ in range(n) for j in range(n)] for column in range(n)]
    solved = linprog(apart.ravel(), A_eq=rows + columns, b_eq=p + q, method="highs")
    if not solved.success:
        raise UnclearError
    return float(solved.fun)


def _order(view: View, name: str) -> Callable[[Cell], tuple[bool, Fraction, int, str]]:
    rule, is_text = view.rules[name], name in view.texts

    def place(value: Cell) -> tuple[bool, Fraction, int, str]:
        listed = list(rule.levels[0]) if rule.levels else []
        at = listed.index(value) if value in listed else 0
        size = None if is_text else number(value)
        return value is None, size or Fraction(0), at, value or ""

    return place


def _height(rule: Rule, one: Cell, other: Cell) -> float:
    """The height of the least node over two values, out of that of the root."""
    levels = rule.levels or ()
    for height, level in enumerate(levels, 1):
        labels = {as_text(value): label for value, label in level.items()}
        if labels.get(one) == labels.get(other) is not None:
            return height / (len(levels) + 1)
    return 1.0


def skyline_privacy(
    view: View, *, points: Sequence[tuple[int, int, int, Fraction]], sensitive: str
) -> bool:
    groups = [view.counts(group, sensitive) for group in view.groups()]
    return all(
        _surest(groups, at, value, ruled, known, family) < Fraction(bound)
        for ruled, known, family, bound in points
        for at in range(len(groups))
        for value in groups[at]
    )


def _surest(
    groups: list[Counter[object]], at: int, value: object, ruled: int, known: int, family: int
) -> Fraction:
    """How sure somebody can become who may spread that much knowledge over all groups."""
    best = Fraction(0)
    for told in _spread(known, len(groups)):
        for kin in _spread(family, len(groups)):
            best = max(best, _sure(groups, at, value, ruled, told, kin))
    return best


def _spread(amount: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield from ((n,) for n in range(amount + 1))
        return
    for first in range(amount + 1):
        yield from ((first, *rest) for rest in _spread(amount - first, parts - 1))


def _sure(
    groups: list[Counter[object]],
    at: int,
    value: object,
    ruled: int,
    told: tuple[int, ...],
    kin: tuple[int, ...],
) -> Fraction:
    counts = groups[at]
    others = sorted((n for other, n in counts.items() if other != value), reverse=True)
    out, rest = sum(others[:ruled]), sum(others[ruled:])
    told_here = min(told[at], rest + out)
    rest -= min(told_here, rest)
    left = counts[value] + out + rest
    if kin[at] > left - 1:
        return Fraction(0)
    has = Fraction(counts[value], left)
    lacks = Fraction(rest, left)
    for i in range(kin[at]):
        lacks *= Fraction(max(0, left - 1 - counts[value] - i), left - 1 - i)
    for g, other in enumerate(groups):
        if g != at:
            n = other.total() - min(told[g], other.total() - other[value])
            if kin[g] > n:
                return Fraction(0)
            for i in range(kin[g]):
                lacks *= Fraction(max(0, n - other[value] - i), n - i)
    return has / (has + lacks)


def m_confidentiality(view: View, *, m: Fraction, h: Fraction, sensitive: str) -> bool:
    for group in view.groups():
        parts: dict[tuple[object, ...], int] = {}
        for at in group:
            key = tuple(str(view.originals[at][name]) for name in view.quasi)
            parts[key] = parts.get(key, 0) + 1
        sizes = list(parts.values())
        for n in view.counts(group, sensitive).values():
            if _confidence(sizes, n, Fraction(h)) * Fraction(m) > 1:
                return False
    return True


def _confidence(sizes: list[int], n: int, h: Fraction) -> Fraction:
    """The largest chance of anybody over the worlds in which merging was needed."""
    total, weights = 0, [0] * len(sizes)
    for world in product(*(range(min(size, n) + 1) for size in sizes)):
        needed = any(has > h * size for has, size in zip(world, sizes, strict=True))
        if sum(world) != n or not needed:
            continue
        weight = math.prod(comb(size, has) for has, size in zip(world, sizes, strict=True))
        total += weight
        weights = [sum_ + weight * has for sum_, has in zip(weights, world, strict=True)]
    if total == 0 or len(sizes) == 1:
        return Fraction(n, sum(sizes))
    return max(Fraction(sum_, total * size) for sum_, size in zip(weights, sizes, strict=True))


def personalized_privacy(
    view: View, *, p: Fraction, sensitive: str, guard: str, reading: str = "leaf"
) -> bool:
    rule = view.rules[sensitive]
    for group in view.groups():
        shares = _leaves(view, group, sensitive)
        for at in group:
            node = view.originals[at][guard]
            if node is None:
                continue
            under = [n for leaf, n in shares.items() if node == leaf or node in rule.labels(leaf)]
            worst = max(under, default=0) if reading == "leaf" else sum(under)
            if worst > Fraction(p) * len(group):
                return False
    return True


def _leaves(view: View, group: list[int], sensitive: str) -> dict[str | None, Fraction]:
    """How many records have each value, a published label counting for all under it alike.

    No value is one more under the root, if the column has any.
    """
    rule = view.rules[sensitive]
    every: list[str | None] = [leaf for leaf in (rule.levels or ({},))[0] if isinstance(leaf, str)]
    lacking: list[str | None] = (
        [None] if any(record.get(sensitive, "") is None for record in view.originals) else []
    )
    shares: dict[str | None, Fraction] = {}
    for at in group:
        text = view.rows[at][sensitive]
        under = (
            [*every, *lacking]
            if text == "*"
            else [leaf for leaf in every if text in rule.labels(leaf) and text != leaf]
        )
        for leaf in under if under and text not in every else [text]:
            count = len(under) if under and text not in every else 1
            shares[leaf] = shares.get(leaf, Fraction(0)) + Fraction(1, count)
    return shares


def delta_bounding(
    view: View,
    *,
    r: Fraction,
    sensitive: str,
    column: str,
    chances: dict[object, dict[str, Fraction]],
) -> bool:
    for group in view.groups():
        for value, n in view.counts(group, sensitive).items():
            odds = []
            for at in group:
                f = chances[view.originals[at][column]][str(value)]
                odds.append(f / (1 - f))
            if n > 1 or len(group) < r:
                return False
            if 1 + (len(group) - 1) * min(odds) / max(odds) < r:
                return False
    return True


def r_robustness(
    view: View,
    *,
    r: Fraction,
    sensitive: str,
    column: str,
    chances: dict[object, dict[str, Fraction]],
) -> bool:
    for group in view.groups():
        for value, n in view.counts(group, sensitive).items():
            odds = []
            for at in group:
                f = chances[view.originals[at][column]][str(value)]
                odds.append(f / (1 - f))
            whole = _symmetric(odds, n)
            for person, odd in enumerate(odds):
                others = odds[:person] + odds[person + 1 :]
                if odd * _symmetric(others, n - 1) / whole * r > 1:
                    return False
    return True


def _symmetric(odds: list[Fraction], n: int) -> Fraction:
    """The sum over all choices of n people of the product of their odds."""
    sums = [Fraction(1)] + [Fraction(0)] * n
    for odd in odds:
        for size in range(n, 0, -1):
            sums[size] += sums[size - 1] * odd
    return sums[n]


def ct_isolation(view: View, *, c: Fraction, t: int) -> bool:
    points = []
    for record in view.originals:
        places = [number(record[name]) for name in view.quasi]
        points.append([place for place in places if place is not None])
    for group in view.groups():
        middle = [
            (min(points[at][axis] for at in group) + max(points[at][axis] for at in group)) / 2
            for axis in range(len(view.quasi))
        ]
        squares = [
            sum((x - y) ** 2 for x, y in zip(point, middle, strict=True)) for point in points
        ]
        reach = Fraction(c) ** 2 * min(squares[at] for at in group)
        if sum(square <= reach for square in squares) < t:
            return False
    return True


BELIEVED: dict[str, Judge] = {
    "KEAnonymity": ke_anonymity,
    "EpsilonMAnonymity": epsilon_m_anonymity,
    "SquaredErrorDiversity": squared_error_diversity,
    "BetaLikeness": beta_likeness,
    "DeltaDisclosure": delta_disclosure,
    "DGammaPrivacy": d_gamma_privacy,
    "TCloseness": t_closeness,
    "HellingerCloseness": hellinger_closeness,
    "NTCloseness": n_t_closeness,
    "SkylinePrivacy": skyline_privacy,
    "MConfidentiality": m_confidentiality,
    "PersonalizedPrivacy": personalized_privacy,
    "DeltaBounding": delta_bounding,
    "RRobustness": r_robustness,
    "CTIsolation": ct_isolation,
}
