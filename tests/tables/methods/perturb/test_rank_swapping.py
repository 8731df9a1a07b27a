"""Rank swapping: ranks stay close, pairs, missing values, ends, seeds and refusals."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.perturb.masking import run
from tests.witness.swapping import rank_swap_faults
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.perturb.rank_swapping import RankSwapping
from unlinkable.tables.models import DifferentialPrivacy, KAnonymity
from unlinkable.tables.taxonomies.builders import Tree

PERCENT = st.fractions(Fraction(1), 100, max_denominator=4)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=40), PERCENT, st.integers(0, 99))
def test_values_move_within_their_ranks_and_are_all_still_there(
    ages: list[int], p: Fraction, seed: int
) -> None:
    people = as_table({"age": ages}, quasi="age")
    made = run(RankSwapping(p), people, seed=seed).frame["age"].to_list()
    assert rank_swap_faults(ages, made, max(1, int(p * len(ages) / 100))) == []


@given(st.permutations(range(25)), PERCENT, st.integers(0, 99))
def test_different_values_are_exchanged_in_pairs(ages: list[int], p: Fraction, seed: int) -> None:
    people = as_table({"age": ages}, quasi="age")
    made = run(RankSwapping(p), people, seed=seed)
    assert rank_swap_faults(ages, made.frame["age"].to_list(), max(1, int(p / 4))) == []
    n_moved = sum(a != b for a, b in zip(ages, made.frame["age"].to_list(), strict=True))
    assert n_moved == 2 * made.effort["swaps"]


def test_missing_values_stay_where_they_are_and_have_no_rank() -> None:
    ages = [None, 5, 1, None, 3, 2, 4, None]
    people = as_table({"age": ages}, quasi="age")
    made = run(RankSwapping(20), people).frame["age"].to_list()
    assert [a is None for a in made] == [a is None for a in ages]
    there = [a for a in ages if a is not None]
    assert rank_swap_faults(there, [a for a in made if a is not None], 1) == []


def test_dates_and_ordered_categories_are_swapped_by_their_order() -> None:
    days = [date(2020, 1, 1) + timedelta(days=i) for i in range(20)]
    sizes = ["small", "medium", "large"]
    people = as_table(
        {"day": days, "size": [sizes[i % 3] for i in range(20)]},
        quasi=["day", "size"],
        taxonomies={"size": Tree({"any": sizes})},
    )
    made = run(RankSwapping(10, columns=["day", "size"]), people).frame
    ranks = {size: i for i, size in enumerate(sizes)}
    before, after = ([ranks[s] for s in frame["size"]] for frame in (people.frame, made))
    assert rank_swap_faults(before, after, 2) == []
    shown = [d.toordinal() for d in made["day"]]
    assert rank_swap_faults([d.toordinal() for d in days], shown, 2) == []
    assert made["day"].to_list() != days


def test_only_numbers_are_swapped_if_nothing_is_named_and_names_are_not_published() -> None:
    people = as_table(
        {"name": ["a", "b", "c"], "age": [1, 2, 3], "job": ["x", "y", "z"], "ill": [7, 8, 9]},
        identifiers="name", quasi=["age", "job"], sensitive="ill",
    )  # fmt: skip
    masked = run(RankSwapping(), people)
    assert masked.frame.columns == ["age", "job", "ill"]
    assert masked.frame.select("job", "ill").equals(people.frame.select("job", "ill"))
    assert masked.rows is not None
    assert masked.rows.tolist() == [0, 1, 2]


def test_correlations_stay_where_values_move_little() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=5_000)
    people = as_table({"x": x, "y": x + rng.normal(size=5_000)}, quasi=["x", "y"])
    before = np.corrcoef(people.frame.to_numpy().T)[0, 1]
    near, far = (
        np.corrcoef(run(RankSwapping(p), people).frame.to_numpy().T)[0, 1] for p in (5, 100)
    )
    assert abs(near - before) < 0.05
    assert before - far > 0.2


def test_equal_values_have_no_order_of_their_own() -> None:
    """Each of 20 equal values is among the 4 that may be swapped up, about 1 time in 10 or more."""
    people = as_table({"age": [0] * 20 + [1] * 20}, quasi="age")
    swapped = np.zeros(20)
    for seed in range(200):
        swapped += run(RankSwapping(10), people, seed=seed).frame["age"].to_numpy()[:20]
    assert swapped.min() > 0
    assert swapped.max() < 3 * swapped.mean()


def test_the_same_seed_swaps_the_same_and_effort_is_golden() -> None:
    people = as_table({"age": [i % 50 for i in range(1_000)]}, quasi="age")
    one, other = (run(RankSwapping(), people, seed=3) for _ in range(2))
    assert one.frame.equals(other.frame)
    assert not one.frame.equals(run(RankSwapping(), people, seed=4).frame)
    assert one.effort == {"swaps": 500}


def test_a_table_without_records_stays_so() -> None:
    nobody = as_table({"age": np.zeros(0)}, quasi="age")
    assert run(RankSwapping(), nobody).frame.height == 0


def test_refuses_promises_and_columns_that_have_no_ranks() -> None:
    people = as_table({"age": [1, 2], "job": ["x", "y"]}, quasi=["age", "job"])
    for model in (KAnonymity(2), DifferentialPrivacy(1)):
        with pytest.raises(UnsupportedError, match="swapped values put no records together"):
            run(RankSwapping(), people, model)
    for p in (0, 101):
        with pytest.raises(ParameterError, match=r"p must lie in \(0, 100\]"):
            RankSwapping(p)
    with pytest.raises(SchemaError, match="no column 'aeg'"):
        run(RankSwapping(columns="aeg"), people)
    with pytest.raises(SchemaError, match="holds numbers or dates for rank-swapping"):
        run(RankSwapping(), as_table({"job": ["x"]}, quasi="job"))
