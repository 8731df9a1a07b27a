"""Databases: what they answer, and errors that give nothing away."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy

from unlinkable.errors import DataError
from unlinkable.tables.data.reading import ReadOptions, read_frame, sql


@pytest.fixture
def address(tmp_path: Path) -> str:
    with sqlite3.connect(tmp_path / "x.db") as connection:
        connection.execute("CREATE TABLE patients (age INTEGER, zip TEXT, weight REAL, mixed)")
        connection.executemany(
            "INSERT INTO patients VALUES (?, ?, ?, ?)",
            [(39, "00501", 70.5, 1), (None, None, None, "SECRET"), (50, "", 68.0, None)],
        )
    connection.close()
    return f"sqlite:///{tmp_path}/x.db"


def ask(address: str, query: str | None) -> pl.DataFrame:
    return read_frame(address, options=ReadOptions(query=query))


@pytest.mark.parametrize("batch", [1, 2, 100])
def test_an_answer_is_a_table(address: str, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "_BATCH", batch)
    frame = ask(address, "SELECT age, zip, weight FROM patients WHERE zip != ':x%' OR zip IS NULL")
    assert frame.rows() == [(39, "00501", 70.5), (None, None, None), (50, "", 68.0)]
    assert dict(frame.schema) == {"age": pl.Int64, "zip": pl.Categorical, "weight": pl.Float64}


def test_nothing_is_changed(address: str) -> None:
    with pytest.raises(DataError, match="the query gives no table; it must be a SELECT"):
        ask(address, "DELETE FROM patients")
    assert ask(address, "SELECT age FROM patients").height == 3


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (None, "a database needs a query, such as 'SELECT"),
        ("SELECT * FROM persons", r"the database answered: no such table: persons; check"),
        ("SELECT age, age FROM patients", "two columns are called 'age'; rename"),
        ("SELECT mixed FROM patients", r"'mixed' are not of one plain type; .*CAST\(mixed AS"),
        ("SELECT age FROM patients WHERE age > 99", "there are columns but no records"),
    ],
)
def test_bad_questions_are_refused(address: str, query: str | None, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        ask(address, query)
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http://x:hunter2@host/db", "there is no kind of database 'http'"),
        ("postgresql+nothing://x:hunter2@host/db", "no kind of database"),
        ("://hunter2", "the SQL address cannot be understood"),
        ("postgresql+pg8000://x:hunter2@host/db", "the driver 'pg8000' is not installed: pip"),
    ],
)
def test_bad_addresses_are_refused_without_the_password(address: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        ask(address, "SELECT 1")
    assert "hunter2" not in str(caught.value)


def test_a_database_that_quotes_the_password_or_records_is_not_quoted() -> None:
    orig = Exception("cannot connect as x with hunter2\nrecord: SECRET")
    operational = sqlalchemy.exc.OperationalError("SELECT", {}, orig)
    shown = sql._reason(sqlalchemy, operational, "hunter2")
    assert shown == "the database answered: cannot connect as x with ***; check address and query"
    data = sqlalchemy.exc.DataError("SELECT", {}, Exception("invalid: SECRET"))
    assert sql._reason(sqlalchemy, data, None) == (
        "the database refused the query (DataError); check it there"
    )


def test_a_database_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such database file"):
        read_frame(f"sqlite:///{tmp_path}/nowhere.db", options=ReadOptions(query="SELECT 1"))
    assert not (tmp_path / "nowhere.db").exists()


def test_an_address_with_a_port_that_is_none_is_refused() -> None:
    with pytest.raises(DataError, match="cannot be understood"):
        read_frame("postgresql://u:secret@h:notaport/db", options=ReadOptions(query="SELECT 1"))
