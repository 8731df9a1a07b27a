"""Two tables that are published for one."""

from __future__ import annotations

import polars as pl
import pytest

from unlinkable.errors import DataError
from unlinkable.tables.data.bucket_tables import paired, repeated, same_rows

PEOPLE = pl.DataFrame({"age": [30, 40, 50], "group": [2, 1, 2]})
ILLS = pl.DataFrame({"group": [2, 1], "ill": ["flu", None], "count": [2, 1]})


def test_every_record_gets_a_value_of_its_bucket() -> None:
    assert sorted(paired(PEOPLE, ILLS, "group").rows()) == [
        (30, 2, "flu"),
        (40, 1, None),
        (50, 2, "flu"),
    ]


def test_buckets_are_found_by_their_texts() -> None:
    assert paired(PEOPLE.cast(pl.String), ILLS, "group").height == 3


@pytest.mark.parametrize("counts", [[1, 1], [1, 2], [3, 1]])
def test_buckets_with_other_numbers_of_values_are_refused(counts: list[int]) -> None:
    with pytest.raises(DataError, match="do not have as many hidden values as records"):
        paired(PEOPLE, ILLS.with_columns(count=pl.Series(counts)), "group")


@pytest.mark.parametrize("count", [-1, 0.5, None, "many"])
def test_counts_are_whole_numbers(count: object) -> None:
    with pytest.raises(DataError, match="must hold whole numbers from 0 on"):
        repeated(pl.DataFrame({"ill": ["flu"], "n": [count]}), "n")


def test_a_row_that_stands_for_nobody_is_gone() -> None:
    assert repeated(pl.DataFrame({"ill": ["flu", "hiv"], "n": [0, 1]}), "n").rows() == [("hiv",)]
    assert repeated(pl.DataFrame({"ill": ["flu"], "n": [0]}), "n").height == 0


def test_records_are_compared_with_counts_whatever_their_order() -> None:
    records = pl.DataFrame({"group": [1, 2, 2], "ill": [None, "flu", "flu"]})
    assert same_rows(records, ILLS)
    assert not same_rows(records.head(2), ILLS)
    assert not same_rows(records, ILLS.with_columns(count=pl.Series([1, 2])))
    assert not same_rows(records, ILLS.drop("ill"))
