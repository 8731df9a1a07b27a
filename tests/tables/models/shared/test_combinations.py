"""Looking at combinations of columns: the same as forming them all, and far less work."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, histogram_of
from unlinkable.tables.groups import Groups, Histogram, number_rows
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.models import KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.models.shared.combinations import examine
from unlinkable.typing import BoolArray, CodeArray, Columns

SHARES = st.fractions(Fraction(1, 9), 1, max_denominator=60)


@st.composite
def many_columns(draw: st.DrawFn) -> tuple[Groups, Histogram, BoolArray]:
    """Draw groups on up to seven columns, some of them of one value, perhaps with owners."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=7))
    n = draw(st.integers(1, 24))
    rows = [[draw(st.integers(0, size - 1)) for size in sizes] for _ in range(n)]
    keys = np.unique(np.array(rows, np.int32), axis=0)
    count = st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any)
    hidden = histogram_of([draw(count) for _ in keys])
    owned = None
    if draw(st.booleans()):
        person = st.lists(st.integers(0, 1), min_size=4, max_size=4).filter(any)
        owned = histogram_of([draw(person) for _ in keys])
    is_bounded = np.array(draw(st.lists(st.booleans(), min_size=3, max_size=3)))
    return groups_on(keys, hidden, owned), hidden, is_bounded


def groups_on(keys: CodeArray, hidden: Histogram, owned: Histogram | None = None) -> Groups:
    sizes = hidden.reduce(np.add, hidden.counts)
    histograms: dict[Columns, Histogram] = {("s",): hidden}
    if owned is not None:
        histograms["o",] = owned
    return Groups(
        sizes=sizes,
        weights=sizes.astype(float),
        histograms=histograms,
        whole={names: there.total for names, there in histograms.items()},
        columns=tuple(f"q{j}" for j in range(keys.shape[1])),
        keys=keys,
        owner="o" if owned else None,
    )


@given(
    many_columns(),
    st.integers(1, 7),
    st.integers(1, 4),
    st.fractions(Fraction(1, 9), 1, max_denominator=20),
)
def test_finds_what_forming_all_combinations_finds(
    drawn: tuple[Groups, Histogram, BoolArray], at_most: int, k: int, most: Fraction
) -> None:
    groups, hidden, is_bounded = drawn
    good = np.ones(len(groups), bool)
    people, shares = [], []
    for columns in combinations(groups.columns, min(at_most, len(groups.columns))):
        seen, parent = groups.project(columns)
        there = seen.histograms["s",]
        peaks = there.reduce(np.maximum, np.where(is_bounded[there.values], there.counts, 0))
        share = [Fraction(*pair) for pair in zip(peaks.tolist(), seen.sizes.tolist(), strict=True)]
        good &= ((seen.people() >= k) & np.array([s <= most for s in share]))[parent]
        people.append(int(seen.people().min()))
        shares.append(max(share))
    looked = examine(groups, at_most, k, most, hidden, is_bounded, for_worst=True)
    assert (looked.fewest, looked.share) == (min(people), max(shares))
    assert (looked.good.tolist(), looked.is_kept) == (good.tolist(), bool(good.all()))
    few, parent = groups.project(looked.few_on)
    assert few.people()[parent[looked.few_at]] == looked.fewest
    assert max(len(looked.few_on), len(looked.share_on)) <= at_most
    without = examine(groups, at_most, k, most, hidden, is_bounded)
    assert (without.good.tolist(), without.is_kept) == (good.tolist(), bool(good.all()))
    stopped = examine(groups, at_most, k, most, hidden, is_bounded, stops=True)
    assert stopped.is_kept is bool(good.all())
    assert stopped.n_weighed <= without.n_weighed


def test_columns_that_tell_nothing_cost_nothing() -> None:
    """Of 41 columns, 38 have one value: 4.5 million combinations of six are a handful."""
    keys = np.zeros((8, 41), np.int32)
    keys[:, [3, 17, 40]] = [[i >> 2, i >> 1 & 1, i & 1] for i in range(8)]
    hidden = histogram_of([[3, 3]] * 8)
    looked = examine(groups_on(keys, hidden), 6, 2, Fraction(1, 2), hidden, for_worst=True)
    assert (looked.fewest, looked.share, looked.is_kept) == (6, Fraction(1, 2), True)
    assert set(looked.few_on) <= {"q3", "q17", "q40"}
    assert looked.n_weighed == 11


def test_what_holds_on_all_columns_is_not_looked_at_on_fewer() -> None:
    """All of ten columns together have eight records each: no combination has fewer."""
    rng = np.random.default_rng(5)
    keys = np.unique(rng.integers(0, 3, (60, 10)), axis=0).astype(np.int32)
    hidden = histogram_of([[4, 4]] * len(keys))
    groups = groups_on(keys, hidden)
    kept = examine(groups, 4, 8, Fraction(1, 2), hidden)
    assert (kept.is_kept, kept.n_weighed) == (True, 7)  # once for every first column
    assert not examine(groups, 4, 9, Fraction(1, 2), hidden).is_kept


def test_stops_at_the_first_combination_that_breaks_the_bounds() -> None:
    rng = np.random.default_rng(5)
    keys = np.unique(rng.integers(0, 6, (300, 20)), axis=0).astype(np.int32)
    hidden = histogram_of([[1]] * len(keys))
    first = examine(groups_on(keys, hidden), 3, 5, stops=True)
    everything = examine(groups_on(keys, hidden), 3, 5)
    assert not first.is_kept
    assert not everything.is_kept
    assert (first.n_weighed, everything.n_weighed) == (3, 229)


@given(tables(max_qid=4), st.integers(1, 4), st.integers(1, 4), SHARES)
def test_finds_the_same_as_looking_at_every_combination(
    random: RandomTable,
    l: int,  # noqa: E741
    k: int,
    c: Fraction,
) -> None:
    groups = finest_of(random)
    promise = LKCPrivacy(l, k, c, sensitive="s0")
    slow, fast = GroupModel.verdict(promise, groups), promise.verdict(groups)
    assert (slow.holds, slow.good.tolist()) == (fast.holds, fast.good.tolist())
    assert len(groups) == 0 or slow.reached == fast.reached
    assert GroupModel.good(promise, groups).tolist() == promise.good(groups).tolist()
    if fast.worst >= 0:
        seen, parent = groups.project(fast.seen_on)
        level = promise.level(seen)[parent[fast.worst]]
        assert level == (fast.level if fast.reached["c"] <= c else -np.inf)  # type: ignore[operator]


@given(
    tables(min_records=1, max_qid=3),
    st.integers(1, 3),
    SHARES,
    st.integers(0, 5),
    st.lists(st.sampled_from([1, 2, 9]), min_size=3, max_size=3),
)
def test_no_finer_release_leaves_out_less_than_coarser_groups_say(
    random: RandomTable,
    l: int,  # noqa: E741
    c: Fraction,
    spare: int,
    widths: list[int],
) -> None:
    promise = LKCPrivacy(l, 3, c, sensitive="s0")
    finer = finest_of(random)
    shown = (finer.keys // np.array(widths[: len(random.qid)])).astype(np.int32)
    parent, first = number_rows(shown)
    coarser = finer.merge(parent, first.size, finer.columns, shown[first])
    is_gone = ~kept(finer, All([promise]))
    lost = np.bincount(parent[is_gone], finer.sizes[is_gone], first.size)
    at_least = promise.least_suppressed(coarser, int(lost.sum()) + spare)
    assert (at_least <= lost).all()


LARGE_SHARES = st.fractions(Fraction(1, 4), 1, max_denominator=12)


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
    LARGE_SHARES,
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


@given(st.data(), tables(min_records=2, owner=False), st.integers(1, 3), LARGE_SHARES)
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
