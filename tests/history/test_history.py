"""Histories: what is on record was published, what was published is on record."""

from __future__ import annotations

import sqlite3
import stat
import threading
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import unlinkable as ul
from tests.history.toys import PROMISE, Growing, people
from unlinkable.errors import (
    BundleError,
    ChannelError,
    DataError,
    HistoryError,
    InfeasibleError,
    ParameterError,
    SchemaError,
)
from unlinkable.history import migrations
from unlinkable.history.history import History, Publication
from unlinkable.history.person_keys import PersonKeys, numbered
from unlinkable.history.places import waiting_place
from unlinkable.history.policy import Past, Request
from unlinkable.methods.base import Method
from unlinkable.release import open_bundle, verify


def publish(history: History, first: int = 0, n: int = 12, **more: Any) -> Publication:
    return history.publish(people(first, n), policy=Growing(), privacy=PROMISE, **more)


def test_releases_are_put_on_record(address: str) -> None:
    history = History(address)
    assert (len(history), history.about()) == (0, None)
    first = publish(history, n=12, recipient="the university")
    second = publish(history, n=15)
    assert [first.number, second.number] == [1, 2]
    assert [line.recipient for line in history.releases()] == ["the university", None]
    assert [line.new_people for line in History(address).releases()] == [12, 3]
    line = history.releases()[1]
    assert (line.policy, line.records, line.promises) == ("growing", 15, ("k-anonymity(k=2)",))
    assert [found["succeeded"] for found in line.findings] == [0]


def test_what_was_published_comes_back(address: str) -> None:
    history = History(address)
    releases = [publish(history, n=n).release for n in (12, 15)]
    for release, edition in zip(releases, history.series().editions, strict=True):
        assert edition.target.frame.equals(release.applied.frame.cast(edition.target.frame.schema))
        assert edition.target.quasi == ("age", "job")
        assert edition.people is not None
        assert edition.people.tolist() == release.applied.rows.tolist()  # type: ignore[union-attr]
        for name, taxonomy in edition.target.taxonomies.items():
            assert (
                taxonomy.domain.values.tolist()
                == release.table.taxonomy(name).domain.values.tolist()
            )


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


def test_records_are_published_in_another_order_each_time(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    orders = [publish(history, n=40, seed=1).release.applied.rows for _ in range(3)]
    assert all(order is not None for order in orders)
    assert len({tuple(order.tolist()) for order in orders if order is not None}) == 3
    assert all(sorted(order.tolist()) == list(range(40)) for order in orders if order is not None)


def test_what_a_policy_remembers_is_given_back(address: str) -> None:
    history, seen = History(address), list[list[int]]()

    class Watching(Growing):
        def method_for(self, request: Request, past: Past) -> Method:
            seen.append(past.memory["times"].get_column("n").to_list() if past.memory else [])
            return super().method_for(request, past)

    for n in (3, 4, 4):
        history.publish(people(0, n), policy=Watching(), privacy=PROMISE)
    assert seen == [[], [1, 1, 1], [2, 2, 2, 1]]


def test_a_channel_is_refused_and_leaves_nothing_behind(address: str, tmp_path: Path) -> None:
    history, home = History(address), tmp_path / "releases"
    publish(history, n=12, out=home)
    with pytest.raises(ChannelError, match=r"release 2 would open a channel .*: 4 records are mis"):
        publish(history, n=8, out=home)
    assert len(history) == 1
    assert [path.name for path in home.iterdir()] == ["001"]
    assert publish(history, n=13, out=home).number == 2


def test_what_cannot_be_published_leaves_nothing_behind(address: str, tmp_path: Path) -> None:
    history, home = History(address), tmp_path / "releases"
    with pytest.raises(InfeasibleError):
        history.publish(people(0, 3), policy=Growing(), privacy=ul.KAnonymity(5), out=home)
    assert len(history) == 0
    assert not home.exists()
    # Somebody else may be waiting for the file, so that it stays; nothing is in it.
    assert address.startswith("postgres") or not Path(address).stat().st_size


def test_nothing_is_written_if_it_is_only_tried(address: str, tmp_path: Path) -> None:
    history, home = History(address), tmp_path / "releases"
    tried = publish(history, out=home, dry_run=True)
    assert (tried.number, tried.is_published, tried.folder) == (1, False, None)
    assert len(history) == 0
    assert not home.exists()
    assert not (tmp_path / "history.db").exists()
    publish(history, out=home)
    assert publish(history, out=home, dry_run=True).number == 2
    assert len(history) == 1


def test_bundles_are_called_by_their_numbers_and_verify(address: str, tmp_path: Path) -> None:
    history, home = History(address), tmp_path / "releases"
    for n in (12, 15):
        published = publish(history, n=n, out=home, format="parquet")
        assert published.folder == home / f"{published.number:03d}"
        assert verify(published.folder).holds
    assert sorted(path.name for path in home.iterdir()) == ["001", "002"]
    assert [line.waiting for line in history.releases()] == [None, None]


def test_bundles_of_a_history_know_whose_records_are_in_their_mixed_order(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    people(0, 30).frame.write_csv(source)
    table = ul.read(source, identifiers="pid", quasi=["age", "job"], sensitive="ill")
    history = History(tmp_path / "history.db")
    home = tmp_path / "releases"
    published = history.publish(table, policy=Growing(), privacy=PROMISE, out=home)
    bundle = open_bundle(tmp_path / "releases" / "001")
    rows = bundle.private.rows()[0]  # type: ignore[union-attr]
    assert rows.tolist() != list(range(30))
    assert bundle.frame.get_column("ill")[rows].cast(pl.String).to_list() == (
        table.frame.get_column("ill").cast(pl.String).to_list()
    )
    for metric in ("kl-divergence", "nonuniform-entropy"):
        assert bundle.measure(metric) == pytest.approx(published.release.measure(metric))


def test_a_place_that_is_taken_is_not_overwritten(tmp_path: Path) -> None:
    history, home = History(tmp_path / "history.db"), tmp_path / "releases"
    (home / "001").mkdir(parents=True)
    (home / "001" / "letter.txt").write_text("dear")
    with pytest.raises(BundleError, match="is no bundle"):
        publish(history, out=home)
    assert (home / "001" / "letter.txt").read_text() == "dear"
    assert len(history) == 0


# Who is who.


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


def test_two_histories_give_the_same_person_other_keys() -> None:
    column = pl.Series(["p1"])
    keys = [PersonKeys(salt).digests(column, "pid").tobytes() for salt in (b"one", b"two")]
    assert keys[0] != keys[1]


@pytest.mark.parametrize("missing", [None, ""])
def test_somebody_who_is_known_by_nothing_is_refused(missing: str | None) -> None:
    with pytest.raises(DataError, match="record 2 has no 'pid'"):
        PersonKeys(b"salt").digests(pl.Series(["p1", missing]), "pid")


def test_new_people_follow_in_the_order_of_their_records() -> None:
    known, now = (np.frombuffer(text, "V1") for text in (b"zy", b"cyac"))
    numbers, new = numbered(known, now)
    assert numbers.tolist() == [2, 1, 3, 2]
    assert new.tobytes() == b"ca"


@pytest.mark.parametrize(
    ("roles", "more", "message"),
    [
        ({"quasi": ["pid", "age", "job"]}, {}, "say by which column .*; no column names people"),
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


# What does not fit.


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


# Formats.


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

    def second(connection: Any) -> None:
        connection.exec_driver_sql("ALTER TABLE unlinkable_release ADD COLUMN mood TEXT")

    monkeypatch.setattr(migrations.migrate, "__defaults__", ((*migrations.MIGRATIONS, second),))
    monkeypatch.setattr(migrations.require_known, "__defaults__", (2,))
    publish(History(address))
    with History(address)._database.reading() as connection:
        assert migrations.format_of(connection) == 2
        assert connection.exec_driver_sql("SELECT mood FROM unlinkable_release").all() == [
            (None,),
            (None,),
        ]


# Two at once, and what was stopped.


def slowly(started: threading.Event, go_on: threading.Event) -> Growing:
    class Slow(Growing):
        def method_for(self, request: Request, past: Past) -> Method:
            started.set()
            go_on.wait(20)
            return super().method_for(request, past)

    return Slow()


def in_the_background(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_of_two_who_publish_at_once_one_is_refused_after_a_while(address: str) -> None:
    publish(History(address))
    started, go_on = threading.Event(), threading.Event()
    slow = slowly(started, go_on)
    first = in_the_background(
        lambda: History(address).publish(people(0, 13), policy=slow, privacy=PROMISE)
    )
    assert started.wait(20)
    begun = time.monotonic()
    with pytest.raises(HistoryError, match=r"somebody else has been publishing for 0\.3 s"):
        publish(History(address, wait=0.3), n=14)
    assert time.monotonic() - begun < 10
    assert len(History(address)) == 1
    go_on.set()
    first.join(30)
    assert [line.records for line in History(address).releases()] == [12, 13]


def test_of_two_who_publish_at_once_one_waits_and_sees_what_the_other_did(address: str) -> None:
    publish(History(address))
    started, go_on = threading.Event(), threading.Event()
    slow = slowly(started, go_on)
    first = in_the_background(
        lambda: History(address).publish(people(0, 20), policy=slow, privacy=PROMISE)
    )
    assert started.wait(20)
    found: list[BaseException | Publication] = []

    def try_it() -> None:
        try:
            found.append(publish(History(address, wait=30), n=16))
        except ChannelError as error:
            found.append(error)

    second = in_the_background(try_it)
    time.sleep(0.3)
    assert not found
    go_on.set()
    first.join(30)
    second.join(30)
    # Alone it would have grown from 12 to 16; after the other it shrinks from 20.
    assert isinstance(found[0], ChannelError)
    assert [line.records for line in History(address).releases()] == [12, 20]


def test_a_bundle_that_waits_is_brought_to_its_place(address: str, tmp_path: Path) -> None:
    history, home = History(address), tmp_path / "releases"
    folder = publish(history, out=home).folder
    assert folder is not None
    waiting = waiting_place(folder, history._database.mark)
    folder.rename(waiting)
    with history._database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE unlinkable_release SET waiting = '{waiting}'")
        connection.commit()
    History(address).recover()
    assert verify(folder).holds
    assert [path.name for path in home.iterdir()] == ["001"]
    assert history.releases()[0].waiting is None


def test_what_did_not_come_on_record_is_swept_away(tmp_path: Path) -> None:
    history, home = History(tmp_path / "history.db"), tmp_path / "releases"
    home.mkdir()
    ours = waiting_place(home / "001", history._database.mark)
    others = waiting_place(home / "001", "another")
    for folder in (ours, others, ours.with_name(f".{ours.name}.0123.part")):
        folder.mkdir()
    publish(history, out=home)
    assert sorted(path.name for path in home.iterdir()) == sorted([others.name, "001"])


def test_a_bundle_that_is_lost_is_told(tmp_path: Path) -> None:
    history, home = History(tmp_path / "history.db"), tmp_path / "releases"
    folder = publish(history, out=home).folder
    assert folder is not None
    folder.rename(tmp_path / "elsewhere")
    with history._database.writing() as connection:
        connection.exec_driver_sql("UPDATE unlinkable_release SET waiting = '/nowhere'")
        connection.commit()
    with pytest.raises(HistoryError, match="the bundle of release 1 is neither at"):
        history.recover()
    (folder / "x").mkdir(parents=True)
    waiting = waiting_place(folder, "m")
    waiting.mkdir()
    with history._database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE unlinkable_release SET waiting = '{waiting}'")
        connection.commit()
    with pytest.raises(HistoryError, match="is taken by something else"):
        history.recover()


# What a stranger gives, or finds.


def test_what_was_promised_is_known_the_next_time(address: str) -> None:
    publish(History(address))
    (edition,) = History(address).series().editions
    assert edition.target.promises == (ul.KAnonymity(2),)


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


def test_a_number_is_the_same_person_in_whatever_column(address: str) -> None:
    def table(pid: list[object]) -> ul.Table:
        shown = people(0, 6).frame.with_columns(pl.Series("pid", pid))
        return ul.as_table(shown, identifiers="pid", quasi=["age", "job"], sensitive="ill")

    history = History(address)
    columns: list[list[object]] = [[*range(6)], [float(i) for i in range(6)], [*"012345"]]
    found = [history.publish(table(c), policy=Growing(), privacy=PROMISE) for c in columns]
    assert [one.line.new_people for one in found] == [6, 0, 0]


def test_who_was_left_out_is_not_counted_as_published(tmp_path: Path) -> None:
    def table(ids: range) -> ul.Table:
        ill = ["hiv" if i % 10 == 0 else "flu" for i in ids]
        columns = {"pid": [*ids], "age": [20 + i % 7 for i in ids], "ill": ill}
        return ul.as_table(columns, identifiers="pid", quasi="age", sensitive="ill")

    history, policy = History(tmp_path / "h.db"), ul.HDComposition(4, permanent="hiv")
    for ids in (range(40), range(2, 44, 2)):
        history.publish(table(ids), policy=policy, suppression="0.9")
    first, second = (e.people for e in history.series().editions)
    assert first is not None
    assert second is not None
    lines = history.releases()
    assert lines[1].suppressed > 0
    new = {*second[second >= 0].tolist()} - {*first.tolist()}
    assert [line.new_people for line in lines] == [40, len(new)]


def test_what_is_shown_of_a_release_names_nobody(tmp_path: Path) -> None:
    history, promise = History(tmp_path / "h.db"), ul.KCAnonymity(2, 1)
    for n, method in ((8, None), (16, None), (24, "optimal"), (32, "incognito")):
        found = history.publish(people(0, n), privacy=promise, method=method)
        for shown in (repr(found), repr(found.release.method)):
            assert "p3" not in shown
            assert len(shown) < 1000


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"table": {"age": [1]}}, "must be a table with roles, got dict: make one by as_table"),
        ({"privacy": "k-anonymity(k=2)"}, "privacy must be models, like KCAnonymity"),
        ({"privacy": [ul.KAnonymity]}, "privacy must be models, like KCAnonymity"),
        ({"policy": Growing}, "policy must be one, like MInvariance"),
    ],
)
def test_what_is_of_another_kind_is_refused(
    tmp_path: Path, given: dict[str, Any], message: str
) -> None:
    asked = {"table": people(0, 4), "policy": Growing(), "privacy": PROMISE, **given}
    with pytest.raises(ParameterError, match=message):
        History(tmp_path / "h.db").publish(**asked)


@pytest.mark.parametrize("key", [b"short", "a" * 32, b"a" * 32])
def test_a_key_that_can_be_guessed_is_refused(tmp_path: Path, key: Any) -> None:
    with pytest.raises(ParameterError, match="a key"):
        History(tmp_path / "h.db", key=key)


def test_a_folder_is_no_history(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="is a folder, and a history is a file"):
        History(tmp_path)


def test_a_series_that_had_to_be_merged_is_told_and_goes_on_so(tmp_path: Path) -> None:
    """What the search finds for six of them gives somebody away to who goes through all worlds."""
    ages, ills = [20, 23, 23, 27, 20, 27, 21, 25], list("zxyzzxxy")
    history = History(tmp_path / "history.db")
    found = []
    for n in (4, 6, 8):
        people = {"pid": [f"p{i}" for i in range(n)], "age": ages[:n], "ill": ills[:n]}
        table = ul.as_table(people, identifiers="pid", quasi="age", sensitive="ill")
        found.append(history.publish(table, privacy=ul.KCAnonymity(2, "1/2"), seed=0))
    assert [[o.attack.name for o in one.refused] for one in found] == [[], ["critical-absence"], []]
    assert found[1].to_json()["refused"] == [found[1].refused[0].to_json()]
    shown = [sorted(map(str, one.release.applied.frame["age"])) for one in found]
    assert all(not Counter(old) - Counter(new) for old, new in pairwise(shown))
    assert not history.attack_all().succeeded


def test_the_report_of_a_series_says_that_it_is_one(tmp_path: Path) -> None:
    known = {"pid": list("abcd"), "age": [1, 2, 3, 4], "ill": ["flu", "hiv", "flu", "hiv"]}
    table = ul.as_table(known, identifiers="pid", quasi="age", sensitive="ill")
    made = History(tmp_path / "h.db").publish(table, policy="m-invariance(m=2)")
    said = made.release.report().to_markdown()
    assert "It is one of a series by m-invariance" in said
    assert "**What it does:** Keep the values that everybody's group hides" in said
    assert "was not judged" not in said


def test_bundles_of_another_history_are_seen(tmp_path: Path) -> None:
    """A mistyped address would begin a history that knows nothing of what is out."""
    asked = {"policy": Growing(), "privacy": PROMISE, "out": tmp_path / "out"}
    History(tmp_path / "history.db").publish(people(0, 12), **asked)  # type: ignore[arg-type]
    mistyped = History(tmp_path / "histroy.db")
    for dry_run in (True, False):
        with pytest.raises(BundleError, match="001 was published with another history"):
            mistyped.publish(people(0, 12), dry_run=dry_run, **asked)  # type: ignore[arg-type]
    assert not len(mistyped)
