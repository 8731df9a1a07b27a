"""dp-synthetic: records that nobody has, all of it paid for."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from tests.tables.methods.noisy.setting import JOBS, epsilon, people, run
from unlinkable.errors import DataError, InfeasibleError, ParameterError, UnsupportedError
from unlinkable.noise import Mechanism, price
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.noisy import DPSynthetic
from unlinkable.tables.models import DistributionalPrivacy, KAnonymity
from unlinkable.tables.taxonomies.builders import Tree

AGES: list[list[str | float]] = [["age", 20, 40, 60]]


def test_records_look_like_those_of_the_table() -> None:
    table = people(2000)
    masked = run(DPSynthetic(bins=AGES), table, epsilon(2))
    frame = masked.frame
    assert frame.schema == pl.Schema({"sex": pl.String, "job": pl.String, "age": pl.Int64})
    assert (masked.rows, masked.counts) == (None, None)
    assert frame.height == pytest.approx(2000, abs=100)
    assert frame.filter((pl.col("sex") == "m") & (pl.col("job") == "Lawyer")).height == (
        pytest.approx(1000, abs=100)
    )
    assert frame["age"].is_between(19, 60).all()
    assert frame["age"].n_unique() > 35


@pytest.mark.parametrize("promise", [epsilon(1), epsilon(0.3, 1e-6), epsilon(9, 1e-5)], ids=str)
@pytest.mark.parametrize("columns", [["job"], ["job", "sex"], ["age", "job", "sex"]], ids=len)
def test_what_is_published_is_priced_from_its_ledger(promise: object, columns: list[str]) -> None:
    bins = AGES if "age" in columns else []
    masked = run(DPSynthetic(columns=columns, bins=bins), people(), promise)  # type: ignore[arg-type]
    assert masked.ledger is not None
    spent = price(masked.ledger).at(float(promise.delta))  # type: ignore[attr-defined]
    assert 0.9 * float(promise.epsilon) < spent  # type: ignore[attr-defined]
    assert spent <= float(promise.epsilon) * (1 + 1e-9)  # type: ignore[attr-defined]


def test_every_count_and_every_choice_is_an_event() -> None:
    masked = run(DPSynthetic(bins=AGES), people(), epsilon(1))
    assert masked.ledger is not None
    events = masked.ledger.events
    assert [e.mechanism for e in events] == [
        *[Mechanism.GEOMETRIC] * 3, *[Mechanism.PURE] * 2, *[Mechanism.GEOMETRIC] * 2
    ]  # fmt: skip
    assert [e.what for e in events[:5]] == [
        "counts by sex",
        "counts by job",
        "counts by age",
        *["which pair of attributes to measure next"] * 2,
    ]
    measured = [e.what.removeprefix("counts by ") for e in events[5:]]
    assert str(masked.told["pairs measured"]).split("; ") == measured
    concentrated = run(DPSynthetic(bins=AGES), people(), epsilon(0.1, 1e-3)).ledger
    assert concentrated is not None
    assert {e.mechanism for e in concentrated.events} == {
        Mechanism.GAUSSIAN,
        Mechanism.CONCENTRATED,
    }


def test_pairs_that_go_together_are_chosen() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 4000)
    columns = {"a": a, "b": rng.integers(0, 2, 4000), "c": a, "d": rng.integers(0, 2, 4000)}
    texts = {n: [str(v) for v in values.tolist()] for n, values in columns.items()}
    both = type(JOBS)(["0", "1"])
    table = as_table(texts, quasi=list("abcd"), taxonomies=dict.fromkeys("abcd", both))
    masked = run(DPSynthetic(), table, epsilon(1))
    assert "a, c" in str(masked.told["pairs measured"])
    assert masked.frame.filter(pl.col("a") == pl.col("c")).height > 0.97 * masked.frame.height
    agree = masked.frame.filter(pl.col("a") == pl.col("b")).height / masked.frame.height
    assert agree == pytest.approx(0.5, abs=0.05)


def test_numbers_dates_and_missing_values_keep_their_types() -> None:
    n = 500
    days = [date(2024, 1, 1) + timedelta(days=i % 90) for i in range(n)]
    table = as_table(
        {"day": days, "x": [i / n for i in range(n)], "job": ["Dancer", None] * (n // 2),
         "weight": [1.5] * n, "name": [str(i) for i in range(n)]},
        quasi=["day", "x"], sensitive="job", weight="weight", identifiers="name",
        taxonomies={"job": JOBS},
    )  # fmt: skip
    bins: list[list[str | float]] = [
        ["day", "2024-01-01", "2024-02-01", "2024-04-01"],
        ["x", 0, 0.5, 1],
    ]
    masked = run(DPSynthetic(bins=bins, missing=["job"]), table, epsilon(5))
    frame = masked.frame
    assert frame.schema == pl.Schema({"day": pl.Date, "x": pl.Float64, "job": pl.String})
    assert frame["job"].null_count() == pytest.approx(250, abs=30)
    inside = frame.filter(pl.col("day").is_between(date(2024, 1, 1), date(2024, 3, 31)))
    assert inside.height > 0.95 * frame.height
    assert frame["x"].n_unique() > 0.9 * frame.height


def test_categories_are_published_on_the_level_they_were_counted_on() -> None:
    masked = run(DPSynthetic(columns=["job"], levels=[["job", 1]]), people(), epsilon(5))
    assert set(masked.frame["job"]) == {"Professional", "Artist"}


def test_as_many_records_as_asked_for() -> None:
    assert run(DPSynthetic(columns=["job"], records=7), people(), epsilon(1)).frame.height == 7
    assert run(DPSynthetic(columns=["job"], records=0), people(), epsilon(1)).frame.height == 0


def test_no_more_records_than_noise_was_paid_for() -> None:
    """The noise that distributional privacy asks for depends on how many records there are."""
    promise = DistributionalPrivacy(2, "0.1")
    method = DPSynthetic(columns=["sex", "job"])
    table = as_table(
        {"sex": ["f", "m"] * 10, "job": ["Dancer", "Lawyer"] * 10},
        quasi=["sex", "job"],
        taxonomies={"job": JOBS, "sex": Tree({"*": ["f", "m"]})},
    )
    sizes = [run(method, table, promise, seed=i).frame.height for i in range(20)]
    assert max(sizes) <= 20
    assert min(sizes) < 20


def test_an_empty_table_gives_a_small_one() -> None:
    empty = as_table({"job": pl.Series([], dtype=pl.String)}, quasi="job", taxonomies={"job": JOBS})
    assert run(DPSynthetic(), empty, epsilon(1)).frame.height < 60


def owned() -> Table:
    return as_table({"x": ["a"], "who": ["p"]}, quasi="x", owner="who")


@pytest.mark.parametrize(
    ("table", "promise", "error", "message"),
    [
        (people(), KAnonymity(2), UnsupportedError, "promise about groups"),
        (people(), epsilon(1), UnsupportedError, "which numbers column 'age' may hold"),
        (owned(), epsilon(1), UnsupportedError, r"may have several \(column 'who'\)"),
        (owned(), epsilon(0), UnsupportedError, "one record for each person"),
        (as_table({"x": ["a"]}, quasi="x"), epsilon(0), InfeasibleError, "leaves no budget"),
        (as_table({"x": [None, "a"]}, quasi="x"), epsilon(1), DataError, "are missing"),
    ],
    ids=range(6),
)
def test_refuses_by_name_what_it_cannot_do(
    table: Table, promise: object, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        run(DPSynthetic(), table, promise)  # type: ignore[arg-type]


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ParameterError, match="records must be at least 0"):
        DPSynthetic(records=-1)
