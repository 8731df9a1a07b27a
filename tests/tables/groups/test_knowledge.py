"""What an adversary may know: the column sets to look at."""

from __future__ import annotations

from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.groups import Knowledge

COLUMNS = ("a", "b", "c", "d")


def test_knowing_everything_is_one_set() -> None:
    assert list(Knowledge(COLUMNS).combinations()) == [COLUMNS]
    assert list(Knowledge(COLUMNS).combinations(shorter=True)) == [COLUMNS]
    assert list(Knowledge(()).combinations()) == [()]


@given(st.integers(1, 6))
def test_knowing_a_few_is_every_set_of_so_many(at_most: int) -> None:
    knowledge = Knowledge(COLUMNS, at_most=at_most)
    longest = min(at_most, 4)
    assert list(knowledge.combinations()) == list(combinations(COLUMNS, longest))
    shorter = [combinations(COLUMNS, n) for n in range(1, longest + 1)]
    assert list(knowledge.combinations(shorter=True)) == list(chain(*shorter))
