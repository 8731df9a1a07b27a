"""What an adversary believes who thinks through every world that the release allows.

Wong, Fu, Wang, Xu, Pei and Yu, "Probabilistic inference protection on anonymized data", 2010:
definitions 3, 7 and 8, equations (1) to (3), theorem 1. The minimality attack: Wong, Fu, Wang and
Pei, 2007.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Sequence
from fractions import Fraction
from itertools import combinations

from tests.witness.models import Row, groups
from tests.witness.skyline import arrangements

__all__ = [
    "ImpossibleError",
    "Prior",
    "confidentiality_m",
    "delta_bounding_r",
    "delta_ceiling",
    "is_delta_bounded",
    "joint_posterior",
    "minimality_posterior",
    "robust_r",
    "value_posterior",
]

Prior = Callable[[Row, Hashable], Fraction]


class ImpossibleError(Exception):
    """No world agrees with both the release and what was believed before."""


def value_posterior(group: Sequence[Row], sensitive: str, value: Hashable, prior: Prior) -> Beliefs:
    """Give each record's probability of a value, from what is believed of it against all others.

    A world says which records have the value. Where everybody is believed not to have it, or
    everybody to have it, nobody is more likely than another.

    >>> group = [{"sex": "m", "s": "cancer"}, {"sex": "f", "s": "flu"}]
    >>> chance = {"m": Fraction(1, 10), "f": Fraction(3, 1000)}
    >>> value_posterior(group, "s", "cancer", lambda row, value: chance[row["sex"]])
    [Fraction(997, 1024), Fraction(27, 1024)]
    """
    n = sum(row[sensitive] == value for row in group)
    f = [prior(row, value) for row in group]
    if len({*f}) == 1:
        return [Fraction(n, len(group))] * len(group)
    worlds = list(combinations(range(len(group)), n))
    weights = [
        math.prod((p if i in world else 1 - p for i, p in enumerate(f)), start=Fraction(1))
        for world in worlds
    ]
    return [_share(weights, [i in world for world in worlds]) for i in range(len(group))]


def joint_posterior(group: Sequence[Row], sensitive: str, value: Hashable, prior: Prior) -> Beliefs:
    """Give each record's probability of a value, from what is believed of it and every value.

    A world hands all values of the group to its records.

    >>> group = [{"id": 1, "s": "x"}, {"id": 2, "s": "y"}, {"id": 3, "s": "z"}]
    >>> believed = {1: {"x": 30, "y": 18, "z": 18}, 2: {"x": 18, "y": 30, "z": 30}}
    >>> chance = lambda row, value: Fraction(believed[min(row["id"], 2)][value], 100)
    >>> [round(float(p), 3) for p in joint_posterior(group, "s", "x", chance)]
    [0.581, 0.209, 0.209]
    """
    worlds = arrangements([row[sensitive] for row in group])
    weights = [
        math.prod((prior(row, v) for row, v in zip(group, world, strict=True)), start=Fraction(1))
        for world in worlds
    ]
    return [_share(weights, [world[i] == value for world in worlds]) for i in range(len(group))]


def robust_r(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    prior: Prior,
    *,
    joint: bool = False,
    values: Collection[Hashable] | None = None,
) -> Fraction | float | None:
    """Give the largest r such that nobody has a value with a probability of more than 1/r.

    >>> table = [{"q": 1, "s": "x"}, {"q": 1, "s": "y"}, {"q": 1, "s": "y"}]
    >>> robust_r(table, ["q"], "s", lambda row, value: Fraction(1, 2))
    Fraction(3, 2)
    """
    posterior = joint_posterior if joint else value_posterior
    beliefs = [
        belief
        for group in groups(rows, qid).values()
        for value in {row[sensitive] for row in group}
        if values is None or value in values
        for belief in posterior(group, sensitive, value, prior)
    ]
    highest = max(beliefs, default=Fraction(0))
    return None if not rows else 1 / highest if highest else math.inf


def delta_ceiling(n: int, r: Fraction | int, highest: Fraction) -> Fraction:
    """Give the deviation from the highest prior that n records allow.

    >>> delta_ceiling(3, 2, Fraction(3, 10)), delta_ceiling(2, 2, Fraction(1, 10))
    (Fraction(21, 170), Fraction(0, 1))
    """
    if highest == 1:
        return Fraction(0)
    return (n - r) * highest / (highest * (r - 1) / (1 - highest) + (n - 1))


def is_delta_bounded(group: Sequence[Row], sensitive: str, prior: Prior, r: Fraction | int) -> bool:
    """Whether a group meets the bounding condition: every value once, and no prior too low.

    >>> group = [{"p": 2, "s": "x"}, {"p": 3, "s": "y"}, {"p": 3, "s": "z"}]
    >>> chance = lambda row, value: Fraction(row["p"], 10)
    >>> is_delta_bounded(group, "s", chance, 2), is_delta_bounded(group[:2], "s", chance, 2)
    (True, False)
    """
    values = [row[sensitive] for row in group]
    if len({*values}) < len(values) or len(group) < r:
        return False
    for value in values:
        f = [prior(row, value) for row in group]
        if len(group) > 1 and max(f) - min(f) > delta_ceiling(len(group), Fraction(r), max(f)):
            return False
    return True


def delta_bounding_r(group: Sequence[Row], sensitive: str, prior: Prior) -> Fraction | None:
    """Give the largest r for which a group meets the bounding condition; None if it does for none.

    It is where the deviation D from the highest prior f is the ceiling: solved for r,
    (N f - D (N - 1) + D f / (1 - f)) / (f + D f / (1 - f)).

    >>> group = [{"p": 1, "s": "x"}, {"p": 1, "s": "y"}, {"p": 2, "s": "z"}]
    >>> delta_bounding_r(group, "s", lambda row, value: Fraction(row["p"], 10))
    Fraction(17, 9)
    """
    n, values = len(group), [row[sensitive] for row in group]
    if len({*values}) < n:
        return None
    found = Fraction(n)
    for value in values:
        f = [prior(row, value) for row in group]
        highest, deviation = max(f), max(f) - min(f)
        if deviation and highest == 1:
            return None
        if deviation:
            odds = highest / (1 - highest)
            top = n * highest - deviation * (n - 1) + deviation * odds
            found = min(found, top / (highest + deviation * odds))
    return found


def minimality_posterior(
    group: Sequence[Row], raw: Sequence[str], sensitive: str, value: Hashable, h: Fraction
) -> Beliefs:
    """Give each record's probability of a value, if the group was formed because of the value.

    The adversary knows everybody's raw quasi-identifier, and that raw groups in which the value
    has a share above h are generalized and others are not. So one of the raw groups here must be
    such a group, unless there is only one, or none can be.

    >>> jobs = ["engineer"] * 2 + ["lawyer"] * 5
    >>> group = [{"job": job, "s": "hiv" if i < 2 else "flu"} for i, job in enumerate(jobs)]
    >>> [int(p) for p in minimality_posterior(group, ["job"], "s", "hiv", Fraction(3, 5))]
    [1, 1, 0, 0, 0, 0, 0]
    """
    keys = [tuple(row[column] for column in raw) for row in group]
    places = [[i for i, key in enumerate(keys) if key == place] for place in {*keys}]
    worlds = list(combinations(range(len(group)), sum(row[sensitive] == value for row in group)))
    needed = [
        world
        for world in worlds
        if any(Fraction(sum(i in world for i in place), len(place)) > h for place in places)
    ]
    left = worlds if len(places) == 1 or not needed else needed
    return [_share([Fraction(1)] * len(left), [i in w for w in left]) for i in range(len(group))]


def confidentiality_m(
    rows: Sequence[Row],
    qid: Sequence[str],
    raw: Sequence[str],
    sensitive: str,
    h: Fraction,
    values: Collection[Hashable] | None = None,
) -> Fraction | float | None:
    """Give the largest m such that nobody has a value with a probability of more than 1/m."""
    beliefs = [
        belief
        for group in groups(rows, qid).values()
        for value in ({row[sensitive] for row in group} if values is None else values)
        for belief in minimality_posterior(group, raw, sensitive, value, h)
    ]
    highest = max(beliefs, default=Fraction(0))
    return None if not rows else 1 / highest if highest else math.inf


Beliefs = list[Fraction]


def _share(weights: Sequence[Fraction], counted: Sequence[bool]) -> Fraction:
    total = sum(weights, Fraction(0))
    if not total:
        raise ImpossibleError
    return sum((w for w, is_in in zip(weights, counted, strict=True) if is_in), Fraction(0)) / total
