"""What is judged in memory as kept is saved and verified: drawn tables, promises, methods, orders.

Columns hold what makes trouble: NaN beside nothing, numbers of 32 bits, and texts that look like
numbers or like nothing; quasi-identifiers are given in another order than they stand in.
"""

from __future__ import annotations

import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from unlinkable.errors import InfeasibleError, SchemaError, UnsupportedError
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.bundles.opened import open_bundle

NAN = math.nan
NUMBERS = st.sampled_from([0.0, -0.0, 1.5, 2.0, 0.1, NAN, None])
TEXTS = st.sampled_from(["NaN", "nan", "None", "null", "NA", "inf", "", "1.5", "x", None])
PROMISES: list[list[GroupModel]] = [
    [ul.KMap(2, population="town")],
    [ul.DeltaPresence(0, 1, population="town")],
    [ul.DistinctLDiversity(2)],
    [ul.KEAnonymity(2, 0), ul.TCloseness("3/4", distance="ordered")],
    [ul.KEAnonymity(2, 0)],
    [ul.KAnonymity(2), ul.TCloseness("1/2")],
]
METHODS = [ul.Mondrian(), ul.Optimal(), ul.Anatomize(), ul.KEPermutation()]


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """Draw records with the sensitive column amid the others."""
    n = draw(st.integers(2, 9))
    hidden = draw(st.sampled_from([NUMBERS, TEXTS]))
    kind = draw(st.sampled_from([pl.Float64, pl.Float32])) if hidden is NUMBERS else pl.String

    def column(values: st.SearchStrategy[object]) -> list[object]:
        return draw(st.lists(values, min_size=n, max_size=n))

    return pl.DataFrame(
        {
            "age": column(st.integers(20, 23)),
            "s": pl.Series(column(hidden), dtype=kind),
            "job": pl.Series(column(TEXTS), dtype=pl.String),
            "z": pl.Series(column(NUMBERS), dtype=pl.Float64),
        }
    )


@given(
    tables(),
    st.sampled_from(PROMISES),
    st.sampled_from(METHODS),
    st.sampled_from([["age", "job"], ["job", "age"]]),
    st.sampled_from(["csv", "parquet"]),
)
def test_what_is_judged_as_kept_is_saved_and_verified(
    frame: pl.DataFrame,
    promises: list[GroupModel],
    method: Method,
    order: list[str],
    written: Literal["csv", "parquet"],
) -> None:
    table = ul.as_table(frame, quasi=order, sensitive="s", insensitive="z")
    town = pl.concat([frame.select("job", "age")] * 2)
    try:
        release = ul.anonymize(table, privacy=promises, method=method, seed=1, side={"town": town})
    except (InfeasibleError, UnsupportedError, SchemaError):
        return
    with TemporaryDirectory() as folder:
        bundle = release.save(Path(folder) / "release", format=written)
        assert ul.verify(bundle).holds


@pytest.mark.parametrize("order", [["age", "job"], ["job", "age"]])
@pytest.mark.parametrize(
    "promise",
    [
        ul.KMap(2, population="town"),
        ul.DeltaPresence(0, 1, population="town"),
        ul.PopulationUniqueness("1/2", fraction="1/2"),
    ],
    ids=lambda promise: promise.name,
)
def test_promises_about_a_population_are_saved_in_every_order_of_columns(
    promise: GroupModel, order: list[str], tmp_path: Path
) -> None:
    data: dict[str, list[Any]] = {
        "name": list("abcdef"),
        "age": [30, 30, 31, 41, 41, 42],
        "ill": list("xyzxyz"),
        "job": ["cook", "cook", "cook", "smith", "smith", "smith"],
    }
    table = ul.as_table(data, identifiers="name", quasi=order, sensitive="ill")
    town = {"job": data["job"] * 2, "age": data["age"] * 2}
    release = ul.anonymize(table, privacy=[promise, ul.KAnonymity(2)], side={"town": town})
    assert release.table.schema.quasi == ("age", "job")
    assert ul.verify(release.save(tmp_path / "release")).holds


@pytest.mark.parametrize("method", [ul.Anatomize(), ul.KEPermutation()], ids=str)
@pytest.mark.parametrize("kind", [pl.Float64, pl.Float32])
def test_nan_and_nothing_are_both_missing_in_buckets(
    method: Method, kind: type[pl.DataType], tmp_path: Path
) -> None:
    pay = pl.Series([1.0, NAN, None, 0.1, 1.0, 3.0, None, -0.0], dtype=kind)
    table = ul.as_table({"q": list("abcdefgh"), "pay": pay}, quasi="q", sensitive="pay")
    promises = [ul.KEAnonymity(2, 0), ul.TCloseness(1, distance="ordered")]
    release = ul.anonymize(table, privacy=promises, method=method, seed=1)
    for written in ("csv", "parquet"):
        assert ul.verify(release.save(tmp_path / written, format=written)).holds


@pytest.mark.parametrize("written", ["csv", "parquet"])
@pytest.mark.parametrize("method", [ul.Mondrian(), ul.Anatomize()], ids=str)
def test_texts_that_look_like_nothing_come_out_as_they_went_in(
    method: Method, written: Literal["csv", "parquet"], tmp_path: Path
) -> None:
    texts = ["NaN", "nan", "None", "null", "NA", "inf", "", "*", None, "x"]
    people = pl.DataFrame({"q": list("aabbccddee"), "s": texts, "z": texts[::-1]})
    file = tmp_path / "people.csv"
    people.write_csv(file)
    table = ul.read(file, quasi="q", sensitive="s", insensitive="z")
    assert table.frame["s"].cast(pl.String).to_list() == texts
    release = ul.anonymize(table, privacy=ul.DistinctLDiversity(2), method=method, seed=1)
    bundle = open_bundle(release.save(tmp_path / "release", format=written))
    hidden = bundle.frame if bundle.hidden is None else bundle.hidden
    assert set(hidden["s"].cast(pl.String)) == set(texts)
    assert set(bundle.frame["z"].cast(pl.String)) == set(texts)
