"""Figures that sum up the risk of many records."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.risk.shared.figures import Risk, crowds_of

sizes = st.lists(st.integers(1, 1500), max_size=8)


@given(sizes, st.integers(1, 12))
def test_records_at_the_threshold_are_not_above_it(found: list[int], k: int) -> None:
    people = np.array(found, np.int64)
    risk = Risk.of(1 / people, people, 0.0, Fraction(1, k))
    assert risk.n_above == sum(n for n in found if Fraction(1, n) > Fraction(1, k))
    assert risk.highest == (1 / min(found) if found else 0)
    assert risk.n_highest == sum(n for n in found if n == min(found, default=0))


@given(sizes)
def test_every_group_is_in_one_crowd(found: list[int]) -> None:
    people = np.array(found, np.int64)
    crowds = crowds_of(people, 2 * people)
    told = Counter({crowd.least: crowd.groups for crowd in crowds})
    for n in found:
        (home,) = (c for c in crowds if c.least <= n and (c.most is None or n <= c.most))
        told[home.least] -= 1
    assert not any(told.values())
    assert sum(crowd.records for crowd in crowds) == 2 * sum(found)
    assert [c.least for c in crowds] == sorted(c.least for c in crowds)
