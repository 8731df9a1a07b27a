"""Boxes: smallest ranges, and kinds that can be told apart by them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import as_table
from unlinkable.tables.series.invariance.boxes import bounds_of, points_of, tell_apart, write_boxes


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=1, max_size=30),
    st.integers(0, 9),
)
def test_different_kinds_show_different_things_that_cover_them(
    rows: list[tuple[int, int]], seed: int
) -> None:
    table = as_table(
        {"age": [*range(10)], "zip": [*range(10)]}, quasi=["age", "zip"]
    )  # every code occurs
    rng = np.random.default_rng(seed)
    lo = np.array([[a, a] for a, _ in rows], np.int32)
    kind = np.array([k for _, k in rows])
    box = tell_apart((lo, lo + 1), (lo, lo + 1), kind, table.attributes, rng)
    assert (box[0] <= lo).all()
    assert (box[1] >= lo + 1).all()
    texts = [*zip(*write_boxes(box, table.attributes), strict=True)]
    kinds: dict[object, set[int]] = {}
    for text, k in zip(texts, kind.tolist(), strict=True):
        kinds.setdefault(text, set()).add(k)
    assert all(len(own) == 1 for own in kinds.values())


def test_ranges_are_the_smallest_and_missing_values_need_everything() -> None:
    table = as_table({"age": [20, 30, None, 40, 30]}, quasi="age")
    group = np.array([0, 0, 1, 1, 2])
    box = bounds_of(points_of(table), group, table.attributes)
    assert write_boxes(box, table.attributes)[0].tolist() == ["[20-31)", "*", "30"]


def test_refuses_more_kinds_than_there_are_ranges() -> None:
    table = as_table({"sex": ["f", "m"]}, quasi="sex")
    lo = np.zeros((4, 1), np.int32)
    with pytest.raises(InfeasibleError, match="too few values to tell apart"):
        tell_apart(
            (lo, lo + 1), (lo, lo + 1), np.arange(4), table.attributes, np.random.default_rng(0)
        )
