"""Columns that people hand in: randomized each by itself, and understood together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unlinkable.collection import BayesReconstruction, Density, Estimate, RandomizedResponse
from unlinkable.collection.randomized_columns import learn_from, randomize_column
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.noise import price, secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.operations.additive_noise import AdditiveNoise
from unlinkable.tables.operations.record_suppression import RecordSuppression

ASK = RandomizedResponse(["yes", "no"], epsilon=1)


def survey(n: int = 2000) -> Table:
    rng = np.random.default_rng(4)
    columns = {
        "age": rng.integers(18, 90, n).tolist(),
        "smokes": rng.choice(["yes", "no"], n, p=[0.3, 0.7]).tolist(),
    }
    return as_table(columns, insensitive=["age", "smokes"])


def test_answers_are_replaced_and_priced_and_the_others_stay() -> None:
    table = survey()
    made = randomize_column(table, "smokes", ASK, secure_generator(1))
    assert made.frame["age"].to_list() == table.frame["age"].to_list()
    assert made.frame["smokes"].to_list() != table.frame["smokes"].to_list()
    assert made.ledger is not None
    assert price(made.ledger).at(0) == pytest.approx(1)
    handed = as_table(made.frame, insensitive=["age", "smokes"])
    found = learn_from(handed, "smokes", ASK)
    assert isinstance(found, Estimate)
    assert found.low[0] < 0.3 < found.high[0]


def test_numbers_get_noise_and_come_back_as_a_density() -> None:
    table, how = survey(), BayesReconstruction(20, "uniform", low=18, high=90, bins=6)
    made = randomize_column(table, "age", how, secure_generator(1))
    assert made.ledger is None
    noise = made.frame["age"].to_numpy() - table.frame["age"].to_numpy()
    assert 19 < np.abs(noise).max() < 20.0001
    found = learn_from(as_table(made.frame, insensitive=["age", "smokes"]), "age", how)
    assert isinstance(found, Density)
    assert found.probabilities.tolist() == pytest.approx([1 / 6] * 6, abs=0.06)


def test_additive_noise_of_everybody_alone() -> None:
    table = survey(50)
    made = randomize_column(table, "age", AdditiveNoise(5), secure_generator(1))
    assert made.ledger is None
    assert made.frame["age"].to_list() != table.frame["age"].to_list()
    assert made.frame["smokes"].to_list() == table.frame["smokes"].to_list()


def test_laplace_noise_with_bounds_has_a_price() -> None:
    how = AdditiveNoise(60, distribution="laplace", bounds=[["age", 0, 120]])
    made = randomize_column(survey(20), "age", how, secure_generator(1))
    assert made.ledger is not None
    assert price(made.ledger).at(0) == pytest.approx(2)


@pytest.mark.parametrize("more", [{"relative": True}, {"keep_moments": True},
                                  {"relative": True, "correlated": True}])  # fmt: skip
def test_refuses_noise_that_needs_to_see_everybody(more: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="depends on everybody's values"):
        randomize_column(survey(5), "age", AdditiveNoise(1, **more), secure_generator(1))


def test_refuses_columns_that_are_not_there_or_of_another_kind() -> None:
    for verb in (
        lambda column, how: randomize_column(survey(5), column, how, secure_generator(1)),
        lambda column, how: learn_from(survey(5), column, how),
    ):
        with pytest.raises(SchemaError, match="no column 'smoke' among 2"):
            verb("smoke", ASK)
        with pytest.raises(UnsupportedError, match=r"'smokes' holds categories.*randomized-resp"):
            verb("smokes", BayesReconstruction(1))
        with pytest.raises(DataError, match="5 of 5 answers are missing or none"):
            verb("age", ASK)


def test_refuses_what_is_no_way_to_collect() -> None:
    other = RecordSuppression([1])
    with pytest.raises(ParameterError, match="is no way to hand in values"):
        randomize_column(survey(5), "age", other, secure_generator(1))
    with pytest.raises(ParameterError, match="does not say how to take noise away"):
        learn_from(survey(5), "age", AdditiveNoise(1))
