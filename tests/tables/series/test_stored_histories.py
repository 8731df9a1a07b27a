"""Histories as they are stored: later and earlier formats, and damage."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.tables.series.toys import publish
from unlinkable.errors import HistoryError
from unlinkable.release.history import migrations
from unlinkable.tables.series.history import History


def test_a_history_of_a_later_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    publish(History(file))
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE unlinkable_history SET format = 99")
    connection.close()
    for ask in (lambda: len(History(file)), lambda: publish(History(file))):
        with pytest.raises(HistoryError, match="has format 99, and this version reads formats up"):
            ask()


def test_an_earlier_format_is_brought_up_to_date(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(History(address))

    def third(connection: Any) -> None:
        connection.exec_driver_sql("ALTER TABLE unlinkable_release ADD COLUMN mood TEXT")

    monkeypatch.setattr(migrations.migrate, "__defaults__", ((*migrations.MIGRATIONS, third),))
    monkeypatch.setattr(migrations.require_known, "__defaults__", (3,))
    publish(History(address))
    with History(address)._database.reading() as connection:
        assert migrations.format_of(connection) == 3
        assert connection.exec_driver_sql("SELECT mood FROM unlinkable_release").all() == [
            (None,),
            (None,),
        ]


def test_a_history_of_the_first_format_is_read_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    publish(History(file))
    with sqlite3.connect(file) as connection:
        connection.execute("ALTER TABLE unlinkable_release DROP COLUMN kind")
        connection.execute("UPDATE unlinkable_history SET format = 1")
    connection.close()
    assert [entry.kind for entry in History(file).releases()] == ["tables"]
    publish(History(file))
    assert [entry.kind for entry in History(file).releases()] == ["tables", "tables"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("DELETE FROM unlinkable_release WHERE number = 1", "damaged: a release is missing"),
        ("UPDATE unlinkable_release SET promises = 'k'", "damaged: a release cannot be read"),
        ("UPDATE unlinkable_release SET new_keys = x'00'", "damaged: a release cannot be read"),
        ("UPDATE unlinkable_memory SET remembered = x'00'", "damaged: a release cannot be read"),
        ("DELETE FROM unlinkable_history", "damaged: it does not say what it is of"),
    ],
)
def test_damage_is_not_taken_for_a_history(tmp_path: Path, damage: str, message: str) -> None:
    file = tmp_path / "history.db"
    for _ in range(2):
        publish(History(file))
    with sqlite3.connect(file) as connection:
        connection.execute(damage)
    connection.close()
    with pytest.raises(HistoryError, match=message):
        publish(History(file))
