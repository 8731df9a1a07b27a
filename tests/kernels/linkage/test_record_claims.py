"""Settling claims: all ways to give records to people, one by one.

Giving records to people: pair by pair in plain Python.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.linkage.record_claims import assign_greedily, settle_claims


def by_definition(ratios: list[dict[int, float]], absent: float) -> list[dict[int, float]]:
    """Weigh every way to give each person a record or none, no record twice."""
    sums = [dict.fromkeys(own, 0.0) for own in ratios]
    total = 0.0
    for world in product(*([-1, *own] for own in ratios)):
        held = [look for look in world if look >= 0]
        if len(held) != len(set(held)):
            continue
        weight = float(
            np.prod([absent if k < 0 else own[k] for k, own in zip(world, ratios, strict=True)])
        )
        total += weight
        for look, own in zip(world, sums, strict=True):
            if look >= 0:
                own[look] += weight
    return [{look: s / total for look, s in own.items()} for own in sums]


def settled(ratios: list[dict[int, float]], absent: float, n_looks: int) -> list[dict[int, float]]:
    indptr = np.cumsum([0, *map(len, ratios)]).astype(np.int64)
    looks = np.array([look for own in ratios for look in own], np.int32)
    weights = np.array([w for own in ratios for w in own.values()], float)
    ones = np.ones(len(ratios)), np.ones(n_looks, np.int64)
    belief, _ = settle_claims(indptr, looks, weights, absent, *ones, 500, 1e-9)
    parts = np.split(belief, indptr[1:-1])
    return [
        dict(zip(own, part.tolist(), strict=True)) for own, part in zip(ratios, parts, strict=True)
    ]


weights = st.floats(0.01, 100)


@given(st.lists(st.tuples(weights, weights), min_size=1, max_size=5), st.floats(0.1, 0.9))
def test_is_exact_where_no_circle_of_claims_is_closed(
    chain: list[tuple[float, float]], absent: float
) -> None:
    # Person i may have record i or record i + 1: a chain.
    ratios = [{i: a, i + 1: b} for i, (a, b) in enumerate(chain)]
    found, expected = settled(ratios, absent, len(chain) + 1), by_definition(ratios, absent)
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, rel=1e-4, abs=1e-6)


def test_two_people_who_are_alike_share_a_record() -> None:
    found = settled([{0: 1e9}, {0: 1e9}], 0.5, 1)
    assert [own[0] for own in found] == pytest.approx([0.5, 0.5], abs=1e-3)


def test_a_record_that_is_surely_taken_is_left_to_its_owner() -> None:
    found = settled([{0: 1e15}, {0: 10.0, 1: 10.0}], 0.1, 2)
    assert found[0][0] == pytest.approx(1)
    assert found[1][1] == pytest.approx(10 / 10.1, rel=1e-6)
    assert found[1][0] < 1e-6


def test_kinds_and_looks_count_as_often_as_they_have_people_and_records() -> None:
    indptr, looks = np.array([0, 1]), np.zeros(1, np.int32)
    found, _ = settle_claims(
        indptr, looks, np.array([1e9]), 0.5, np.ones(1), np.array([4]), 100, 1e-9
    )
    assert found.tolist() == pytest.approx([0.25])


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12, unique=True),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.randoms(),
)
def test_gives_as_many_as_are_left(
    pairs: list[tuple[int, int]], people: list[int], records: list[int], random: object
) -> None:
    order = list(range(len(pairs)))
    random.shuffle(order)  # type: ignore[attr-defined]
    kinds, looks = (np.array([pair[i] for pair in pairs], np.int32) for i in (0, 1))
    given_away = assign_greedily(
        np.array(order, np.int64), kinds, looks, np.array(people), np.array(records)
    )
    left, free = list(people), list(records)
    for e in order:
        kind, look = pairs[e]
        n = min(left[kind], free[look])
        left[kind] -= n
        free[look] -= n
        assert given_away[e] == n
