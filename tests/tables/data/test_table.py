"""Joining relations by the person that their rows belong to."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.data import read
from unlinkable.tables.data.table import join_frames

PEOPLE = pl.DataFrame({"pid": [1, 2, 3], "job": ["cook", "clerk", "cook"]})


def test_a_person_has_every_combination_of_her_rows() -> None:
    visits = pl.DataFrame({"pid": [1, 1, 2], "day": ["Mon", "Tue", "Mon"]})
    drugs = pl.DataFrame({"pid": [1, 1], "drug": ["x", "y"]})
    joined = join_frames(PEOPLE, {"visits": visits, "drugs": drugs}, "pid")
    assert joined.rows() == [
        (1, "cook", "Mon", "x"),
        (1, "cook", "Mon", "y"),
        (1, "cook", "Tue", "x"),
        (1, "cook", "Tue", "y"),
        (2, "clerk", "Mon", None),
        (3, "cook", None, None),
    ]


def test_keys_of_another_type_are_brought_into_the_same() -> None:
    visits = pl.DataFrame({"pid": ["1", "3"], "day": ["Mon", "Tue"]})
    assert join_frames(PEOPLE, {"visits": visits}, "pid").get_column("day").to_list() == [
        "Mon",
        None,
        "Tue",
    ]


def test_keys_that_cannot_be_the_same_are_refused() -> None:
    visits = pl.DataFrame({"pid": ["one"], "day": ["Mon"]})
    with pytest.raises(DataError, match="column 'pid' of 'visits' is not of the kind"):
        join_frames(PEOPLE, {"visits": visits}, "pid")


def test_rows_of_nobody_are_refused() -> None:
    visits = pl.DataFrame({"pid": [1, 9], "day": ["Mon", "Tue"]})
    with pytest.raises(DataError, match="1 rows of 'visits' belong to nobody"):
        join_frames(PEOPLE, {"visits": visits}, "pid")


def test_a_column_in_two_tables_is_refused() -> None:
    with pytest.raises(SchemaError, match="column 'job' is in 'more' and in a table before it"):
        join_frames(PEOPLE, {"more": PEOPLE}, "pid")


@pytest.mark.parametrize("first", [True, False])
def test_a_table_without_the_key_is_refused(first: bool) -> None:
    other = pl.DataFrame({"day": ["Mon"]})
    with pytest.raises(SchemaError, match=r"no column 'pid' among 1 .* to join by"):
        join_frames(other if first else PEOPLE, {"visits": PEOPLE if first else other}, "pid")


def test_files_are_joined_when_they_are_read(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    (tmp_path / "visits.csv").write_text("pid,day\n1,Mon\n1,Tue\n")
    table = read(
        tmp_path / "people.csv",
        quasi=["job", "day"],
        owner="pid",
        join=tmp_path / "visits.csv",
    )
    assert len(table) == 4
    with pytest.raises(SchemaError, match="joined by the owner column"):
        read(tmp_path / "people.csv", quasi="job", join=[tmp_path / "visits.csv"])
