"""Histories: what is on record was published, what was published is on record."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import unlinkable as ul
from tests.tables.series.toys import PROMISE, Growing, people, publish
from unlinkable.errors import ChannelError, InfeasibleError
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.series.history import History
from unlinkable.tables.series.policy import Past, Request


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


def test_what_was_promised_is_known_the_next_time(address: str) -> None:
    publish(History(address))
    (edition,) = History(address).series().editions
    assert edition.target.promises == (ul.KAnonymity(2),)


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
    assert address.startswith("postgres") or not Path(address).exists()


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


def test_a_series_that_had_to_be_merged_is_told_and_goes_on_so(tmp_path: Path) -> None:
    """What the search finds for eight of them exposes somebody to correspondence."""
    ages, ills = [22, 20, 21, 21, 26, 21, 25, 21, 24, 24], list("zwyzyxxyyx")
    history = History(tmp_path / "history.db")
    found = []
    for n in (4, 8, 10):
        people = {"pid": [f"p{i}" for i in range(n)], "age": ages[:n], "ill": ills[:n]}
        table = ul.as_table(people, identifiers="pid", quasi="age", sensitive="ill")
        found.append(history.publish(table, privacy=ul.KCAnonymity(2, "1/2"), seed=0))
    assert [[o.attack.name for o in one.refused] for one in found] == [[], ["correspondence"], []]
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
