"""Condensation: moments of groups and of the table, what is published, the refusals."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.perturb.masking import run
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb.condensation import Categories, Condensation
from unlinkable.tables.models import KAnonymity


def people(n: int = 60, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    return as_table(
        {
            "name": [f"n{i}" for i in range(n)],
            "age": age,
            "pay": (age * 40 + rng.normal(0, 200, n)).round(2),
            "job": rng.choice(["cook", "clerk"], n),
            "ill": rng.choice(["x", "y", "z"], n),
        },
        identifiers="name",
        quasi=["age", "pay", "job"],
        sensitive="ill",
    )


@given(st.integers(0, 1_000), st.integers(3, 12))
def test_means_and_covariances_of_the_table_are_kept(seed: int, k: int) -> None:
    table = people(40, seed)
    masked = run(Condensation(k), table, seed=seed)
    before = table.frame.select("age", "pay").to_numpy().astype(float)
    after = masked.frame.select("age", "pay").to_numpy()
    assert after.mean(axis=0) == pytest.approx(before.mean(axis=0))
    assert np.cov(after.T) == pytest.approx(np.cov(before.T))
    assert masked.facts["groups"] == 40 // k


def test_neighbourhoods_are_kept() -> None:
    rng = np.random.default_rng(1)
    near, far = rng.normal(0, 1, (20, 2)), rng.normal(0, 1, (20, 2)) @ [[1, 0.9], [0, 0.4]] + 100
    points = np.concatenate([near, far])
    table = as_table({"a": points[:, 0], "b": points[:, 1]}, insensitive=["a", "b"])
    shown = run(Condensation(20), table).frame.to_numpy()
    for one, other in ((near, shown[shown[:, 0] < 50]), (far, shown[shown[:, 0] > 50])):
        assert other.mean(axis=0) == pytest.approx(one.mean(axis=0))
        assert np.cov(other.T) == pytest.approx(np.cov(one.T))


def test_nobody_is_published() -> None:
    table = people()
    masked = run(Condensation(5), table)
    assert masked.rows is None
    assert masked.frame.columns == ["age", "pay", "job", "ill"]
    assert not {*masked.frame["pay"]} & {*table.frame["pay"]}
    assert masked.told == {"records behind every point": 5.0}


def test_categories_are_dealt_out_within_groups_column_by_column() -> None:
    n = 40
    table = as_table(
        {
            "age": [i // 20 * 50 + i % 3 for i in range(n)],
            "job": ["young" if i < 20 else "old" for i in range(n)],
            "ill": [f"i{i}" for i in range(n)],
            "also": [f"i{i}" for i in range(n)],
        },
        quasi=["age", "job"],
        sensitive=["ill", "also"],
    )
    shown = run(Condensation(20), table).frame
    assert {(age > 25, job) for age, job in zip(shown["age"], shown["job"], strict=True)} == {
        (False, "young"),
        (True, "old"),
    }
    assert Counter(shown["ill"]) == Counter(table.frame["ill"])
    assert shown["ill"].to_list() != shown["also"].to_list()


def test_columns_can_be_chosen_and_others_dropped() -> None:
    table = people()
    shown = run(Condensation(5, columns="pay", categories="drop"), table).frame
    assert shown.columns == ["pay"]
    dealt = run(Condensation(5, columns="pay", categories=Categories.DEAL), table).frame
    assert sorted(dealt["age"]) == sorted(table.frame["age"])


def test_the_seed_decides_and_effort_is_as_it_was() -> None:
    table = people(300)
    one, same, other = (run(Condensation(4), table, seed=seed) for seed in (1, 1, 2))
    assert one.frame.equals(same.frame)
    assert not one.frame.equals(other.frame)
    assert dict(one.effort) == {"rounds": 37, "compared": 1_411}


def test_refuses_what_it_cannot_do() -> None:
    table = people(8)
    with pytest.raises(UnsupportedError, match="no groups of people to count: use mdav"):
        run(Condensation(3), table, KAnonymity(2))
    with pytest.raises(
        InfeasibleError, match="the table has 8 records, and a group has at least 9"
    ):
        run(Condensation(9), table)
    with pytest.raises(SchemaError, match="no column to publish 'name'"):
        run(Condensation(3, columns="name"), table)
    with pytest.raises(UnsupportedError, match="column 'job' holds categories"):
        run(Condensation(3, columns="job"), table)
    with pytest.raises(SchemaError, match="no column holds any: use mdav"):
        run(Condensation(3), as_table({"job": ["a", "b"]}, quasi="job"))
    owned = as_table({"age": [1, 2], "who": ["a", "b"]}, quasi="age", owner="who")
    with pytest.raises(UnsupportedError, match="'who' holds owners of records"):
        run(Condensation(3), owned)
    weighted = as_table({"age": [1, 2], "w": [1.0, 2.0]}, quasi="age", weight="w")
    with pytest.raises(UnsupportedError, match="'w' holds weights of records"):
        run(Condensation(3), weighted)
    with pytest.raises(ParameterError, match="categories must be 'deal' or 'drop', got 'keep'"):
        Condensation(3, categories="keep")
    with pytest.raises(ParameterError, match="k must be at least 3, got 2"):
        Condensation(2)
