"""dp-histogram: published cells, paid for in its ledger, with exact probabilities."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np
import polars as pl
import pytest

from tests.noise.distributions import FALSE_ALARM, fit, geometric
from tests.tables.methods.noisy.setting import JOBS, epsilon, people, run
from unlinkable.errors import (
    DataError,
    InfeasibleError,
    ParameterError,
    SchemaError,
    UnsupportedError,
)
from unlinkable.noise import price
from unlinkable.registry.arguments import arguments_of, read_argument
from unlinkable.tables.data import as_table
from unlinkable.tables.methods import PRAM, AlphaBeta, DPSynthetic
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.methods.noisy import DPHistogram
from unlinkable.tables.models import DistributionalPrivacy, KAnonymity
from unlinkable.tables.models.base import BindingContext
from unlinkable.tables.publishing import anonymize
from unlinkable.tables.taxonomies.builders import Mask, TaxonomyBuilder, Tree

AGES: list[list[str | float]] = [["age", 20, 40, 60]]


def test_one_row_for_every_cell_whether_anybody_is_in_it_or_not() -> None:
    masked = run(DPHistogram(bins=AGES), people(), epsilon(1))
    assert masked.frame.columns == ["sex", "job", "age", "count"]
    assert masked.frame.height == 2 * 4 * 4
    assert (masked.counts, masked.rows, masked.buckets) == ("count", None, None)
    assert masked.frame["count"].dtype == pl.Int64
    assert masked.effort == {"cells": 32, "rounds": 0}


def test_marginals_show_a_star_where_an_attribute_is_not_of_them() -> None:
    masked = run(DPHistogram(marginals=[["job", "sex"], ["age"]], bins=AGES), people(), epsilon(50))
    ages = masked.frame.filter((pl.col("sex") == "*") & (pl.col("job") == "*"))
    assert ages["age"].to_list() == ["<20", "[20-40)", "[40-60)", ">=60"]
    pairs = masked.frame.filter(pl.col("age") == "*")
    assert pairs.height == 8
    shown = {(r["sex"], r["job"]): r["count"] for r in pairs.iter_rows(named=True)}
    assert shown["m", "Lawyer"] == pytest.approx(100, abs=5)
    assert pairs["count"].sum() == ages["count"].sum()


def test_all_pairs_are_told_if_all_together_are_too_many() -> None:
    table = as_table(
        {name: ["a"] for name in "pqr"},
        quasi=list("pqr"),
        taxonomies={n: type(JOBS)([f"{i}" for i in range(40)] + ["a"]) for n in "pqr"},
    )
    masked = run(DPHistogram(), table, epsilon(1))
    assert masked.frame.height == 3 * 41**2
    assert run(DPHistogram(ways=1), table, epsilon(1)).frame.height == 3 * 41


@pytest.mark.parametrize(
    "method",
    [
        DPHistogram(bins=AGES),
        DPHistogram(bins=AGES, ways=2, consistent="fourier"),
        DPHistogram(bins=AGES, ways=1, consistent="none"),
        DPHistogram(bins=AGES, ways=2, whole=False),
        DPHistogram(bins=AGES, levels=[["job", 1]], columns=["job", "age"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("promise", [epsilon(1), epsilon(0.3, 1e-6), epsilon(4, 1e-9)], ids=str)
def test_what_is_published_is_priced_from_its_ledger(method: DPHistogram, promise: object) -> None:
    masked = run(method, people(), promise)  # type: ignore[arg-type]
    assert masked.ledger is not None
    spent = price(masked.ledger).at(float(promise.delta))  # type: ignore[attr-defined]
    assert spent <= float(promise.epsilon) * (1 + 1e-9)  # type: ignore[attr-defined]
    assert spent > 0.9 * float(promise.epsilon)  # type: ignore[attr-defined]


def test_the_strictest_of_several_promises_is_kept() -> None:
    masked = run(DPHistogram(bins=AGES), people(), epsilon(1, 1e-6), epsilon(0.25))
    assert masked.ledger is not None
    assert price(masked.ledger).at(0) == pytest.approx(0.25)


def test_distributional_privacy_is_kept_by_its_own_reckoning() -> None:
    table = people(40)
    promise = DistributionalPrivacy(1, 0.1)
    masked = run(DPHistogram(bins=AGES), table, promise)
    assert masked.ledger is not None
    assert promise.cost(masked.ledger, 40) == pytest.approx(1.0)


@pytest.mark.statistical
def test_published_counts_have_exactly_the_probabilities_that_hide_a_person() -> None:
    # Fails by chance once in a million runs.
    level = 0.9
    for n in (0, 1):
        table = as_table({"x": pl.Series(["a"] * n, dtype=pl.String)}, quasi="x",
                         taxonomies={"x": type(JOBS)(["a", "b"])})  # fmt: skip
        method = DPHistogram(consistent="none")
        draws = [run(method, table, epsilon(level)).frame["count"].to_list() for _ in range(1500)]
        noise = (np.array(draws) - [n, 0]).ravel()
        fits = [fit(noise, partial(geometric, scale=b / level)) for b in (1, 0.7, 1.3)]
        assert [p > FALSE_ALARM for p in fits] == [True, False, False]
    outcomes = np.arange(-40, 41)
    ratio = np.log(geometric(outcomes - 1, 1 / level)) - np.log(geometric(outcomes, 1 / level))
    assert np.abs(ratio).max() <= level * (1 + 1e-12)


@pytest.mark.parametrize("builder", [None, Mask(5)])
@pytest.mark.parametrize("method", [DPHistogram, DPSynthetic, PRAM, AlphaBeta])
def test_a_list_of_values_from_the_records_is_refused_by_all(
    method: Callable[..., Method], builder: TaxonomyBuilder | None
) -> None:
    rules = {} if builder is None else {"zip": builder}
    table = as_table({"zip": ["10115", "10117"] * 20}, quasi="zip", taxonomies=rules)
    with pytest.raises(UnsupportedError, match=r"of column 'zip' are those.*by a tree"):
        anonymize(table, privacy=epsilon(1), method=method(columns=["zip"]))


def test_the_deviation_of_the_noise_is_told() -> None:
    listed = run(DPHistogram(columns=["job"]), people(), epsilon(1))
    assert listed.told["standard deviation of noise"] == pytest.approx(1.356, abs=0.01)


def test_missing_values_have_a_cell_whether_there_are_any_or_not() -> None:
    for jobs in (["Dancer", None], ["Dancer", "Writer"]):
        table = as_table({"job": jobs}, quasi="job", taxonomies={"job": JOBS})
        masked = run(DPHistogram(missing=["job"]), table, epsilon(1))
        assert masked.frame["job"].to_list() == ["Engineer", "Lawyer", "Dancer", "Writer", None]


def test_the_column_of_counts_has_a_name_of_its_own() -> None:
    letters = {"count": Tree(["a", "b"])}
    table = as_table({"count": ["a", "b"]}, quasi="count", taxonomies=letters)
    masked = run(DPHistogram(), table, epsilon(1))
    assert (masked.frame.columns, masked.counts) == (["count", "count 2"], "count 2")


def test_without_a_quasi_identifier_everything_is_counted() -> None:
    rules = {"a": Tree(["x"]), "b": Tree(["y"])}
    table = as_table({"a": ["x"], "b": ["y"]}, sensitive="a", target="b", taxonomies=rules)
    assert run(DPHistogram(), table, epsilon(1)).frame.columns == ["a", "b", "count"]


def test_unlisted_values_are_told_if_they_are_frequent() -> None:
    table = as_table(
        {"city": ["Rome"] * 500 + ["Bonn"] * 300 + ["Ur"], "n": [1.5] * 800 + [None]},
        quasi=["city", "n"],
    )
    masked = run(DPHistogram(threshold=True, ways=1), table, epsilon(1, 1e-6))
    shown = dict(zip(masked.frame["city"], masked.frame["count"], strict=True))
    assert [*shown] == ["Bonn", "Rome", "*"]
    assert shown["Rome"] == pytest.approx(500, abs=60)
    assert masked.frame["n"].to_list() == ["*", "*", "1.5"]
    assert masked.ledger is not None
    assert price(masked.ledger).at(1e-6) == pytest.approx(1.0)
    assert math.isinf(price(masked.ledger).at(1e-8))
    assert int(masked.told["threshold"]) < 100
    pairs = run(DPHistogram(threshold=True), table, epsilon(1, 1e-6))
    assert Counter(pairs.frame["city"]) == {"Bonn": 1, "Rome": 1}


def test_bins_serve_for_unlisted_combinations_too() -> None:
    table = as_table({"x": [1.0] * 300 + [2.0] * 300 + [None]}, quasi="x")
    masked = run(DPHistogram(threshold=True, bins=[["x", 0, 5]]), table, epsilon(1, 1e-6))
    assert masked.frame["x"].to_list() == ["[0-5)"]


@pytest.mark.parametrize(
    ("method", "promise", "error", "message"),
    [
        (DPHistogram(), KAnonymity(2), UnsupportedError, "promise about groups .* such as best"),
        (DPHistogram(bins=AGES), epsilon(0), InfeasibleError, "leaves no budget for noise"),
        (DPHistogram(), epsilon(1), UnsupportedError, "which numbers column 'age' may hold"),
        (DPHistogram(threshold=True), epsilon(1), InfeasibleError, "delta greater than 0"),
        (DPHistogram(columns=["zip"]), epsilon(1), SchemaError, "no column 'zip'"),
        (DPHistogram(columns=["job"], bins=AGES), epsilon(1), SchemaError, "no column 'age'"),
        (DPHistogram(columns=[]), epsilon(1), SchemaError, "nothing to count"),
        (
            DPHistogram(columns=["job"], marginals=[["sex"]]),
            epsilon(1),
            SchemaError,
            "no column 'sex' among 1",
        ),
        (
            DPHistogram(columns=["job"], marginals=[[]]),
            epsilon(1),
            SchemaError,
            "different columns",
        ),
        (DPHistogram(columns=["job"], ways=2), epsilon(1), ParameterError, "no 2 of them"),
    ],
    ids=range(10),
)
def test_refuses_by_name_what_it_cannot_do(
    method: DPHistogram, promise: object, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        run(method, people(), promise)  # type: ignore[arg-type]


def test_a_promise_that_names_a_file_is_refused() -> None:
    promise = type(epsilon(1))(1, ledger="ledger.json")
    with pytest.raises(UnsupportedError, match="Leave the ledger out"):
        run(DPHistogram(), people(), promise)


def test_bound_promises_are_served_as_well() -> None:
    table = people()
    (bound,) = epsilon(1).bind(BindingContext.of(table.schema))
    assert run(DPHistogram(bins=AGES), table, bound).frame.height == 32


def test_noise_may_not_tell_the_number_of_records_that_it_has_to_hide() -> None:
    with pytest.raises(UnsupportedError, match=r"distributional-privacy.*tells what differential"):
        run(DPHistogram(bins=AGES), people(), epsilon(1), DistributionalPrivacy(1, 0.1))


def test_people_with_several_records_are_refused() -> None:
    table = as_table({"x": ["a"], "who": ["p"]}, quasi="x", owner="who")
    with pytest.raises(UnsupportedError, match=r"may have several \(column 'who'\)"):
        run(DPHistogram(), table, epsilon(1))


def test_columns_that_name_people_are_refused() -> None:
    table = as_table({"x": ["a"], "name": ["p"]}, quasi="x", identifiers="name")
    with pytest.raises(SchemaError, match="'name' is identifier"):
        run(DPHistogram(columns=["name"]), table, epsilon(1))


def test_missing_values_without_a_cell_are_refused() -> None:
    table = as_table({"x": ["a", None]}, quasi="x")
    with pytest.raises(DataError, match="values of column 'x' are missing"):
        run(DPHistogram(), table, epsilon(1))


def test_too_many_cells_are_refused() -> None:
    big = type(JOBS)([str(i) for i in range(400)])
    table = as_table(
        {n: ["1"] for n in "abc"}, quasi=list("abc"), taxonomies=dict.fromkeys("abc", big)
    )
    with pytest.raises(ParameterError, match="64000000 cells together"):
        run(DPHistogram(ways=3), table, epsilon(1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"marginals": [["a"]], "ways": 1}, "marginals or ways, not both"),
        ({"ways": 0}, "ways must be at least 1"),
        ({"bins": [["a"]]}, "bins are lists of a column"),
        ({"bins": [[1, 2]]}, "bins are lists of a column"),
        ({"levels": [["a", "b"]]}, "levels are pairs"),
        ({"consistent": "yes"}, "no consistency 'yes'"),
        ({"whole": 1}, "whole must be true or false"),
        ({"threshold": "x"}, "threshold must be true or false"),
    ],
)
def test_bad_parameters_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        DPHistogram(**arguments)  # type: ignore[arg-type]


def test_is_written_and_read_as_a_call() -> None:
    method = DPHistogram(marginals=[["a", "b"]], bins=[["a", 1, 2.5]], levels=[["b", 1]])
    assert str(method) == (
        'dp-histogram(bins=[["a", 1, 2.5]], levels=[["b", 1]], marginals=[["a", "b"]])'
    )
    assert arguments_of(method)["bins"] == [["a", 1, 2.5]]
    assert read_argument("bins", tuple[tuple[str | float, ...], ...], [["a", 1, 2.5]]) == (
        ("a", 1.0, 2.5),
    )


@pytest.mark.parametrize("n", [3, 500])
def test_distributional_privacy_is_told_for_the_people_and_not_for_the_cells(n: int) -> None:
    # Six cells are published, whether there are more people or fewer.
    table = as_table({"x": ["abcdef"[i % 6] for i in range(n)]}, quasi="x",
                     taxonomies={"x": type(JOBS)(list("abcdef"))})  # fmt: skip
    release = anonymize(table, privacy=DistributionalPrivacy(1, 0.1), method=DPHistogram())
    verdict = release.finding.verdicts[0]
    assert verdict.holds
    assert verdict.achieved["alpha"] == pytest.approx(1.0)
    assert f"people={n}" in str(verdict.model)
