"""Who is who in a history: people's numbers, their keys, and the column that names them."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import unlinkable as ul
from tests.tables.series.toys import PROMISE, Growing, people, publish
from unlinkable.errors import HistoryError, ParameterError, SchemaError
from unlinkable.tables.series.history import History


def test_people_keep_their_numbers_whoever_else_comes_and_in_whatever_order(address: str) -> None:
    history = History(address)
    publish(history, first=5, n=10)
    publish(history, first=0, n=10)
    first, second = history.series().editions
    assert first.people is not None
    assert second.people is not None
    assert sorted(first.people.tolist()) == list(range(10))
    # The people p5 to p9 had numbers 0 to 4; p0 to p4 are new.
    assert sorted(second.people.tolist()) == [0, 1, 2, 3, 4, 10, 11, 12, 13, 14]


def test_a_number_is_the_same_person_in_whatever_column(address: str) -> None:
    def table(pid: list[object]) -> ul.Table:
        shown = people(0, 6).frame.with_columns(pl.Series("pid", pid))
        return ul.as_table(shown, identifiers="pid", quasi=["age", "job"], sensitive="ill")

    history = History(address)
    columns: list[list[object]] = [[*range(6)], [float(i) for i in range(6)], [*"012345"]]
    found = [history.publish(table(c), policy=Growing(), privacy=PROMISE) for c in columns]
    assert [one.line.new_people for one in found] == [6, 0, 0]


def test_nobody_is_named_in_the_database(tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    publish(History(file), n=12)
    written = file.read_bytes()
    assert not any(f"p{i}".encode() in written for i in (10, 11))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_people_are_recognized_with_the_holders_key_alone(address: str) -> None:
    key = ul.new_key()
    history = History(address, key=key)
    publish(history)
    assert publish(History(address, key=key)).line.new_people == 0
    with pytest.raises(HistoryError, match="was begun with a key: give it"):
        publish(History(address))
    with pytest.raises(HistoryError, match="was begun with another key"):
        publish(History(address, key=ul.new_key()))
    assert len(history) == 2


def test_a_history_without_a_key_stays_without(tmp_path: Path) -> None:
    publish(History(tmp_path / "history.db"))
    with pytest.raises(HistoryError, match="was begun without a key"):
        publish(History(tmp_path / "history.db", key=ul.new_key()))


@pytest.mark.parametrize("key", [b"short", "a" * 32, b"a" * 32])
def test_a_key_that_can_be_guessed_is_refused(tmp_path: Path, key: Any) -> None:
    with pytest.raises(ParameterError, match="a key"):
        History(tmp_path / "h.db", key=key)


@pytest.mark.parametrize(
    ("roles", "more", "message"),
    [
        (
            {"insensitive": ["pid"], "quasi": ["age", "job"]},
            {},
            "say by which column .*; no column names people",
        ),
        ({"quasi": ["pid", "age", "job"]}, {}, "'pid' looks like .* cannot be a quasi-identifier"),
        (
            {"identifiers": ["pid", "age"], "quasi": ["job"]},
            {},
            r"2 columns name people \(pid, age",
        ),
        ({"identifiers": "pid", "quasi": ["age", "job"]}, {"person": "pit"}, "no column 'pit'"),
    ],
)
def test_it_must_be_said_who_is_who(
    tmp_path: Path, roles: dict[str, Any], more: dict[str, Any], message: str
) -> None:
    table = ul.as_table(people(0, 12).frame, sensitive="ill", **roles)
    history = History(tmp_path / "history.db")
    with pytest.raises(SchemaError, match=message):
        history.publish(table, policy=Growing(), privacy=PROMISE, **more)


def test_people_stay_known_by_the_same_column(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    publish(history)
    with pytest.raises(HistoryError, match="people are known by 'pid'"):
        publish(history, person="age")
