"""Sequential trees: the order of columns, who hands on values, and what is drawn from whom."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.tables.data import as_table
from unlinkable.tables.operations.shared.sequential_trees import MadeUpValues, SequentialTrees

N = 20_000


def test_columns_with_few_values_come_first() -> None:
    data = {"age": [*range(20)] * 5, "sex": list("fm") * 50, "job": list("abcde") * 20}
    model = SequentialTrees.grown(as_table(data, quasi=[*data]), tuple(data), common=1, leaf=5)
    assert [column.name for column in model.columns] == ["sex", "job", "age"]


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=40))
def test_every_value_is_one_that_somebody_in_the_leaf_has(rows: list[tuple[str, ...]]) -> None:
    data = dict(zip("xyz", zip(*rows, strict=True), strict=True))
    model = SequentialTrees.grown(as_table(data, quasi=[*data]), tuple(data), common=1, leaf=1)
    drawn = model.draw(50, np.random.default_rng(0)).astype(int)
    # Leaves of one record: whoever has the first columns hands on the others, so that each
    # record has only combinations of two columns that the trees can tell apart.
    first, second = (model.columns[j] for j in (0, 1))
    seen = {*zip(first.values.astype(int), second.values.astype(int), strict=True)}
    assert {*zip(drawn[0], drawn[1], strict=True)} <= seen


def test_shares_within_a_leaf_are_those_of_the_original() -> None:
    sex = ["f"] * 600 + ["m"] * 400
    job = ["a"] * 450 + ["b"] * 150 + ["a"] * 40 + ["b"] * 360
    people = as_table({"sex": sex, "job": job}, quasi=["sex", "job"])
    model = SequentialTrees.grown(people, ("sex", "job"), common=5, leaf=20)
    drawn = model.draw(N, np.random.default_rng(1)).astype(int)
    pairs = [column.domain.values for column in model.columns]
    found = Counter((pairs[0][a], pairs[1][b]) for a, b in drawn.T)
    for pair, n in Counter(zip(sex, job, strict=True)).items():
        # 5 standard errors: false alarms are rarer than one in a million; 30 % off is farther.
        p = n / 1000
        near = 5 * np.sqrt(p * (1 - p) / N)
        assert abs(found[pair] / N - p) < near < 0.3 * p


def test_leaves_have_as_many_donors_as_asked_for() -> None:
    rng = np.random.default_rng(1)
    data = {"x": rng.integers(0, 50, 500), "y": rng.integers(0, 90, 500)}
    model = SequentialTrees.grown(as_table(data, quasi=["x", "y"]), ("x", "y"), common=1, leaf=30)
    for tree in model.trees:
        sizes = np.diff(tree.ends, axis=1)[tree.predictor < 0]
        assert sizes.min() >= 30
        assert sizes.sum() == 500
    assert model.n_leaves == sum(int((tree.predictor < 0).sum()) for tree in model.trees)


def learned(values: object, common: int) -> MadeUpValues:
    return MadeUpValues.of(as_table({"v": values}, quasi="v"), "v", common)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=80), st.integers(1, 8))
def test_rare_numbers_are_in_stretches_that_enough_records_share(
    values: list[int], common: int
) -> None:
    counts = Counter(values)
    rare = sorted(v for v in counts if counts[v] < common)
    n_rare = sum(counts[v] for v in rare)
    if n_rare < common and len(rare) == len(counts):
        with pytest.raises(DataError, match=f"shared by {common} records"):
            learned(values, common)
        return
    column = learned(values, common)
    assert column.rare.tolist() == rare
    if n_rare < common:
        assert column.donors.tolist() == [counts[v] >= common for v in values]
        return
    assert column.donors.all()
    for i, (first, end) in enumerate(column.runs.tolist()):
        assert first <= i < end
        assert sum(counts[v] for v in rare[first:end]) >= common
        assert end - first >= 2
        assert (column.runs[first:end] == [first, end]).all()


@given(st.integers(5, 60), st.integers(0, 99))
def test_numbers_that_single_people_have_are_not_handed_on(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.random(n) * 100  # with so many digits none is met by chance
    column = learned(values, 5)
    made = column.published(column.values, rng)
    assert not set(made) & set(values)
    assert values.min() <= made.min()
    assert made.max() <= values.max()


def test_numbers_that_many_have_stay_and_rare_ones_keep_their_step() -> None:
    values = [0] * 50 + [*range(1000, 1400, 10)]
    column = learned(values, 5)
    made = column.published(column.values, np.random.default_rng(1))
    assert (made[:50] == 0).all()
    assert (np.abs(made[50:] - values[50:]) <= 15 * 10).all()
    assert (made == np.round(made)).all()


def test_a_number_is_drawn_evenly_between_neighbours() -> None:
    column = learned([0.0, 1.001], 2)
    made = column.published(np.zeros(20_000), np.random.default_rng(1)) / 1.001
    # Kolmogorov and Smirnov's distance exceeds 2.7 / sqrt(n) less than once in a million times;
    # numbers are rounded to thousandths.
    gap = np.abs(np.sort(made) - np.arange(1, 20_001) / 20_000).max()
    assert gap < 2.7 / np.sqrt(20_000) + 0.001
    off = np.abs(np.sort(made) / 1.3 - np.arange(1, 20_001) / 20_000).max()
    assert off > 2.7 / np.sqrt(20_000) + 0.001


def test_days_stay_days() -> None:
    days = [date(2024, 1, 1) + timedelta(days=9 * i) for i in range(20)]
    column = learned(days, 5)
    made = column.published(column.values, np.random.default_rng(1))
    assert (made == np.round(made)).all()
    assert (column.comparable(made) % 86_400_000_000 == 0).all()


def test_rare_categories_are_not_handed_on_and_missing_values_are() -> None:
    column = learned(["a"] * 5 + ["b", "b", None], 3)
    assert column.donors.tolist() == [True] * 5 + [False, False, True]
    with pytest.raises(DataError, match="no value of column 'v' is shared by 3 records"):
        learned(["a", "b", "c", "d"], 3)


@given(st.lists(st.one_of(st.none(), st.integers(0, 2000)), min_size=1, max_size=900))
def test_bins_rise_with_numbers_and_missing_ones_are_apart(values: list[int | None]) -> None:
    if all(v is None for v in values):
        return
    column = learned(values, 1)
    bins = column.bins(column.values)
    present = sorted((v, b) for v, b in zip(values, bins.tolist(), strict=True) if v is not None)
    assert [b for _, b in present] == sorted(b for _, b in present)
    missing = {b for v, b in zip(values, bins.tolist(), strict=True) if v is None}
    assert not missing & {b for _, b in present}
    if len(set(values) - {None}) <= 255:
        assert len({b for _, b in present}) == len(set(values) - {None})


def test_many_values_are_told_apart_in_bins_of_about_the_same_size() -> None:
    column = learned(np.arange(10_000), 1)
    sizes = np.bincount(column.bins(column.values))
    assert sizes.size == 255
    assert sizes.max() <= 41


def test_scores_are_ranks_and_missing_values_are_below() -> None:
    column = learned([10, 20, 20, None], 1)
    assert column.scores().tolist() == pytest.approx([1 / 6, 4 / 6, 4 / 6, -1])
