"""The most that can be concluded by somebody who knows this much of others, by trying everything.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010, section 2.5.1;
Chen, LeFevre and Ramakrishnan, "Privacy skyline", 2007.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from typing import TypeVar

__all__ = ["arrangements", "is_skyline_private", "skyline_confidence"]

T = TypeVar("T")


def arrangements(values: Sequence[Hashable]) -> list[tuple[Hashable, ...]]:
    """Give the different ways to hand these values to as many people.

    >>> arrangements("aab")
    [('a', 'a', 'b'), ('a', 'b', 'a'), ('b', 'a', 'a')]
    """
    return list(dict.fromkeys(permutations(values)))


def skyline_confidence(
    buckets: Sequence[Sequence[Hashable]],
    value: Hashable,
    *,
    l: int,  # noqa: E741
    k: int,
    m: int,
    implied: bool = False,
) -> Fraction:
    """Give the largest probability that somebody has this value, over all that may be known.

    Known are up to l values that the target does not have, the values of up to k other people,
    and up to m further people who have the same value as the target. If ``implied``, of these it is
    known only that if one of them has the value, so has the target.

    >>> skyline_confidence(["aabc"], "a", l=1, k=0, m=0)
    Fraction(2, 3)
    >>> [skyline_confidence(["aabc"], "a", l=0, k=0, m=1, implied=i) for i in (False, True)]
    [Fraction(1, 1), Fraction(3, 4)]
    """
    worlds = [tuple(chain(*world)) for world in product(*map(arrangements, buckets))]
    people = range(len(worlds[0]))
    domain = {*chain(*buckets)}
    best = Fraction(0)
    for t in people:
        others = [u for u in people if u != t]
        for told in _some(others, k):
            for learnt in product(domain, repeat=len(told)):
                left = [w for w in worlds if tuple(w[u] for u in told) == learnt]
                for family in _some([u for u in others if u not in told], m):
                    kin = [w for w in left if _is_kin(w, t, family, value, implied=implied)]
                    for absent in _some(domain - {value}, l):
                        fits = [w for w in kin if w[t] not in absent]
                        hits = sum(w[t] == value for w in fits)
                        best = max(best, Fraction(hits, max(len(fits), 1)))
    return best


def is_skyline_private(
    buckets: Sequence[Sequence[Hashable]],
    value: Hashable,
    skyline: Mapping[tuple[int, int, int], Fraction],
    *,
    implied: bool = False,
) -> bool:
    """Whether at every point (l, k, m) the confidence stays below its threshold."""
    return all(
        skyline_confidence(buckets, value, l=at[0], k=at[1], m=at[2], implied=implied) < c
        for at, c in skyline.items()
    )


def _is_kin(
    world: Sequence[Hashable], t: int, family: Sequence[int], value: Hashable, *, implied: bool
) -> bool:
    if implied:
        return world[t] == value or all(world[v] != value for v in family)
    return all(world[v] == world[t] for v in family)


def _some(items: Collection[T], at_most: int) -> list[tuple[T, ...]]:
    return [x for length in range(at_most + 1) for x in combinations(items, length)]
