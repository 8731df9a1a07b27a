"""Databases of histories: whoever holds one holds the one that others find."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.tables.series.toys import PROMISE, Growing, people
from unlinkable.errors import HistoryError, InfeasibleError
from unlinkable.release.history.database import Database
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.series.history import History
from unlinkable.tables.series.policy import Past, Request


def held_up(*, fails: bool) -> tuple[Growing, threading.Event, threading.Event]:
    """Give a policy that publishes, or fails, when it is told to; when it has started; and that."""
    started, go_on = threading.Event(), threading.Event()

    class HeldUp(Growing):
        def method_for(self, request: Request, past: Past) -> Method:
            started.set()
            assert go_on.wait(20)
            if fails:
                raise InfeasibleError("nothing can be published")
            return super().method_for(request, past)

    return HeldUp(), started, go_on


def in_the_background(work: Callable[[], object]) -> tuple[threading.Thread, list[object]]:
    """Work beside; give what comes of it."""
    found: list[object] = []

    def run() -> None:
        try:
            found.append(work())
        except (HistoryError, InfeasibleError) as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, found


def test_who_is_refused_takes_nothing_from_who_publishes_first(
    address: str, tmp_path: Path
) -> None:
    (policy, started, go_on), home = held_up(fails=False), tmp_path / "releases"
    thread, found = in_the_background(
        lambda: History(address).publish(people(0, 12), policy=policy, privacy=PROMISE, out=home)
    )
    assert started.wait(300)
    with pytest.raises(HistoryError, match="somebody else has been publishing"):
        History(address, wait=0.2).publish(people(0, 13), policy=Growing(), privacy=PROMISE)
    go_on.set()
    thread.join(300)
    assert len(found) == 1
    assert [line.records for line in History(address).releases()] == [12]
    assert [path.name for path in home.iterdir()] == ["001"]


def test_who_waited_for_somebody_who_failed_is_on_record(address: str) -> None:
    policy, started, go_on = held_up(fails=True)
    first, failed = in_the_background(
        lambda: History(address).publish(people(0, 12), policy=policy, privacy=PROMISE)
    )
    assert started.wait(300)
    second, published = in_the_background(
        lambda: History(address).publish(people(0, 13), policy=Growing(), privacy=PROMISE)
    )
    second.join(0.3)
    assert not published
    go_on.set()
    first.join(300)
    second.join(300)
    assert isinstance(failed[0], InfeasibleError)
    assert [line.records for line in History(address).releases()] == [13]


def test_what_is_not_committed_was_never_there(tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    database = Database(file, 1)
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE t (n INTEGER)")
    assert not list(tmp_path.iterdir())
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE t (n INTEGER)")
        connection.commit()
    assert file.stat().st_size


def test_to_try_something_no_file_is_made(tmp_path: Path) -> None:
    database = Database(tmp_path / "history.db", 1)
    with database.trying() as connection:
        connection.exec_driver_sql("CREATE TABLE t (n INTEGER)")
    assert not database.exists
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE t (n INTEGER)")
        connection.commit()
    with database.trying() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM t").scalar() == 0
    with (
        pytest.raises(HistoryError, match="there is no folder"),
        Database(tmp_path / "no" / "history.db", 1).trying(),
    ):
        pass


def test_who_opens_a_file_lets_go_of_nobody_s_lock(tmp_path: Path) -> None:
    database = Database(tmp_path / "history.db", 0.1)
    with database.writing():
        for _ in range(2):
            with pytest.raises(HistoryError, match="somebody else"), database.writing():
                pass


def test_who_reads_sees_one_state(address: str) -> None:
    database = Database(address, 5)
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE t (n INTEGER)")
        connection.commit()
    count = "SELECT count(*) FROM t"
    with database.reading() as reader:
        assert reader.exec_driver_sql(count).scalar() == 0
        if address.startswith("postgres"):
            with database.writing() as writer:
                writer.exec_driver_sql("INSERT INTO t VALUES (1)")
                writer.commit()
        assert reader.exec_driver_sql(count).scalar() == 0


def test_who_waited_sees_what_the_other_wrote(postgres: str) -> None:
    """Even if the server shows transactions the state that they began with."""
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(
            f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'".encode()
        )
    database = Database(postgres, 300)
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE t (n INTEGER)")
        connection.commit()

    def count() -> object:
        with database.writing() as connection:
            return connection.exec_driver_sql("SELECT count(*) FROM t").scalar()

    with database.writing() as writer:
        thread, found = in_the_background(count)
        thread.join(0.3)
        assert not found
        writer.exec_driver_sql("INSERT INTO t VALUES (1)")
        writer.commit()
    thread.join(300)
    assert found == [1]


def test_a_file_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    database = Database(tmp_path / ("n" * 300), 1)
    assert not database.exists
    with (
        pytest.raises(HistoryError, match="cannot be made: File name too long"),
        database.writing(),
    ):
        pass


def test_a_file_that_others_keep_their_tables_in_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "stock.db"
    with closing(sqlite3.connect(file)) as stock:
        stock.execute("CREATE TABLE stock (item TEXT)")
        stock.commit()
    before = file.read_bytes()
    with pytest.raises(HistoryError, match=r"stock\.db is a database of something else"):
        History(file).publish(people(0, 12), policy=Growing(), privacy=PROMISE)
    assert file.read_bytes() == before


def test_a_file_that_others_keep_their_tables_in_is_not_taken_for_an_empty_history(
    tmp_path: Path,
) -> None:
    file = tmp_path / "stock.db"
    with closing(sqlite3.connect(file)) as stock:
        stock.execute("CREATE TABLE stock (item TEXT)")
        stock.commit()
    with pytest.raises(HistoryError, match=r"stock\.db is a database of something else"):
        History(file).releases()
