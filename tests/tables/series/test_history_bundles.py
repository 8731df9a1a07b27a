"""Bundles of a history: their numbers and places, also after something was stopped."""

from __future__ import annotations

import signal
from pathlib import Path

import polars as pl
import pytest

import unlinkable as ul
from tests.tables.series.toys import PROMISE, Growing, people, publish
from unlinkable.errors import BundleError, HistoryError
from unlinkable.release.history.bundle_places import waiting_place
from unlinkable.release.history.ledger import Ledger
from unlinkable.tables.publishing import open_bundle, verify
from unlinkable.tables.series.history import History


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


def test_bundles_of_another_history_are_seen(tmp_path: Path) -> None:
    """A mistyped address would begin a history that knows nothing of what is out."""
    asked = {"policy": Growing(), "privacy": PROMISE, "out": tmp_path / "out"}
    History(tmp_path / "history.db").publish(people(0, 12), **asked)  # type: ignore[arg-type]
    mistyped = History(tmp_path / "histroy.db")
    for dry_run in (True, False):
        with pytest.raises(BundleError, match="001 was published with another history"):
            mistyped.publish(people(0, 12), dry_run=dry_run, **asked)  # type: ignore[arg-type]
    assert not len(mistyped)


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


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_waits_until_what_is_on_record_is_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = Ledger.commit

    def interrupted(ledger: Ledger) -> None:
        commit(ledger)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Ledger, "commit", interrupted)
    home = tmp_path / "releases"
    with pytest.raises(KeyboardInterrupt):
        publish(History(tmp_path / "history.db"), out=home)
    assert [path.name for path in home.iterdir()] == ["001"]
    assert verify(home / "001").holds


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
