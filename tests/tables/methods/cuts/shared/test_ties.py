"""Losses that are equal but for rounding."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.methods.cuts.shared.ties import rounded


@given(st.floats(-1e9, 1e9))
def test_stays_within_one_part_in_a_hundred_billion(loss: float) -> None:
    assert rounded(loss) == pytest.approx(loss, rel=1e-11)
    assert rounded(rounded(loss)) == rounded(loss)


@given(st.permutations([0.1, 0.2, 0.3, 0.4, 1e-3, 7.0]))
def test_the_order_of_a_sum_does_not_matter(amounts: list[float]) -> None:
    assert rounded(sum(amounts)) == rounded(sum(sorted(amounts)))


def test_tells_apart_what_differs() -> None:
    assert rounded(0.123456789) < rounded(0.12345678901)
