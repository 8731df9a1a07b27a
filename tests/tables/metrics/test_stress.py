"""Stress: the definition with all pairs, rotations and projections, releases, refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.release_columns import keep_rows
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics.base import Bucketized, Generalized, Perturbed
from unlinkable.tables.metrics.stress import Denominator, Stress, stress
from unlinkable.tables.taxonomies.builders import Intervals
from unlinkable.typing import FloatArray


def by_definition(
    before: FloatArray, after: FloatArray, denominator: Denominator, scale: float
) -> float:
    """Equation 7.8 as it is printed, with all N x N pairs."""
    n = len(before)
    d = [[math.dist(before[i], before[j]) for j in range(n)] for i in range(n)]
    moved = [[scale * math.dist(after[i], after[j]) for j in range(n)] for i in range(n)]
    errors = sum((moved[i][j] - d[i][j]) ** 2 for i in range(n) for j in range(n))
    divisor = d if denominator is Denominator.ORIGINAL else moved
    return errors / sum(divisor[i][j] ** 2 for i in range(n) for j in range(n))


def points(seed: int, n: int, m: int) -> FloatArray:
    return np.random.default_rng(seed).normal(size=(n, m))


@given(
    st.integers(0, 2**32),
    st.integers(2, 8),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from(Denominator),
    st.floats(0.1, 3),
)
def test_says_what_the_definition_says(
    seed: int, n: int, m: int, r: int, denominator: Denominator, scale: float
) -> None:
    before, after = points(seed, n, m), points(seed + 1, n, r)
    found = stress(before, after, denominator=denominator, scale=scale)
    assert found == pytest.approx(by_definition(before, after, denominator, scale))


@given(st.integers(0, 2**32), st.integers(1, 10), st.integers(1, 4))
def test_is_0_if_all_distances_are_kept(seed: int, n: int, m: int) -> None:
    before = points(seed, n, m)
    rotation, _ = np.linalg.qr(points(seed + 1, m, m))
    assert stress(before, before) == 0
    assert stress(before, before @ rotation + 7) == pytest.approx(0, abs=1e-20)
    assert stress(before, np.column_stack([before, np.ones(n)])) == 0, "columns may be added"
    assert stress(before, before / 2, scale=2) == pytest.approx(0, abs=1e-20)


def test_records_that_were_made_the_same_give_1() -> None:
    before = points(0, 9, 2)
    assert stress(before, np.zeros((9, 2))) == pytest.approx(1)
    assert stress(before, 3 * before) == pytest.approx(4), "there is no greatest value"
    assert stress(np.zeros((3, 2)), np.zeros((3, 1))) == 0


def test_a_random_projection_keeps_distances_better_with_the_right_scale() -> None:
    m, r = 60, 30
    rng = np.random.default_rng(5)
    before, matrix = rng.normal(size=(80, m)), rng.normal(size=(m, r))
    after = before @ (matrix / np.linalg.norm(matrix, axis=0))
    assert stress(before, after, scale=math.sqrt(m / r)) < 0.03
    assert stress(before, after) > 0.05


def people() -> Table:
    columns = {
        "age": [20, 24, 31, 38, 45, 59],
        "pay": [1.0, 1.5, 2.0, None, 4.0, 3.0],
        "job": list("abcabc"),
        "y": [1, 2, 3, 4, 5, 6],
    }
    taxonomies = {"age": Intervals(10, 40)}
    return as_table(columns, quasi=["age", "pay", "job"], target="y", taxonomies=taxonomies)


def at_levels(table: Table, *levels: int) -> Generalized:
    counted = count(table)
    partition = Partition.at_levels(counted.finest, table.attributes, levels)
    return Generalized.of(table, partition, counted.labels)


def test_intervals_are_compared_by_their_middles() -> None:
    table = people()
    found = Stress(columns="age", standardize=False).measure(at_levels(table, 1, 0, 0))
    before = np.array([[20], [24], [31], [38], [45], [59]], float)
    # An interval shows the numbers of the original that lie in it.
    after = np.array([[22], [22], [34.5], [34.5], [45], [59]])
    assert found.value == pytest.approx(by_definition(before, after, Denominator.ORIGINAL, 1))
    assert found.details == {"records compared": 6}


def test_columns_are_standardized_by_the_original_and_incomplete_records_left_out() -> None:
    table = people()
    noisy = as_table({"age": [22, 24, 31, 38, 40, 59], "pay": [1.0, 2.5, 2.0, 1.0, 4.0, None]},
                     quasi=["age", "pay"])  # fmt: skip
    found = Stress().measure(Perturbed(table, noisy.frame, np.arange(6)))
    ages, pays = np.array([20, 24, 31, 38, 45, 59], float), np.array([1, 1.5, 2, 4, 3])
    width = [ages.std(), pays.std()]
    before = np.column_stack([ages[[0, 1, 2, 4]], [1, 1.5, 2, 4]]) / width
    after = np.column_stack([[22, 24, 31, 40], [1, 2.5, 2, 4]]) / width
    assert found.value == pytest.approx(by_definition(before, after, Denominator.ORIGINAL, 1))
    assert found.details == {"records compared": 4}


def test_a_release_without_generalization_has_none() -> None:
    table = people()
    assert Stress().measure(at_levels(table, 0, 0, 0)).value == 0
    rows = np.array([4, 0, 2])
    assert Stress().measure(Perturbed(table, keep_rows(table.frame, rows), rows)).value == 0
    assert (
        Stress().measure(at_levels(table, 2, 0, 0)).value
        > Stress().measure(at_levels(table, 1, 0, 0)).value
    )


def test_a_column_that_is_always_the_same_is_no_error() -> None:
    table = as_table({"a": [1, 1, 1], "b": [1, 2, 3]}, quasi=["a", "b"])
    assert Stress().measure(Perturbed(table, table.frame, np.arange(3))).value == 0


def test_projections_are_compared_with_what_they_were_made_from() -> None:
    table = as_table({"a": [0.0, 3.0, 0.0], "b": [0.0, 4.0, 1.0], "c": list("xyz")},
                     quasi=["a", "b"], insensitive="c")  # fmt: skip
    axis = as_table({"p": [0.0, 5.0, 1.0]}, insensitive="p")
    release = Perturbed(table, axis.frame, np.arange(3))
    asked = Stress(projected="p", standardize=False)
    before, after = np.array([[0, 0], [3, 4], [0, 1.0]]), np.array([[0], [5.0], [1]])
    expected = by_definition(before, after, Denominator.ORIGINAL, 1)
    assert asked.measure(release).value == pytest.approx(expected)
    doubled = Stress(projected="p", standardize=False, scale=2, denominator="released")
    expected = by_definition(before, after, Denominator.RELEASED, 2)
    assert doubled.measure(release).value == pytest.approx(expected)
    with pytest.raises(SchemaError, match="no published column 'q' among 1"):
        Stress(projected="q").measure(release)


def test_a_sample_is_close_and_the_same_whenever_asked() -> None:
    rng = np.random.default_rng(2)
    numbers = rng.normal(size=3000)
    table = as_table({"a": numbers.tolist()}, quasi="a")
    noisy = as_table({"a": (numbers + rng.normal(0, 0.3, 3000)).tolist()}, quasi="a")
    release = Perturbed(table, noisy.frame, np.arange(3000))
    whole = Stress().measure(release)
    some = Stress(sample=500).measure(release)
    assert (whole.details["records compared"], some.details["records compared"]) == (3000, 500)
    assert some.value == pytest.approx(whole.value, rel=0.15)
    assert some.value == Stress(sample=500).measure(release).value
    assert some.value != Stress(sample=500, seed=1).measure(release).value


def test_refuses_matrices_that_cannot_be_compared() -> None:
    with pytest.raises(ParameterError, match=r"these have the shapes \(3, 1\) and \(2, 1\)"):
        stress(np.zeros((3, 1)), np.zeros((2, 1)))
    with pytest.raises(ParameterError, match="a row for each record"):
        stress(np.zeros(3), np.zeros(3))
    with pytest.raises(ParameterError, match="needs a number in every cell"):
        stress(np.array([[np.nan], [1.0]]), np.zeros((2, 1)))
    with pytest.raises(UnsupportedError, match="if all original records are the same"):
        stress(np.zeros((2, 1)), np.array([[0.0], [1.0]]))
    with pytest.raises(UnsupportedError, match="if all released records are the same"):
        stress(np.array([[0.0], [1.0]]), np.zeros((2, 1)), denominator=Denominator.RELEASED)


def test_refuses_releases_without_distances() -> None:
    table = people()
    letters = as_table({"job": list("abc"), "y": [1, 2, 3]}, quasi="job", target="y")
    rows = np.arange(3)
    with pytest.raises(UnsupportedError, match="no column with numbers or dates to compare"):
        Stress().measure(Perturbed(letters, letters.frame, rows))
    with pytest.raises(SchemaError, match="column 'job' holds categories, which have no distances"):
        Stress(columns=("age", "job")).measure(at_levels(table, 0, 0, 0))
    with pytest.raises(UnsupportedError, match="which one that is is not known"):
        Stress().measure(Perturbed(table, table.frame, None))
    one = np.array([3, 4])
    with pytest.raises(UnsupportedError, match="number in age, pay, and the release has 1"):
        Stress().measure(Perturbed(table, keep_rows(table.frame, one), one))
    buckets = Bucketized(
        table, table.frame, np.arange(6), np.zeros(6, np.int32), {"y": histogram_of([[6]])}
    )
    with pytest.raises(UnsupportedError, match="it measures how far values moved"):
        Stress().measure(buckets)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"scale": 0}, "scale must be greater than 0, got 0"),
        ({"sample": 1}, "sample must be at least 2, got 1"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"denominator": "both"}, "no denominator 'both' among 2"),
    ],
    ids=["scale", "sample", "seed", "denominator"],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Stress(**parameters)
