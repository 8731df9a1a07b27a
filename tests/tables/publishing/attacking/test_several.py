"""Several releases: bundles and tables as a series, and all attacks on it."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import unlinkable as ul
from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.registry.lookup import entries
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.publishing import open_bundle
from unlinkable.tables.publishing.attacking.attack_arguments import (
    made_attack,
    made_series_attack,
    takes,
)
from unlinkable.tables.publishing.attacking.several import (
    attack_series_all,
    series_attacks,
    series_of,
)

FIRST = {
    "pid": ["tom", "mike", "bob", "eve"],
    "age": ["[20-30)", "[20-30)", "[50-60)", "[50-60)"],
    "ill": ["asthma", "flu", "alzheimer", "diabetes"],
}
THEN = {
    "pid": ["eve", "alice", "tom", "mike", "bob"],
    "age": ["[50-60)", "[20-30)", "[20-30)", "[20-30)", "[50-60)"],
    "ill": ["diabetes", "cancer", "asthma", "flu", "alzheimer"],
}


def table(people: dict[str, list[str]]) -> ul.Table:
    return ul.as_table(people, identifiers="pid", quasi="age", sensitive="ill")


def test_tables_become_a_series_of_the_same_people() -> None:
    series = series_of([("one", table(FIRST)), ("two", table(THEN))])
    first, second = (edition.people for edition in series.editions)
    assert first is not None
    assert second is not None
    assert [series.called(p)["person"] for p in first] == FIRST["pid"]
    assert [series.called(p)["person"] for p in second] == THEN["pid"]
    assert [edition.name for edition in series.editions] == ["one", "two"]


def test_without_a_column_that_names_people_nobody_knows_whose_records_are() -> None:
    nameless = ul.as_table(
        {k: v for k, v in THEN.items() if k != "pid"}, quasi="age", sensitive="ill"
    )
    assert not series_of([("one", table(FIRST)), ("two", nameless)]).knows_people


def test_a_person_column_must_be_there() -> None:
    with pytest.raises(SchemaError, match="no column 'pit'"):
        series_of([("one", table(FIRST))], person="pit")


def test_bundles_know_whose_records_are_by_their_private_half(tmp_path: Path) -> None:
    for i, people in enumerate((FIRST, THEN)):
        raw = {**people, "age": [21, 23, 52, 57, 58][: len(people["pid"])]}
        pl.DataFrame(raw).write_csv(tmp_path / f"{i}.csv")
        read = ul.read(tmp_path / f"{i}.csv", identifiers="pid", quasi="age", sensitive="ill")
        ul.anonymize(read, privacy=ul.KAnonymity(2)).save(tmp_path / f"{i}")
    bundles = [(f"{i}", open_bundle(tmp_path / f"{i}")) for i in range(2)]
    series = series_of(bundles, person="pid")
    second = series.editions[1].people
    assert second is not None
    assert [series.called(p)["person"] for p in second] == THEN["pid"]
    public = [(f"{i}", open_bundle(tmp_path / f"{i}" / "public")) for i in range(2)]
    assert not series_of(public).knows_people


def test_all_attacks_are_tried_and_the_strongest_comes_first() -> None:
    found = attack_series_all(series_of([("one", table(FIRST)), ("two", table(THEN))]), k=2)
    tried = {outcome.attack.name for outcome in found.outcomes}
    skipped = {skipped.attack.name for skipped in found.skipped}
    assert tried | skipped == set(series_attacks())
    assert [o.highest for o in found.outcomes if o.succeeded] == sorted(
        (o.highest for o in found.outcomes if o.succeeded), reverse=True
    )
    # Alice is all that is new.
    difference = next(o for o in found.outcomes if o.attack.name == "difference")
    assert (difference.highest, difference.n_fallen) == (1, 1)
    assert difference.victims[0].who == {"person": "alice"}


def test_every_attack_is_about_one_release_or_about_several() -> None:
    for entry in entries("attack"):
        assert issubclass(entry.make, Attack) != issubclass(entry.make, SeriesAttack)


def test_an_attack_is_not_tried_on_what_it_is_not_about() -> None:
    with pytest.raises(UnsupportedError, match="difference compares releases: give two or more"):
        made_attack("difference", {}, None)
    with pytest.raises(UnsupportedError, match="record-linkage attacks one release"):
        made_series_attack("record-linkage", {}, None)
    with pytest.raises(UnsupportedError, match="difference compares releases"):
        made_series_attack("difference", {}, None).run(series_of([("one", table(FIRST))]))


def test_parameters_are_known_by_name() -> None:
    assert takes("difference", "k")
    assert not takes("intersection", "nothing")
