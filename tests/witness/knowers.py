"""What an adversary believes who knows more of people than what they show, in all worlds.

A world hands the hidden values of each group to its members in some order. What the adversary knows
rules worlds out; those that are left are equally likely, or as likely as he thought beforehand.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: sections 2.2.1,
2.5.1 and 5.5.3; Wong and others, "Probabilistic inference protection on anonymized data", 2010.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product

from tests.witness.adversaries import Belief
from tests.witness.models import Row
from tests.witness.skyline import arrangements
from tests.witness.worlds import Prior, joint_posterior, value_posterior

__all__ = [
    "after_corruption",
    "posterior_of_kinds",
    "posteriors",
    "with_known_others",
    "without_values",
    "worst_after_corruption",
    "worst_of_knowledge",
]

Values = Sequence[Hashable]


def after_corruption(values: Values, told: Collection[tuple[int, Hashable]]) -> list[Belief] | None:
    """Say what is believed of each member of a group when some have told what they have.

    ``told`` are members, by their number, with their values. None if no world agrees.

    >>> after_corruption(["hiv", "flu"], [(1, "flu")])[0]
    {'hiv': Fraction(1, 1)}
    """
    left = [w for w in arrangements(values) if all(w[i] == value for i, value in told)]
    if not left:
        return None
    return [_beliefs(left, i) for i in range(len(values))]


def worst_after_corruption(values: Values, n: int, value: Hashable | None = None) -> Fraction:
    """Give the surest that somebody gets of a member after any n others told what they have.

    Of a certain value, or of any.

    >>> [worst_after_corruption(["x", "x", "y", "z"], n) for n in range(3)]
    [Fraction(1, 2), Fraction(2, 3), Fraction(1, 1)]
    """
    best = Fraction(0)
    people = range(len(values))
    for size in range(min(n, len(values) - 1) + 1):
        for corrupted in combinations(people, size):
            for answers in product({*values}, repeat=size):
                found = after_corruption(values, list(zip(corrupted, answers, strict=True)))
                for i in people if found is not None else ():
                    assert found is not None
                    if i not in corrupted:
                        asked = found[i] if value is None else {value: found[i].get(value, 0)}
                        best = max(best, *map(Fraction, asked.values()))
    return best


def without_values(values: Values, absent: Collection[Hashable]) -> Belief | None:
    """Say what is believed of a member of whom it is known that he has none of these values.

    >>> without_values(["flu", "flu", "hiv"], ["flu"])
    {'hiv': Fraction(1, 1)}
    """
    left = [w for w in arrangements(values) if w[0] not in absent]
    return _beliefs(left, 0) if left else None


def with_known_others(values: Values, others: Sequence[Hashable]) -> Belief | None:
    """Say what is believed of a member when it is known what some others have.

    >>> with_known_others(["flu", "flu", "hiv"], ["flu"])
    {'flu': Fraction(1, 2), 'hiv': Fraction(1, 2)}
    """
    found = after_corruption(values, list(enumerate(others, start=1)))
    return None if found is None else found[0]


def worst_of_knowledge(values: Values, *, negations: int, others: int) -> Fraction:
    """Give the surest that somebody gets of a member of a group who knows that much.

    Known are up to so many values that the member does not have, and what up to so many others
    have.

    >>> worst_of_knowledge(["a", "a", "b", "c"], negations=1, others=0)
    Fraction(2, 3)
    >>> worst_of_knowledge(["a", "a", "b", "c"], negations=1, others=1)
    Fraction(1, 1)
    """
    worlds = arrangements(values)
    domain = list(dict.fromkeys(values))
    best = Fraction(0)
    for size in range(min(others, len(values) - 1) + 1):
        for told in product(domain, repeat=size):
            fits = [w for w in worlds if w[1 : 1 + size] == told]
            for n in range(min(negations, len(domain) - 1) + 1):
                for absent in combinations(domain, n):
                    left = [w for w in fits if w[0] not in absent]
                    best = max(best, *(_beliefs(left, 0).values() if left else [Fraction(0)]))
    return best


def posteriors(group: Sequence[Row], sensitive: str, prior: Prior, *, joint: bool) -> list[Belief]:
    """Say what is believed of each member who weighs all worlds by what he thought beforehand."""
    posterior = joint_posterior if joint else value_posterior
    found: list[Belief] = [{} for _ in group]
    for value in dict.fromkeys(row[sensitive] for row in group):
        for i, p in enumerate(posterior(group, sensitive, value, prior)):
            found[i][value] = p
    return found


def posterior_of_kinds(
    buckets: Sequence[tuple[Sequence[Hashable], Values]],
    chance: Mapping[tuple[Hashable, Hashable], Fraction],
) -> list[list[Belief]]:
    """Say what is believed of each member of each group, when chances go by kinds of people.

    A group is the kinds of its members and the values that it hides; all worlds of all groups are
    gone through together.

    >>> chance = {("m", "x"): Fraction(1, 10), ("f", "x"): Fraction(3, 1000),
    ...           ("m", "y"): Fraction(9, 10), ("f", "y"): Fraction(997, 1000)}
    >>> posterior_of_kinds([(["m", "f"], ["x", "y"])], chance)[0][0]["x"]
    Fraction(997, 1024)
    """
    kinds = [*chain(*(members for members, _ in buckets))]
    worlds = [tuple(chain(*w)) for w in product(*(arrangements(values) for _, values in buckets))]
    weights = []
    for world in worlds:
        weight = Fraction(1)
        for kind, value in zip(kinds, world, strict=True):
            weight *= chance[kind, value]
        weights.append(weight)
    total, found, at = sum(weights, Fraction(0)), [], 0
    for members, values in buckets:
        here: list[Belief] = []
        for i in range(at, at + len(members)):
            each = dict.fromkeys(values, Fraction(0))
            for world, weight in zip(worlds, weights, strict=True):
                each[world[i]] += weight / total
            here.append(each)
        found.append(here)
        at += len(members)
    return found


def _beliefs(worlds: Sequence[Sequence[Hashable]], member: int) -> Belief:
    values = dict.fromkeys(world[member] for world in worlds)
    return {v: Fraction(sum(w[member] == v for w in worlds), len(worlds)) for v in values}
