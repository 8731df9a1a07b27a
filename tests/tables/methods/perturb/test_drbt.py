"""DRBT: distances are kept on the average, no column is given away, and the refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from tests.tables.methods.perturb.points_setting import masked_by
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb.drbt import (
    DRBT,
    Projection,
    draw_projection,
    explained,
)
from unlinkable.tables.metrics import Stress
from unlinkable.tables.metrics.base import Perturbed
from unlinkable.tables.models import KAnonymity

DRAWS = 4000


def people_of(n: int = 200, m: int = 6, *, alone: float = 0.0) -> Table:
    rng = np.random.default_rng(1)
    mixed = rng.normal(size=(n, m)) @ (rng.normal(size=(m, m)) + alone * np.eye(m)) * 100
    data = {f"x{j}": mixed[:, j].round(2) for j in range(m)}
    return as_table(
        {
            **data,
            "id": [*map(str, range(n))],
            "job": ["a", "b"] * (n // 2),
            "y": ["+", "-"] * (n // 2),
        },
        quasi=[f"x{j}" for j in range(m - 1)],
        sensitive=f"x{m - 1}",
        identifiers="id",
        insensitive="job",
        target="y",
    )


def squared_lengths(kind: Projection, m: int, r: int, factor: float = 1.0) -> float:
    """Average the squared length of a projected unit vector, out of 1."""
    rng = secure_generator(5)
    x = np.arange(1.0, m + 1)
    x /= np.sqrt((x**2).sum())
    found = [((x @ draw_projection(rng, m, r, kind)[0]) ** 2).sum() for _ in range(DRAWS)]
    return float(np.mean(found)) * factor


@pytest.mark.parametrize("kind", Projection)
def test_distances_are_kept_on_the_average(kind: Projection) -> None:
    # The variance of a squared length is at most 2 / r: within 5 standard errors of 1, and for the
    # columns of the sparse kind that are drawn again 1 % more. False alarms: one in a million.
    near = 5 * np.sqrt(2 / 3 / DRAWS) + 0.01
    length = squared_lengths(kind, m=12, r=3)
    assert abs(length - 1) < near
    assert abs(length * 1.3**2 - 1) > near
    assert abs(length / 1.3**2 - 1) > near


def test_columns_of_a_gaussian_matrix_have_the_same_length() -> None:
    matrix, n_drawn = draw_projection(secure_generator(1), 7, 4, Projection.GAUSSIAN)
    assert np.allclose((matrix**2).sum(axis=0), 7 / 4)
    assert n_drawn == 1


def test_entries_of_a_sparse_matrix_are_of_three_kinds_in_the_right_shares() -> None:
    rng = secure_generator(2)
    drawn = [draw_projection(rng, 30, 5, Projection.SPARSE)[0] for _ in range(200)]
    entries = np.concatenate([m.ravel() for m in drawn]) * np.sqrt(5 / 3)
    assert set(entries.round(9)) == {-1.0, 0.0, 1.0}
    # 30,000 entries: 5 standard errors of a share of 1/6 are 0.011.
    for sign in (-1.0, 1.0):
        assert abs((entries.round(9) == sign).mean() - 1 / 6) < 0.011


@pytest.mark.parametrize(("m", "r"), [(2, 1), (3, 2), (5, 4), (8, 3)])
def test_no_column_of_the_table_can_be_computed(m: int, r: int) -> None:
    rng = secure_generator(3)
    n_redrawn = 0
    for _ in range(100):
        matrix, n_drawn = draw_projection(rng, m, r, Projection.SPARSE)
        n_redrawn += n_drawn - 1
        for j in range(m):
            unit = np.eye(m)[j]
            weights = np.linalg.lstsq(matrix, unit, rcond=None)[0]
            assert np.abs(matrix @ weights - unit).max() > 1e-6
        assert (matrix != 0).any(axis=0).all()
    assert n_redrawn > 0


def test_a_matrix_that_hides_nothing_is_given_up() -> None:
    with pytest.raises(UnsupportedError, match="no sparse projection of 1 columns on 1"):
        draw_projection(secure_generator(1), 1, 1, Projection.SPARSE)


def test_coordinates_are_the_product_and_the_target_stays() -> None:
    people = people_of()
    masked = masked_by(DRBT(3), people)
    assert masked.frame.columns == ["c1", "c2", "c3", "y"]
    assert masked.frame["y"].to_list() == people.frame["y"].to_list()
    points = np.column_stack([people.frame[f"x{j}"].to_numpy() for j in range(6)])
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    matrix, _ = draw_projection(secure_generator(1), 6, 3, Projection.GAUSSIAN)
    assert np.allclose(masked.frame.select("c1", "c2", "c3").to_numpy(), points @ matrix)


def test_the_stress_that_is_told_is_the_stress_of_the_release() -> None:
    people = people_of()
    masked = masked_by(DRBT(4, kind="sparse"), people)
    columns = [f"x{j}" for j in range(6)]
    stress = Stress(columns=columns, projected=["c1", "c2", "c3", "c4"])
    measured = stress.measure(Perturbed(people, masked.frame, masked.rows)).value
    assert masked.facts["stress"] == pytest.approx(measured)
    assert masked.facts["records compared"] == 200


def test_stress_falls_with_more_coordinates() -> None:
    people = people_of(300, 30, alone=30.0)
    many, few = (
        np.mean([masked_by(DRBT(r), people, s).facts["stress"] for s in range(10)]) for r in (22, 2)
    )
    assert many < few / 2


def test_without_standardizing_large_numbers_decide() -> None:
    people = people_of(alone=30.0)
    few = as_table(people.frame.select("x0", "x1").with_columns(x1=people.frame["x1"] * 3),
                   quasi=["x0", "x1"])  # fmt: skip
    told = []
    for standardize in (True, False):
        frames = [masked_by(DRBT(1, standardize=standardize), few, s).frame for s in range(40)]
        told.append(np.mean([share_told(f, few.frame["x1"].to_numpy()) for f in frames]))
    assert told[1] > told[0] + 0.1


@pytest.mark.parametrize("kind", Projection)
def test_no_column_of_the_records_can_be_computed_from_the_coordinates(kind: Projection) -> None:
    rng = np.random.default_rng(4)
    a, c, d = rng.normal(size=(3, 200))
    near = a + 0.2 * rng.normal(size=200)
    people = as_table({"a": a, "b": near, "c": c, "d": d}, quasi=["a", "b", "c", "d"])
    n_redrawn = 0
    for seed in range(60):
        masked = masked_by(DRBT(2, kind=kind), people, seed)
        n_redrawn += masked.effort["drawn"] - 1
        assert max(share_told(masked.frame, people.frame[x].to_numpy()) for x in "abcd") < 0.99
    assert n_redrawn > 0


def test_shares_that_are_told_are_those_of_least_squares() -> None:
    rng = np.random.default_rng(4)
    points = rng.normal(size=(50, 5)) @ rng.normal(size=(5, 5)) * [1, 1e6, 1, 1e-6, 1]
    points[:, 4] = 7
    matrix = rng.normal(size=(5, 2))
    off = points - points.mean(axis=0)
    frame = pl.DataFrame(points @ matrix)
    expected = [share_told(frame, points[:, j]) for j in range(4)]
    assert explained(off.T @ off, matrix).tolist() == pytest.approx([*expected, 0])


def share_told(frame: pl.DataFrame, column: np.ndarray) -> float:
    """Give R^2 of the best linear fit."""
    known = np.column_stack([frame.to_numpy(), np.ones(frame.height)])
    left = column - known @ np.linalg.lstsq(known, column, rcond=None)[0]
    return float(1 - left.var() / column.var())


def test_columns_that_depend_on_each_other_are_refused_by_name() -> None:
    rng = np.random.default_rng(4)
    a, c = rng.normal(size=(2, 200))
    people = as_table({"a": a, "b": 2 * a + 1, "c": c}, quasi=["a", "b", "c"])
    with pytest.raises(UnsupportedError, match="the columns 'a', 'b' depend on each other"):
        masked_by(DRBT(2), people)
    with pytest.raises(UnsupportedError, match="depend on each other"):
        masked_by(DRBT(1, columns=["a", "b"]), people)
    assert masked_by(DRBT(1), people).frame.columns == ["c1"]
    with pytest.raises(UnsupportedError, match="of 3 records, 2 coordinates tell all"):
        masked_by(DRBT(2), as_table(people.frame[:3], quasi=["a", "b", "c"]))
    large = as_table({"a": a, "c": c * 1e9}, quasi=["a", "c"])
    with pytest.raises(UnsupportedError, match="standardize=true if that was left out"):
        masked_by(DRBT(1, standardize=False), large)


@pytest.mark.parametrize("role", ["target", "weight"])
def test_a_column_that_is_published_is_not_projected(role: str) -> None:
    data = {"a": [1, 2, 3, 4, 9], "b": [4, 3, 1, 2, 2], "y": [2, 1, 2, 5, 1]}
    roles: dict[str, Any] = {role: "y"}
    people = as_table(data, quasi=["a", "b"], **roles)
    assert masked_by(DRBT(1), people).frame.columns == ["c1", "y"]
    with pytest.raises(SchemaError, match="'y' is a target or weight, and published as it is"):
        masked_by(DRBT(1, columns=["a", "y"]), people)


def test_the_same_seed_gives_the_same_projection() -> None:
    people = people_of()
    one, again, other = (masked_by(DRBT(2), people, seed).frame for seed in (1, 1, 2))
    assert one.equals(again)
    assert not one.equals(other)


def test_promises_tables_and_parameters_that_mean_nothing_are_refused() -> None:
    people = people_of()
    with pytest.raises(UnsupportedError, match="cannot keep k-anonymity"):
        masked_by(DRBT(2), people, 1, KAnonymity(2))
    with pytest.raises(ParameterError, match="6 coordinates of 6 columns"):
        masked_by(DRBT(6), people)
    with pytest.raises(UnsupportedError, match="'job' holds categories"):
        masked_by(DRBT(1, columns=["x0", "job"]), people)
    with pytest.raises(ParameterError, match="'x0' is named twice"):
        masked_by(DRBT(1, columns=["x0", "x0"]), people)
    with pytest.raises(SchemaError, match="no column is named"):
        masked_by(DRBT(1), as_table({"job": ["a", "b"]}, quasi="job"))
    with pytest.raises(DataError, match="missing"):
        masked_by(DRBT(1), as_table({"a": [1, None], "b": [1, 2]}, quasi=["a", "b"]))
    with pytest.raises(ParameterError, match="r must be at least 1"):
        DRBT(0)
    with pytest.raises(ParameterError, match="no kind of projection 'dense'"):
        DRBT(1, kind="dense")
