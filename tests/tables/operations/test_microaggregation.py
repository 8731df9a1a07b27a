"""Microaggregation: groups against plain lists, what is kept, the refusals."""

from __future__ import annotations

from collections import Counter
from datetime import date
from statistics import fmean, median, median_low

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.operations.microaggregation import Microaggregation, Middle
from unlinkable.tables.taxonomies.builders import Tree

JOBS = Tree({"office": ["clerk", "boss"], "kitchen": ["waiter", "cook"]})
ORDER = ["clerk", "boss", "waiter", "cook"]


def table_of(rows: list[tuple[int, str]]) -> Table:
    frame = pl.DataFrame(
        {"age": [a for a, _ in rows], "job": [j for _, j in rows], "ill": ["x"] * len(rows)},
        schema={"age": pl.Int64, "job": pl.String, "ill": pl.String},
    )
    return as_table(frame, quasi=["age", "job"], sensitive="ill", taxonomies={"job": JOBS})


def mode(jobs: list[str]) -> str:
    counts = Counter(jobs)
    return min(counts, key=lambda job: (-counts[job], ORDER.index(job)))


def middle(jobs: list[str]) -> str:
    return ORDER[median_low(ORDER.index(job) for job in jobs)]


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from(ORDER), st.integers(-1, 3)),
        min_size=1,
        max_size=30,
    ),
    st.booleans(),
)
def test_records_show_the_middle_of_their_part(
    rows: list[tuple[int, str, int]], by_rank: bool
) -> None:
    table = table_of([(age, job) for age, job, _ in rows])
    operation = (
        Microaggregation(numbers="median", categories="median") if by_rank else Microaggregation()
    )
    shown = operation.apply(table, np.array([part for _, _, part in rows], np.int32))
    expected = []
    for _, _, part in rows:
        if part >= 0:
            ages = [age for age, _, other in rows if other == part]
            jobs = [job for _, job, other in rows if other == part]
            number = median(ages) if by_rank else fmean(ages)
            expected.append((pytest.approx(number), middle(jobs) if by_rank else mode(jobs), "x"))
    assert shown.rows() == expected
    # Records of a part show the same to the last digit.
    kept = [part for _, _, part in rows if part >= 0]
    assert len({*zip(kept, shown.rows(), strict=True)}) == len({*kept})


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_means_over_the_table_stay(values: list[float]) -> None:
    table = as_table({"pay": values}, quasi="pay")
    parts = np.arange(len(values), dtype=np.int32) // 3
    shown = Microaggregation().apply(table, parts)
    assert shown["pay"].mean() == pytest.approx(fmean(values), abs=1e-6)


def test_equal_numbers_stay_as_they_are() -> None:
    table = as_table({"pay": [0.1, 0.1, 0.1]}, quasi="pay")
    assert Microaggregation().apply(table, np.zeros(3, np.int32))["pay"].to_list() == [0.1] * 3


def test_whole_numbers_and_days_stay_so_where_they_can() -> None:
    table = as_table(
        {"age": [30, 32], "born": [date(1990, 1, 1), date(1990, 1, 5)]}, quasi=["age", "born"]
    )
    shown = Microaggregation().apply(table, np.zeros(2, np.int32))
    assert shown["age"].dtype == pl.Int64
    assert shown["age"].to_list() == [31, 31]
    assert shown["born"].to_list() == [date(1990, 1, 3)] * 2


def test_only_the_columns_that_are_named_are_replaced() -> None:
    table = table_of([(1, "cook"), (3, "clerk")])
    shown = Microaggregation("age").apply(table, np.zeros(2, np.int32))
    assert shown["age"].to_list() == [2, 2]
    assert shown["job"].to_list() == ["cook", "clerk"]


def test_it_is_written_as_it_is_read() -> None:
    assert str(Microaggregation("age", numbers=Middle.MEDIAN)) == (
        'microaggregation(columns=["age"], numbers="median")'
    )
    assert not Microaggregation.truthful


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="numbers must be one of 'mean', 'median', got 'mode'"):
        Microaggregation(numbers="mode")
    with pytest.raises(ParameterError, match="categories must be one of 'mode', 'median'"):
        Microaggregation(categories="mean")
    with pytest.raises(SchemaError, match="no column 'agee'"):
        Microaggregation("agee").apply(table_of([(1, "cook")]), np.zeros(1, np.int32))
    nobody = as_table({"ill": ["x"]}, sensitive="ill")
    with pytest.raises(SchemaError, match="name the columns to replace"):
        Microaggregation().apply(nobody, np.zeros(1, np.int32))
    missing = as_table({"age": [1, None]}, quasi="age")
    with pytest.raises(DataError, match="column 'age' has 1 missing"):
        Microaggregation().apply(missing, np.zeros(2, np.int32))
