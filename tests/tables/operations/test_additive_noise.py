"""Additive noise: distributions, what is kept, the price, rounding, seeds and refusals."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.tables.operations.chance import fits
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.noise import Neighbours, price, secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.release_columns import numbers_of
from unlinkable.tables.operations.additive_noise import AdditiveNoise

N = 20_000
LAWS = {
    "gaussian": lambda scale: stats.norm(0, scale),
    "uniform": lambda scale: stats.uniform(-scale, 2 * scale),
    "laplace": lambda scale: stats.laplace(0, scale),
}


def pay(n: int = N) -> Table:
    numbers = np.random.default_rng(5).normal(3000.0, 400.0, n)
    return as_table({"job": ["cook"] * n, "pay": numbers}, quasi="job", sensitive="pay")


def noise_on(operation: AdditiveNoise, table: Table, name: str = "pay", seed: int = 1) -> Any:
    made = operation.apply(table, secure_generator(seed))
    return numbers_of(made, name) - numbers_of(table.frame, name)


@pytest.mark.parametrize("law", LAWS)
def test_noise_has_its_distribution_and_none_that_is_30_percent_off(law: str) -> None:
    """A false alarm in one of a million runs; the seed is fixed."""
    noise = noise_on(AdditiveNoise(7, distribution=law), pay())
    assert fits(noise, LAWS[law](7).cdf)
    assert not fits(noise, LAWS[law](7 * 1.3).cdf)
    assert not fits(noise, LAWS[law](7 * 0.7).cdf)


def test_relative_noise_is_measured_by_the_spread_of_the_column() -> None:
    people = pay()
    spread = float(numbers_of(people.frame, "pay").std(ddof=1))
    noise = noise_on(AdditiveNoise("1/4", relative=True), people)
    assert fits(noise, stats.norm(0, spread / 4).cdf)
    assert not fits(noise, stats.norm(0, 1.3 * spread / 4).cdf)


def test_noise_with_a_price_has_its_distribution_too() -> None:
    """A false alarm in one of a million runs; OpenDP's noise has no seed."""
    ages = as_table({"age": np.full(3_000, 50.0)}, quasi="age")
    operation = AdditiveNoise(4, distribution="laplace", columns="age", bounds=[["age", 0, 100]])
    noise = noise_on(operation, ages, "age")
    assert fits(noise, stats.laplace(0, 4).cdf)
    assert not fits(noise, stats.laplace(0, 4 * 1.6).cdf)


def correlated(n: int = N) -> Table:
    rng = np.random.default_rng(9)
    x = rng.normal(0, 1, n)
    y = 0.9 * x + rng.normal(0, 0.3, n)
    return as_table({"x": x, "y": 100 * y}, sensitive=["x", "y"])


def test_correlated_noise_keeps_correlations_and_adds_its_share_of_the_covariance() -> None:
    people = correlated()
    before = np.column_stack([numbers_of(people.frame, n) for n in "xy"])
    made = AdditiveNoise("1/2", relative=True, correlated=True).apply(people, secure_generator(1))
    noise = np.column_stack([numbers_of(made, n) for n in "xy"]) - before
    expected = np.cov(before.T) / 4
    assert np.allclose(np.cov(noise.T), expected, rtol=0.05)
    # Every direction has its own distribution, and none that is 30 % off.
    for weights in ([1, 0], [0, 1], [1, -0.01]):
        spread = float(np.sqrt(np.array(weights) @ expected @ weights))
        assert fits(noise @ weights, stats.norm(0, spread).cdf)
        assert not fits(noise @ weights, stats.norm(0, 1.3 * spread).cdf)


@pytest.mark.parametrize("is_correlated", [True, False])
def test_means_and_covariances_are_kept_exactly(is_correlated: bool) -> None:
    people = correlated(500)
    operation = AdditiveNoise("1/2", relative=True, correlated=is_correlated, keep_moments=True)
    made = operation.apply(people, secure_generator(1))
    before, after = (
        np.column_stack([numbers_of(frame, n) for n in "xy"]) for frame in (people.frame, made)
    )
    assert np.allclose(before.mean(axis=0), after.mean(axis=0))
    assert np.allclose(np.cov(before.T), np.cov(after.T))
    assert np.abs(before - after).max() > 0.1


def test_whole_numbers_stay_whole_dates_stay_days_and_missing_values_missing() -> None:
    people = as_table(
        {"age": [20, None, 40], "born": [date(1990, 1, 1), date(1991, 1, 1), None]},
        sensitive=["age", "born"],
    )
    made = AdditiveNoise(3).apply(people, secure_generator(2))
    assert made.schema == people.frame.schema
    assert made["age"].null_count() == made["born"].null_count() == 1
    assert made["age"][1] is None


def test_values_beyond_the_bounds_are_set_to_them() -> None:
    people = as_table({"age": [5.0, 50.0, 500.0]}, sensitive="age")
    made = AdditiveNoise("1e-9", bounds={"age": [10, 100]}).apply(people, secure_generator(2))
    assert made["age"].round(6).to_list() == [10.0, 50.0, 100.0]


@settings(max_examples=20)
@given(st.integers(0, 2**63))
def test_the_same_seed_gives_the_same_noise(seed: int) -> None:
    people = pay(20)
    one, other = (AdditiveNoise(5).apply(people, secure_generator(seed)) for _ in range(2))
    assert one.equals(other)
    assert not one.equals(AdditiveNoise(5).apply(people, secure_generator(seed + 1)))


def paid(**options: Any) -> AdditiveNoise:
    given = {"columns": ["age", "pay"], "bounds": {"age": [0, 100], "pay": [0, 50]}, **options}
    return AdditiveNoise(50, distribution="laplace", **given)


def two_columns(**roles: Any) -> Table:
    return as_table({"age": [20, 30], "pay": [1, None]}, **(roles or {"quasi": ["age", "pay"]}))


def test_noise_on_all_that_is_published_has_a_price() -> None:
    ledger = paid().ledger(two_columns())
    assert ledger is not None
    assert price(ledger).at(0) == pytest.approx(100 / 50 + 50 / 50)
    assert ledger.neighbours is Neighbours.REPLACE


def test_a_missing_value_is_not_told_where_noise_has_a_price() -> None:
    assert paid().apply(two_columns(), secure_generator(1))["pay"].null_count() == 0


@pytest.mark.parametrize(
    "operation",
    [
        AdditiveNoise(50, columns=["age", "pay"], bounds={"age": [0, 1], "pay": [0, 1]}),
        paid(relative=True),
        paid(keep_moments=True),
        paid(bounds={"age": [0, 100]}),
        AdditiveNoise(50, distribution="laplace", columns="age", bounds={"age": [0, 100]}),
        paid(columns="age"),
    ],
    ids=["gaussian", "relative", "moments", "a bound is missing", "a column is left", "untouched"],
)
def test_other_noise_has_no_price(operation: AdditiveNoise) -> None:
    assert operation.ledger(two_columns()) is None


def test_several_records_of_a_person_have_no_price() -> None:
    people = as_table({"who": [1, 1], "age": [20, 30]}, owner="who", quasi="age")
    operation = AdditiveNoise(5, distribution="laplace", columns="age", bounds={"age": [0, 99]})
    assert operation.ledger(people) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": 0}, "scale must be greater than 0"),
        ({"scale": 1, "distribution": "cauchy"}, "no distribution 'cauchy'"),
        ({"scale": 1, "correlated": True}, "say relative=true"),
        (
            {"scale": 1, "correlated": True, "relative": True, "distribution": "uniform"},
            "use gaussian",
        ),
        ({"scale": 1, "relative": "yes"}, "relative must be true or false"),
    ],
)
def test_refuses_options_that_contradict_each_other(options: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        AdditiveNoise(**options)


def test_refuses_columns_that_cannot_have_noise() -> None:
    people = as_table(
        {"name": ["a", "b"], "job": ["x", "y"], "pay": [1, 2]},
        identifiers="name",
        quasi="job",
        sensitive="pay",
    )
    rng = secure_generator(1)
    with pytest.raises(UnsupportedError, match="'job' holds categories, and additive-noise needs"):
        AdditiveNoise(1, columns="job").apply(people, rng)
    with pytest.raises(SchemaError, match="no column 'pya'"):
        AdditiveNoise(1, columns="pya").bind(people.schema)
    with pytest.raises(SchemaError, match="no column 'pya'"):
        AdditiveNoise(1, bounds={"pya": [0, 1]}).bind(people.schema)
    with pytest.raises(SchemaError, match="never published"):
        AdditiveNoise(1, columns="name").bind(people.schema)
    bare = as_table({"job": ["x"], "ill": ["y"]}, quasi="job", sensitive="ill")
    with pytest.raises(SchemaError, match="no sensitive column holds numbers or dates"):
        AdditiveNoise(1).apply(bare, rng)


def test_refuses_numbers_that_give_no_scale() -> None:
    rng = secure_generator(1)
    flat = as_table({"pay": [3.0, 3.0]}, sensitive="pay")
    with pytest.raises(DataError, match="does not vary"):
        AdditiveNoise(1, relative=True).apply(flat, rng)
    vast = as_table({"pay": [3.0, float("inf")]}, sensitive="pay")
    with pytest.raises(DataError, match="infinite"):
        AdditiveNoise(1).apply(vast, rng)
    gaps = as_table({"pay": [3.0, None, 4.0, 5.0]}, sensitive="pay")
    with pytest.raises(DataError, match="missing or infinite"):
        AdditiveNoise(1, keep_moments=True).apply(gaps, rng)
    few = as_table({"pay": [3.0, 4.0]}, sensitive="pay")
    with pytest.raises(DataError, match="2 records are too few"):
        AdditiveNoise(1, keep_moments=True).apply(few, rng)


def test_is_written_as_it_is_read() -> None:
    assert str(AdditiveNoise(2, bounds={"age": [0, 9]})) == (
        'additive-noise(scale=2, bounds=[["age", 0, 9]])'
    )


def test_noise_that_leads_beyond_all_numbers_is_refused() -> None:
    people = as_table({"pay": [1.79769313e308] * 50}, sensitive="pay")
    with pytest.raises(DataError, match="'pay' would become infinite: choose a smaller scale"):
        AdditiveNoise(1e300).apply(people, secure_generator(1))
    with pytest.raises(ParameterError, match="expected a number of at most 300 digits"):
        AdditiveNoise(10**300 + 1)
    spread = as_table({"pay": [1e200, -1e200, 3.0]}, sensitive="pay")
    with pytest.raises(DataError, match="the spread cannot be computed: change the unit"):
        AdditiveNoise(1, relative=True).apply(spread, secure_generator(1))


def test_whole_numbers_with_very_much_noise_become_floats() -> None:
    people = as_table({"pay": [1, 2, 3]}, sensitive="pay")
    made = AdditiveNoise(1e30).apply(people, secure_generator(1))
    assert made["pay"].dtype.is_float()
    days = as_table({"day": [date(2020, 1, 1)]}, sensitive="day")
    with pytest.raises(DataError, match="beyond the years 1 to 9999"):
        AdditiveNoise(1e30).apply(days, secure_generator(1))
