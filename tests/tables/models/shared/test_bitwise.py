"""Bitwise: many groups as bits, against lists of rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, histogram_of
from tests.tables.models.shared.test_combinations import groups_on
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import LKCPrivacy
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.models.shared.bitwise import Bitwise
from unlinkable.tables.models.shared.combinations import examine
from unlinkable.typing import CountArray

SHARES = st.fractions(Fraction(1, 9), 1, max_denominator=60)


def everyone(groups: Groups) -> CountArray:
    return np.arange(len(groups))


@given(tables(min_records=1), st.integers(1, 5), st.integers(1, 5), SHARES)
def test_bits_tell_what_lists_do(random: RandomTable, at_most: int, k: int, most: Fraction) -> None:
    groups = finest_of(random)
    hidden = groups.histograms["s0",]
    looked = examine(groups, at_most, k, most, hidden, for_worst=True)
    bits = Bitwise.of(groups, everyone(groups), at_most, hidden)
    assert bits is not None
    worst = bits.worst()
    assert (worst.fewest, worst.share) == (looked.fewest, looked.share)
    assert bits.good((k, most)).tolist() == looked.good.tolist()
    bounded = Bitwise.of(groups, everyone(groups), at_most, hidden, None, (k, most))
    assert bounded is not None
    assert bounded.is_within((k, most)) is worst.is_within((k, most)) is looked.is_kept
    names = tuple(groups.columns[j] for j in worst.few_on)
    seen, parent = groups.project(names)
    assert seen.people()[parent[worst.few_at]] == worst.fewest
    assert len(names) <= at_most


@given(tables(min_records=2, owner=False), st.integers(1, 3), st.data())
def test_some_groups_are_looked_at_as_if_there_were_no_others(
    random: RandomTable, at_most: int, data: st.DataObject
) -> None:
    groups = finest_of(random)
    mask = data.draw(st.lists(st.booleans(), min_size=len(groups), max_size=len(groups)))
    chosen = np.array(mask) | (np.arange(len(groups)) == 0)
    some = groups.select(chosen)
    bits = Bitwise.of(groups, np.flatnonzero(chosen), at_most, groups.histograms["s0",])
    alone = Bitwise.of(some, everyone(some), at_most, some.histograms["s0",])
    assert bits is not None
    assert alone is not None
    assert (bits.worst().fewest, bits.worst().share) == (alone.worst().fewest, alone.worst().share)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_many_groups_are_judged_as_by_every_combination(seed: int) -> None:
    """5,000 groups on seven columns: enough for `examine` to use bits, and to gather cells."""
    rng = np.random.default_rng(seed)
    keys = np.column_stack(
        [np.minimum(rng.geometric(0.6, 5_000), 2 + j % 3) for j in range(7)]
    ).astype(np.int32)
    groups = groups_on(keys, histogram_of(rng.multinomial(3, [0.5, 0.3, 0.2], 5_000).tolist()))
    for promise in (
        LKCPrivacy(3, 12, "7/10", sensitive="s"),
        LKCPrivacy(4, 2, 1, sensitive="s"),
        LKCPrivacy(2, 9, "3/5", sensitive="s"),
    ):
        slow, fast = GroupModel.verdict(promise, groups), promise.verdict(groups)
        assert (slow.holds, slow.good.tolist()) == (fast.holds, fast.good.tolist())
        assert slow.reached == fast.reached
        assert promise.holds(groups) is slow.holds
        assert promise.good(groups).tolist() == slow.good.tolist()


def test_a_value_that_is_too_rare_to_break_bounds_is_not_told_apart() -> None:
    keys = np.array([[0], [1]], np.int32)
    groups = groups_on(keys, histogram_of([[6, 1, 3], [5, 1, 4]]))
    hidden = groups.histograms["s",]
    kept = Bitwise.of(groups, everyone(groups), 1, hidden, None, (4, Fraction(1, 2)))
    assert kept is not None
    assert {*kept.sheet[7][:, 0].tolist()} == {0, 1, 2}  # 2 of 20 are within a half of 4
    all_apart = Bitwise.of(groups, everyone(groups), 1, hidden)
    assert all_apart is not None
    assert {*all_apart.sheet[7][:, 0].tolist()} == {1, 2, 3}


def test_what_has_too_many_values_is_left_to_lists() -> None:
    keys = np.array([[i, i % 2] for i in range(300)], np.int32)
    groups = groups_on(keys, histogram_of([[1]] * 300))
    assert Bitwise.of(groups, everyone(groups), 1) is None
    assert Bitwise.of(groups, everyone(groups)[:200], 1) is not None
    large = groups_on(keys * 1_000, histogram_of([[1]] * 300))
    assert Bitwise.of(large, everyone(groups)[:20], 1) is not None
    assert Bitwise.of(large, everyone(groups)[:100], 1) is None
    wide = np.array([[i % 250 + j for j in range(13)] for i in range(300)], np.int32)
    groups = groups_on(wide, histogram_of([[1]] * 300))
    assert Bitwise.of(groups, everyone(groups), 2) is None
    assert Bitwise.of(groups, everyone(groups), 1) is not None
