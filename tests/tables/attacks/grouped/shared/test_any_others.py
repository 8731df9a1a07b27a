"""How sure somebody can be who knows what a few others of a group have."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.tables.attacks.grouped.shared.any_others import worst_others

GROUP = st.lists(st.integers(0, 3), min_size=1, max_size=7)


def worst_by_definition(values: list[int], victim: int, n: int) -> Fraction:
    """Try all choices of up to n others, take them away, and guess what the victim has."""
    others = [i for i in range(len(values)) if i != victim]
    best = Fraction(0)
    for size in range(min(n, len(others)) + 1):
        for known in combinations(others, size):
            left = [v for i, v in enumerate(values) if i not in known]
            best = max(best, Fraction(max(Counter(left).values()), len(left)))
    return best


@given(GROUP, st.integers(0, 8))
def test_the_worst_others_by_definition(values: list[int], n: int) -> None:
    row = [values.count(v) for v in range(4)]
    hidden = histogram_of([row])
    parts, wholes = worst_others(hidden, np.array([len(values)]), n)
    found = dict(zip(hidden.values.tolist(), zip(parts, wholes, strict=True), strict=True))
    for victim, value in enumerate(values):
        part, whole = found[value]
        assert Fraction(int(part), int(whole)) == worst_by_definition(values, victim, n)
