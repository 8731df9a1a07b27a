"""After a split: looking at what is new tells the same as looking at everything."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, histogram_of
from tests.tables.models.shared.test_combinations import groups_on
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray

SHARES = st.fractions(Fraction(1, 4), 1, max_denominator=12)


@st.composite
def splits(draw: st.DrawFn, random: RandomTable) -> tuple[Groups, Groups, BoolArray, str]:
    """Draw coarse groups, and the same after one value of one column is told more precisely."""
    finest = finest_of(random)
    widths = draw(st.lists(st.integers(1, 6), min_size=len(random.qid), max_size=len(random.qid)))
    keys = (finest.keys // np.array(widths)).astype(np.int32)
    j = draw(st.integers(0, len(random.qid) - 1))
    parts = keys[:, j] == draw(st.sampled_from(sorted({*keys[:, j].tolist()})))
    finer = keys.copy()
    finer[parts, j] = 100 + finest.keys[parts, j] // draw(st.integers(1, 3))
    before, after = evolve(finest, keys=keys), evolve(finest, keys=finer)
    return before, after, parts, random.qid[j]


@given(
    st.data(),
    tables(min_records=2, max_records=40),
    st.integers(1, 4),
    st.integers(1, 4),
    SHARES,
)
def test_a_promise_that_held_survives_a_split_if_it_holds_after(
    data: st.DataObject,
    random: RandomTable,
    l: int,  # noqa: E741
    k: int,
    c: Fraction,
) -> None:
    before, after, parts, column = data.draw(splits(random))
    for promise in (LKCPrivacy(l, k, c, sensitive="s0"), LKCPrivacy(l, k, c)):
        if promise.holds(before):
            assert promise.survives(after, parts, column) is promise.holds(after)


@given(st.data(), tables(min_records=2, owner=False), st.integers(1, 3), SHARES)
def test_only_the_values_that_are_listed_are_bounded(
    data: st.DataObject,
    random: RandomTable,
    l: int,  # noqa: E741
    c: Fraction,
) -> None:
    before, after, parts, column = data.draw(splits(random))
    there = sorted({str(row["s0"] or "") for row in random.rows})
    listed = data.draw(st.lists(st.sampled_from(there), min_size=1, unique=True))
    promise = LKCPrivacy(l, 1, c, sensitive="s0", values=listed)
    assume(promise.holds(before))
    assert promise.survives(after, parts, column) is promise.holds(after)


@given(st.data(), tables(min_records=2), st.integers(1, 3))
def test_it_does_not_matter_how_groups_lie_or_whether_they_are_merged(
    data: st.DataObject, random: RandomTable, k: int
) -> None:
    _, after, parts, column = data.draw(splits(random))
    promise = All([LKCPrivacy(2, k, "1/2", sensitive="s0"), KAnonymity(1)])
    is_kept = promise.survives(after, parts, column)
    by_column = np.zeros((after.keys.shape[1], len(after) + 2), np.int32)
    by_column[:, : len(after)] = after.keys.T
    lying = evolve(after, keys=by_column[:, : len(after)].T)
    assert promise.survives(lying, parts, column) is is_kept
    merged, parent = after.project(after.columns)
    merged_parts = np.zeros(len(merged), bool)
    merged_parts[parent[parts]] = True
    assert promise.survives(merged, merged_parts, column) is is_kept


@pytest.mark.parametrize(
    ("k", "c", "is_kept"), [(2, "1/2", True), (2, 1, True), (3, 1, False), (2, "2/5", False)]
)
def test_columns_of_very_many_values_are_looked_at_by_lists(
    k: int, c: str | int, is_kept: bool
) -> None:
    """300 values, more than a byte tells apart, of which two records each look alike."""
    keys = np.array([[i // 2, i % 2] for i in range(600)], np.int32)
    groups = groups_on(keys, histogram_of([[1, 1]] * 600))
    promise = LKCPrivacy(2, k, c, sensitive="s")
    assert promise.survives(groups, np.ones(600, bool), "q1") is is_kept


def test_groups_that_were_not_split_are_not_looked_at() -> None:
    """Those that were not break the promise, which would be told by looking at them."""
    keys = np.array([[0, 0], [0, 1], [1, 0], [2, 0]], np.int32)
    groups = groups_on(keys, histogram_of([[2, 2], [2, 2], [1, 0], [1, 0]]))
    promise = LKCPrivacy(2, 4, "1/2", sensitive="s")
    parts = np.array([True, True, False, False])
    assert not promise.holds(groups)
    assert promise.survives(groups, parts, "q1")
    assert not promise.survives(groups, ~parts, "q0")
