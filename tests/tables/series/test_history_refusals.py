"""What a history refuses: another policy, addresses, files, parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unlinkable as ul
from tests.tables.series.toys import PROMISE, Growing, people, publish
from unlinkable.errors import HistoryError, ParameterError, UnlinkableError
from unlinkable.tables.series.history import History


def test_a_history_goes_on_as_it_was_begun(tmp_path: Path) -> None:
    class Other(Growing):
        name = "other"

    history = History(tmp_path / "history.db")
    publish(history)
    with pytest.raises(HistoryError, match="is of releases by growing, and other would not guard"):
        history.publish(people(0, 12), policy=Other(), privacy=PROMISE)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("mysql://u:hunter2@host/db", "SQLite or PostgreSQL, and 'mysql' is neither"),
        ("://hunter2", "cannot be understood"),
        ("sqlite://", "forgotten at the end"),
        ("postgresql://u:hunter2@localhost:1/db", "the database answered"),
    ],
)
def test_addresses_that_mean_nothing_are_refused(address: str, message: str) -> None:
    with pytest.raises(HistoryError, match=message) as caught:
        History(address).releases()
    assert "hunter2" not in str(caught.value)


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="there is no folder"):
        publish(History(tmp_path / "no" / "history.db"))


def test_a_folder_is_no_history(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="is a folder, and a history is a file"):
        History(tmp_path)


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    file.write_text("dear diary " * 100)
    with pytest.raises(HistoryError, match="the database answered: file is not a database"):
        publish(History(file))
    assert file.read_text().startswith("dear diary")


@pytest.mark.parametrize(
    ("more", "message"),
    [({"privacy": ()}, "nothing is promised"), ({"suppression": 1}, r"must lie in \[0, 1\)")],
)
def test_parameters_that_mean_nothing_are_refused(
    tmp_path: Path, more: dict[str, Any], message: str
) -> None:
    history = History(tmp_path / "history.db")
    with pytest.raises(ParameterError, match=message):
        history.publish(people(0, 12), **{"policy": Growing(), "privacy": PROMISE, **more})
    with pytest.raises(ParameterError, match="wait must be some seconds"):
        History(tmp_path / "history.db", wait=-1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"table": {"age": [1]}}, "no role for 'age': say what each column is"),
        ({"table": 5}, "cannot take int as a table"),
        ({"privacy": [ul.KAnonymity]}, "is no promise: give a model, like KAnonymity"),
        ({"policy": Growing}, "policy must be one, like MInvariance"),
    ],
)
def test_what_is_of_another_kind_is_refused(
    tmp_path: Path, given: dict[str, Any], message: str
) -> None:
    asked = {"table": people(0, 4), "policy": Growing(), "privacy": PROMISE, **given}
    with pytest.raises(UnlinkableError, match=message):
        History(tmp_path / "h.db").publish(**asked)
