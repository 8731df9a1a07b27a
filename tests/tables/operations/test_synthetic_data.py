"""Synthetic data: nobody's record unless it is common, kinds of values that stay, statistics."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.operations.synthetic_data import SyntheticData


def people_of(n: int = 2000, seed: int = 1) -> Table:
    """Make people with all kinds of columns, which hang together."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    sex = rng.choice(["f", "m"], n)
    pay = (1000 + 40 * age + 500 * (sex == "m") + rng.normal(0, 200, n)).round(2)
    job = np.where(rng.random(n) < age / 120, "clerk", np.where(sex == "m", "cook", "nurse"))
    day = [date(2024, 1, 1) + timedelta(days=int(a) * 3 + int(rng.integers(0, 9))) for a in age]
    time = [datetime(2024, 1, 1) + timedelta(minutes=int(a) * 97) for a in age]
    missing = rng.random(n) < np.where(sex == "m", 0.3, 0.0)
    frame = pl.DataFrame(
        {
            "id": [f"p{i}" for i in range(n)],
            "age": age,
            "sex": sex,
            "pay": [None if gone else p for gone, p in zip(missing, pay.tolist(), strict=True)],
            "job": pl.Series(job, dtype=pl.Categorical),
            "day": day,
            "time": time,
            "well": rng.random(n) < 0.5,
        }
    )
    return as_table(
        frame,
        quasi=["age", "sex", "day", "time"],
        sensitive=["pay", "well"],
        target="job",
        identifiers="id",
    )


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("cd"), st.integers(0, 3)),
        min_size=8,
        max_size=60,
    ),
    st.integers(1, 6),
    st.integers(1, 8),
    st.integers(0, 5),
)
def test_no_record_is_an_original_one_unless_that_is_common(
    rows: list[tuple[str, str, int]], common: int, leaf: int, seed: int
) -> None:
    x, y, z = zip(*rows, strict=True)
    people = as_table({"x": x, "y": y, "z": z}, quasi=["x", "y", "z"])
    try:
        made = SyntheticData(n=40, common=common, leaf=leaf).apply(
            people, np.random.default_rng(seed)
        )
    except UnsupportedError as refused:
        assert "is an original one" in str(refused)  # noqa: PT017
        return
    except DataError as refused:
        assert f"shared by {common} records" in str(refused)  # noqa: PT017
        return
    originals = Counter(rows)
    assert made.height == 40
    for row in made.rows():
        assert originals[row] == 0 or originals[row] >= common
    assert set(made["x"]) <= set("ab")
    assert set(made["y"]) <= set("cd")


def test_what_cannot_be_drawn_anew_takes_over_another_record() -> None:
    # All that leaves of one record can make are original records; only ("a", 0) is common.
    people = as_table(
        {"x": ["a"] * 5 + ["b"] * 5, "y": [0] * 5 + [1, 1, 2, 2, 3]}, quasi=["x", "y"]
    )
    operation = SyntheticData(n=100, common=5, leaf=1)
    made, effort = operation.synthesize(people, np.random.default_rng(1))
    originals = Counter(people.frame.rows())
    for row in made.rows():
        assert originals[row] == 0 or originals[row] >= 5
    assert effort["redrawn"] > 0
    assert made.height == 100


def test_copies_of_the_only_common_record_stand_in_for_all_others() -> None:
    # Every value is common, and of all pairs only one: most records are still told in the end.
    pairs = [(x, y) for x in "abcdefghij" for y in "klmnopqrst"] + [("a", "k")] * 5
    x, y = zip(*pairs, strict=True)
    people = as_table({"x": x, "y": y}, quasi=["x", "y"])
    operation = SyntheticData(n=100, common=5)
    made, effort = operation.synthesize(people, np.random.default_rng(1))
    assert set(made.rows()) == {("a", "k")}
    assert made.height == 100
    assert effort["repeated"] > 0


def test_kinds_of_values_stay_what_they_are() -> None:
    people = people_of()
    made = SyntheticData(n=777).apply(people, secure_generator(1))
    columns = [name for name in people.frame.columns if name != "id"]
    assert made.columns == columns
    assert made.height == 777
    for name in columns:
        if name != "time":  # a time has the resolution of microseconds afterwards
            assert made.schema[name] == people.frame.schema[name], name
    assert set(made["job"].cast(pl.String)) <= {"clerk", "cook", "nurse"}
    assert made["age"].min() >= 18  # type: ignore[operator]
    assert made["age"].max() <= 89  # type: ignore[operator]
    pay = made["pay"].drop_nulls().to_numpy()
    assert (pay.round(2) == pay).all()
    assert all(t.second == 0 for t in made["time"])


def test_missing_values_are_missing_where_they_were() -> None:
    made = SyntheticData(n=4000).apply(people_of(), secure_generator(1))
    share = {
        str(sex): part["pay"].null_count() / part.height for (sex,), part in made.group_by("sex")
    }
    # Nobody among women; 0.3 among about 2,000 men, within 5 standard errors of draw and original.
    assert share["f"] == 0
    assert abs(share["m"] - 0.3) < 5 * np.sqrt(0.21 / 2000 + 0.21 / 1000)


def test_means_shares_and_correlations_are_kept() -> None:
    people = people_of(5000)
    made = SyntheticData(n=5000).apply(people, secure_generator(2))
    before, after = (
        frame.drop_nulls("pay").select("age", "pay", pl.col("sex") == "m").to_numpy().astype(float)
        for frame in (people.frame, made)
    )
    error = before.std(axis=0) * np.sqrt(2 / len(before))
    assert (np.abs(before.mean(axis=0) - after.mean(axis=0)) < 5 * error).all()
    assert np.abs(np.corrcoef(before.T) - np.corrcoef(after.T)).max() < 0.05
    for name in ("job", "sex", "well"):
        old, new = (
            dict(f[name].cast(pl.String).value_counts().iter_rows()) for f in (people.frame, made)
        )
        for value, n in old.items():
            assert abs(new.get(value, 0) - n) / 5000 < 5 * np.sqrt(0.25 / 5000)


def test_numbers_of_single_people_are_not_repeated() -> None:
    rng = np.random.default_rng(3)
    income = np.append(rng.lognormal(10, 1, 999), 1e9)
    people = as_table({"income": income, "sex": ["f", "m"] * 500}, quasi="sex", sensitive="income")
    made = SyntheticData(n=5000).apply(people, secure_generator(1))
    assert not set(made["income"]) & set(income)


def test_a_column_without_values_and_one_with_a_single_value_stay_as_they_are() -> None:
    data = {"gone": pl.Series([None] * 20, dtype=pl.Int64), "one": ["x"] * 20, "w": [1.5] * 20}
    people = as_table(pl.DataFrame(data), quasi=["gone", "one"], weight="w")
    made = SyntheticData().apply(people, np.random.default_rng(1))
    assert made.equals(people.frame)


def test_a_number_that_too_few_people_have_is_never_published() -> None:
    people = as_table({"x": [0] * 30 + [7, 9]}, quasi="x")
    made = SyntheticData(n=500).apply(people, np.random.default_rng(1))
    assert set(made["x"]) == {0}
    sparse = as_table({"x": [None] * 30 + [7, 9]}, quasi="x")
    assert SyntheticData(n=500).apply(sparse, np.random.default_rng(1))["x"].null_count() == 500


def test_the_same_seed_gives_the_same_records() -> None:
    people = people_of(300)
    one, again, other = (SyntheticData().apply(people, secure_generator(s)) for s in (1, 1, 2))
    assert one.equals(again)
    assert not one.equals(other)
    assert one.height == 300


def test_effort_on_a_fixed_table() -> None:
    _, effort = SyntheticData().synthesize(people_of(), np.random.default_rng(1))
    assert effort == {"leaves": 238, "redrawn": 78, "repeated": 0}


def test_tables_that_it_cannot_learn_from_are_refused() -> None:
    chance = np.random.default_rng(1)
    owned = as_table({"x": [1, 2], "id": [1, 1]}, quasi="x", owner="id")
    with pytest.raises(UnsupportedError, match="'id' says that people may have several"):
        SyntheticData().apply(owned, chance)
    with pytest.raises(DataError, match="no records"):
        SyntheticData().apply(as_table({"x": []}, quasi="x"), chance)
    with pytest.raises(SchemaError, match="nothing to publish"):
        SyntheticData().apply(as_table({"x": [1]}, identifiers="x"), chance)
    with pytest.raises(DataError, match="no value of column 'x' is shared by 5 records"):
        SyntheticData().apply(as_table({"x": ["a", "b"]}, quasi="x"), chance)
    # Every number is common, four people have it, and none of the four pairs is: two have each.
    rare = as_table({"x": [1, 1, 2, 2] * 2, "y": [1, 2, 1, 2] * 2}, quasi=["x", "y"])
    with pytest.raises(UnsupportedError, match="is an original one that fewer than 3"):
        SyntheticData(n=20, common=3, leaf=1).apply(rare, chance)
    with pytest.raises(ParameterError, match="n must be at least 1"):
        SyntheticData(n=0)
    with pytest.raises(ParameterError, match="common must be at least 1"):
        SyntheticData(common=0)
    with pytest.raises(ParameterError, match="leaf must be at least 1"):
        SyntheticData(leaf=0)
