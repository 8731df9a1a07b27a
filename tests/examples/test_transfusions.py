"""The transfusions: they can be repeated, have the shape of the case study, and hang together.

The statistical checks compare shares on a fixed seed. Each difference must exceed 6 standard errors
and is built for at least 10: with a fresh seed a check fails with a probability below 1e-4.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

from unlinkable.errors import ParameterError
from unlinkable.examples import transfusions, transfusions_taxonomies
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.models import LKCPrivacy
from unlinkable.tables.taxonomies.builders.plan_form import builder_from_plan

NUMBERS = ["age", "haemoglobin", "weight", "units", "days_in_hospital"]
OTHERS = ["blood_group", "diagnosis"]


@pytest.fixture(scope="module")
def given() -> pl.DataFrame:
    return transfusions(100_000, seed=1)


def values(tree: Mapping[str, Any]) -> Iterator[str]:
    for below in tree.values():
        if isinstance(below, Mapping):
            yield from values(below)
        else:
            yield from below


def test_the_same_seed_gives_the_same_table() -> None:
    assert transfusions(500, seed=3).equals(transfusions(500, seed=3))
    assert transfusions().equals(transfusions(10_000, seed=0))


def test_another_seed_gives_another_table_in_every_column() -> None:
    one, other = transfusions(500, seed=3), transfusions(500, seed=4)
    assert [name for name in one.columns if one[name].equals(other[name])] == []


@pytest.mark.parametrize("n", [0, 1, 1_000])
def test_columns_and_their_types_do_not_depend_on_the_number_of_records(n: int) -> None:
    frame = transfusions(n)
    assert frame.shape == (n, 43)
    assert [name for name in frame.columns if frame.schema[name] == pl.Int64] == NUMBERS
    assert sum(isinstance(dtype, pl.Enum) for dtype in frame.dtypes) == 38


def test_41_columns_can_be_known_and_each_has_a_taxonomy(given: pl.DataFrame) -> None:
    taxonomies = cast("dict[str, dict[str, Any]]", transfusions_taxonomies())
    assert len(taxonomies) == 41
    assert {*taxonomies} == {*given.columns} - {*OTHERS}
    for name, spec in taxonomies.items():
        if "tree" in spec:
            assert {*values(spec["tree"])} == {*given[name].unique()}
        assert ("intervals" in spec) is (name in NUMBERS)


def test_values_are_as_many_as_in_the_case_study(given: pl.DataFrame) -> None:
    assert given["blood_group"].n_unique() == 8
    assert given["diagnosis"].n_unique() == 15
    top = given["diagnosis"].value_counts(normalize=True)["proportion"].max()
    assert 0.1 < cast("float", top) < 0.2
    counts = [given[name].n_unique() for name in given.columns if name not in (*NUMBERS, *OTHERS)]
    assert (min(counts), max(counts)) == (2, 8)
    assert given.null_count().sum_horizontal().item() == 0


CLAIMS = {
    "the old are retired": (pl.col("work") == "Retired", pl.col("age") > 70),
    "women have been pregnant": (pl.col("pregnancies") != "None", pl.col("sex") == "female"),
    "mothers are women": (pl.col("sex") == "female", pl.col("diagnosis") == "Pregnancy and birth"),
    "newborns are young": (pl.col("age") < 30, pl.col("diagnosis") == "Newborns"),
    "leukaemia needs irradiated blood": (
        pl.col("irradiated") == "yes",
        pl.col("diagnosis") == "Leukaemia and lymphoma",
    ),
    "who is operated is put to sleep": (
        pl.col("anaesthesia") == "General",
        pl.col("operation") != "No operation",
    ),
    "blood fits": (pl.col("given") == "A", pl.col("blood_group").is_in(["A+", "A-"])),
    "groups go by origin": (pl.col("blood_group") == "B+", pl.col("origin") == "Far east"),
    "who came from far speaks otherwise": (
        pl.col("language") != "First",
        ~pl.col("origin").is_in(["City", "Country"]),
    ),
    "without the rhesus factor there are antibodies": (
        pl.col("antibodies") != "None",
        pl.col("blood_group").cast(pl.String).str.ends_with("-"),
    ),
    "rare groups are moved": (
        pl.col("admission") == "Transfer",
        pl.col("blood_group").is_in(["B+", "AB+", "B-", "AB-"]),
    ),
}


def is_clearly_higher(frame: pl.DataFrame, value: pl.Expr, where: pl.Expr) -> bool:
    """Whether a share is higher where a condition holds, by 6 standard errors."""
    both = frame.select(value.cast(pl.Float64).alias("value"), where.alias("where"))
    inside = both.filter(pl.col("where"))["value"].to_numpy()
    outside = both.filter(~pl.col("where"))["value"].to_numpy()
    error = np.sqrt(inside.var() / inside.size + outside.var() / outside.size)
    return bool(inside.mean() - outside.mean() > 6 * error)


@pytest.mark.parametrize("claim", CLAIMS)
def test_columns_hang_together(given: pl.DataFrame, claim: str) -> None:
    value, where = CLAIMS[claim]
    assert is_clearly_higher(given, value, where)
    shuffled = given.with_columns(given[c].shuffle(seed=i) for i, c in enumerate(given.columns))
    assert not is_clearly_higher(shuffled, value, where)


def test_nearly_everybody_is_alone_on_all_columns_and_nobody_at_the_top(
    given: pl.DataFrame,
) -> None:
    frame = given.head(5_000)
    taxonomies = {
        name: builder_from_plan(cast("dict[str, object]", spec), Path())
        for name, spec in transfusions_taxonomies().items()
    }
    table = as_table(
        frame,
        quasi=[*taxonomies],
        target="blood_group",
        sensitive="diagnosis",
        taxonomies=taxonomies,
    )
    finest = count(table, [("diagnosis",)]).finest
    assert len(finest) == 5_000
    top, _ = finest.project(())
    assert LKCPrivacy(4, 20, "1/5", sensitive="diagnosis").parts["c"].judge(top).all()


def test_the_effort_in_python_does_not_grow_with_the_table() -> None:
    def n_calls(n: int) -> int:
        calls = 0

        def count_calls(frame: FrameType, event: str, _: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(count_calls)
        try:
            transfusions(n)
        finally:
            sys.setprofile(None)
        return calls

    n_calls(10)  # the first call imports
    assert n_calls(50_000) == n_calls(1_000)


@pytest.mark.parametrize(
    ("n", "seed", "message"),
    [(-1, 0, "n must be at least 0, got -1"), (10, 2.5, "seed must be a whole number, got 2.5")],
)
def test_refuses_numbers_that_mean_nothing(n: Any, seed: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        transfusions(n, seed)
