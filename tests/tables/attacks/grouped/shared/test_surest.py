"""Those whom an adversary is surest of."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.base.attack import Victim
from unlinkable.tables.attacks.grouped.shared.surest import Surest, pick_surest

SURE = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=12)


@given(SURE, st.integers(1, 5))
def test_the_largest_are_picked_and_the_first_among_equals(sure: list[float], most: int) -> None:
    expected = sorted(range(len(sure)), key=lambda i: (-sure[i], i))[:most]
    assert pick_surest(np.array(sure, float), most).tolist() == expected


@given(st.lists(SURE, max_size=4), st.integers(1, 5))
def test_offers_one_by_one_are_offers_at_once(offers: list[list[float]], most: int) -> None:
    surest = Surest(most)
    for k, sure in enumerate(offers):
        surest.offer(
            np.array(sure, float),
            lambda at, k=k, sure=sure: Victim({"who": f"{k} {at}"}, sure[at]),  # type: ignore[misc]
        )
    everybody = [(s, f"{k} {i}") for k, sure in enumerate(offers) for i, s in enumerate(sure) if s]
    expected = sorted(everybody, key=lambda pair: -pair[0])[:most]
    assert [(v.confidence, v.who["who"]) for v in surest.victims] == expected


def test_nobody_is_told_of_whom_nothing_is_believed() -> None:
    surest = Surest()
    surest.offer(np.zeros(3), lambda at: Victim({}, 0.0))
    assert surest.victims == ()
