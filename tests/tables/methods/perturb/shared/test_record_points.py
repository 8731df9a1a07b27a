"""Records as points: scales, categories, exact sums, the refusals."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb.shared.record_points import (
    RecordPoints,
    on_grid,
    quasi_columns,
)


def of(columns: dict[str, list[object]], *, scaled: bool = True, **options: object) -> RecordPoints:
    table = as_table(columns, quasi=list(columns), **options)  # type: ignore[arg-type]
    return RecordPoints.of(table, list(columns), scaled=scaled)


def mean_gap(points: np.ndarray) -> float:
    """Average the squared distance over all pairs of records, each with itself among them."""
    return float(np.square(points[:, None] - points[None]).sum(axis=2).mean())


@given(st.lists(st.sampled_from("abcd"), min_size=2, max_size=30).filter(lambda v: len({*v}) > 1))
def test_categories_spread_as_much_as_numbers(values: list[str]) -> None:
    points = of({"job": list(values)}).points
    assert points.shape[1] == (1 if len({*values}) == 2 else len({*values}))
    assert mean_gap(points) == pytest.approx(2.0)
    numbers = of({"age": list(range(len(values)))}).points
    assert mean_gap(numbers) == pytest.approx(2.0)


def test_any_two_categories_are_as_far_apart() -> None:
    points = of({"job": ["a", "b", "c", None]}, scaled=False).points
    gaps = np.square(points[:, None] - points[None]).sum(axis=2)
    assert gaps == pytest.approx(1 - np.eye(4))
    two = of({"job": ["a", "b"]}, scaled=False).points
    assert np.square(two[0] - two[1]).sum() == pytest.approx(1)


def test_units_and_importance_are_told_by_the_scales() -> None:
    found = of({"age": [10, 30], "pay": [1.0, 1.0]}, importance={"age": 4.0})
    assert found.points[:, 0] == pytest.approx([-2, 2])
    assert found.points[:, 1].tolist() == [0, 0]
    assert found.scales == {"age": pytest.approx(5.0), "pay": 1.0}
    plain = of({"age": [10, 30]}, scaled=False)
    assert plain.points[:, 0] == pytest.approx([-10, 10])


@example([5e-324], Random(1))
@example([1e-310, 3e-309, -2e-310], Random(1))
@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=50), st.randoms())
def test_sums_are_exact_in_any_order(values: list[float], random: object) -> None:
    points = on_grid(np.array(values)[:, None])[:, 0]
    assert points == pytest.approx(np.array(values), abs=1e-11 * max(1.0, np.abs(values).sum()))
    numbers = points.tolist()
    shuffled = sorted(numbers, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert sum(numbers) == sum(shuffled)
    assert sum(numbers) - numbers[0] == sum(numbers[1:])


def people() -> Table:
    return as_table({"age": [1, 2], "ill": ["x", "y"]}, quasi="age", sensitive="ill")


def test_only_columns_that_others_know_are_measured() -> None:
    assert quasi_columns(people(), None) == ("age",)
    with pytest.raises(SchemaError, match="no quasi-identifying column 'ill' among 1"):
        quasi_columns(people(), ("ill",))
    with pytest.raises(ParameterError, match="columns is empty"):
        quasi_columns(people(), ())
    with pytest.raises(SchemaError, match="no column is a quasi-identifier"):
        quasi_columns(as_table({"ill": ["x"]}, sensitive="ill"), None)


def test_too_many_categories_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="column 'zip' has 401 categories"):
        of({"zip": [f"z{i}" for i in range(401)]})
    halves = {name: [f"{name}{i}" for i in range(201)] for name in "ab"}
    with pytest.raises(UnsupportedError, match="more than 400 categories together"):
        of(halves)  # type: ignore[arg-type]


def test_missing_numbers_are_refused() -> None:
    with pytest.raises(DataError, match="column 'age' has 1 missing"):
        of({"age": [1, None]})
