r"""Owners: in how many ways can records belong to people, and in how many of them has somebody one.

People of kind i match the looks of a set i, and everybody has one record at most. With a variable
z for each look, the ways to hand out all records are the coefficient of
:math:`\prod_j z_j^{r_j}` in :math:`F = \prod_i (1 + \sum_{j \in i} z_j)^{p_i}`, for p people of
each kind and r records with each look, up to a factor that does not matter. Those in which a given
person of kind i has none are the same coefficient of F over one of its factors. Since
:math:`1 / (1 + S) = \sum_k (-S)^k`, that is a sum over coefficients of F, too:
:math:`\sum_m (-1)^{|m|} \binom{|m|}{m} F[r - m]` over all m that count looks of kind i.

All numbers are whole, so the probabilities are exact. The coefficients are as many as there are
ways to leave out records of each look, so this is for looks that hardly overlap, or for few.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Kinds", "chances_of_none", "n_steps", "together"]

Kinds = Mapping[tuple[int, ...], int]
"""By the looks that people match, how many people match just these."""


def chances_of_none(records: Mapping[int, int], kinds: Kinds) -> dict[tuple[int, ...], Fraction]:
    """Give for people of each kind the probability that they have no record.

    Nothing if the records cannot all belong to somebody.

    Examples
    --------
    >>> found = chances_of_none({0: 1, 1: 1}, {(0,): 1, (0, 1): 1, (1,): 1})
    >>> [str(chance) for chance in found.values()]
    ['1/3', '1/3', '1/3']
    """
    axis = {look: i for i, look in enumerate(records)}
    ways = np.zeros([n + 1 for n in records.values()], object)
    ways[(0,) * len(axis)] = 1
    for looks, people in kinds.items():
        for _ in range(people):
            ways = _times(ways, [axis[look] for look in looks])
    whole = ways[(-1,) * len(axis)]
    if not whole:
        return {}
    found = {}
    for looks in kinds:
        none = 0
        for m in product(*(range(records[look] + 1) for look in looks)):
            at = [-1] * len(axis)
            for look, left_out in zip(looks, m, strict=True):
                at[axis[look]] -= left_out
            none += (-1) ** sum(m) * _multinomial(m) * ways[tuple(at)]
        found[looks] = Fraction(none, whole)
    return found


def n_steps(records: Mapping[int, int], kinds: Kinds) -> int:
    """Say how many steps it takes."""
    states = math.prod(n + 1 for n in records.values())
    return sum(
        people * states * len(looks) + math.prod(records[look] + 1 for look in looks)
        for looks, people in kinds.items()
    )


def together(kinds: Iterable[tuple[int, ...]]) -> dict[int, int]:
    """Find the looks that hang together through people who match several: a name for each look.

    Examples
    --------
    >>> together([(0,), (0, 1), (2,)])
    {0: 0, 1: 0, 2: 2}
    """
    parent: dict[int, int] = {}

    def root(look: int) -> int:
        while parent.setdefault(look, look) != look:
            parent[look] = parent[parent[look]]
            look = parent[look]
        return look

    for looks in kinds:
        for look in looks:
            a, b = sorted((root(looks[0]), root(look)))
            parent[b] = a
    return {look: root(look) for look in parent}


def _times(ways: NDArray[Any], axes: list[int]) -> NDArray[Any]:
    """Multiply by 1 + the variables of these axes."""
    out = ways.copy()
    for axis in axes:
        later: list[slice] = [slice(None)] * ways.ndim
        earlier = later.copy()
        later[axis], earlier[axis] = slice(1, None), slice(None, -1)
        out[tuple(later)] += ways[tuple(earlier)]
    return out


def _multinomial(parts: tuple[int, ...]) -> int:
    return math.factorial(sum(parts)) // math.prod(map(math.factorial, parts))
