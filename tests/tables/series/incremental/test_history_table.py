"""The history table, written down with every release and read before the next."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.series.growing import Growing, growing, publish_all
from unlinkable.errors import UnlinkableError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.difference import Difference
from unlinkable.tables.attacks.series.intersection import Intersection
from unlinkable.tables.attacks.series.record_tracing import RecordTracing
from unlinkable.tables.attacks.series.series import Edition
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.data.storage import frame_from_bytes, frame_to_bytes
from unlinkable.tables.methods import Incognito, Mondrian, Optimal
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.series.incremental.channels import Channels
from unlinkable.tables.series.incremental.growth import raw_series, require_growth
from unlinkable.tables.series.incremental.history_table import (
    HistoryTable,
    read_table,
    stored_table,
)
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.next_release import Next, Terms, next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.typing import CodeArray

METHODS = st.sampled_from([Mondrian(), Incognito(), Optimal()])


class _ReadError(Exception):
    """Somebody read what he must not."""


class _Sealed:
    """The published records of a release that nobody may read."""

    def __init__(self, height: int) -> None:
        self.height = height

    def __getattr__(self, name: str) -> object:
        raise _ReadError(name)

    def __getitem__(self, at: object) -> object:
        raise _ReadError(at)


def sealed(past: Past) -> Past:
    """Keep what was written down, as a database would; releases cannot be read any more."""
    editions = tuple(
        evolve(e, target=evolve(e.target, frame=_Sealed(len(e.target))))  # type: ignore[arg-type]
        for e in past.editions
    )
    memory = {name: frame_from_bytes(frame_to_bytes(f)) for name, f in past.memory.items()}
    return evolve(past, editions=editions, memory=memory)


def told(table: HistoryTable) -> list[object]:
    known, groups = table.inferences, table.groups
    return [
        (known.may_have(p), known.regions.of(p), {*groups.can_have(p)})
        for p in range(known.n_people)
    ] + [together(groups) for groups in groups.groups_of(np.arange(known.n_people))]


def together(groups: CodeArray) -> set[frozenset[int]]:
    """List who is together; the numbers of groups mean nothing."""
    return {frozenset(np.flatnonzero(groups == group).tolist()) for group in {*groups.tolist()}}


@given(grown=growing(n_columns=2, n_people=8))
def test_what_was_written_down_is_what_all_releases_tell(grown: Growing) -> None:
    for _, _, past in publish_all(Incremental(), grown):
        for column in grown.hidden:
            read, again = (
                read_table(sealed(past), column),
                read_table(evolve(past, memory={}), column),
            )
            assert read.inferences.n_releases == again.inferences.n_releases == len(past)
            assert told(read) == told(again)


@given(grown=growing(n_people=8))
def test_a_memory_that_lacks_something_is_not_relied_on(grown: Growing) -> None:
    before: Past | None = None
    for _, _, past in publish_all(Incremental(), grown):
        first_version = {n: f for n, f in past.memory.items() if "followed" not in n}
        for memory in (first_version, {} if before is None else before.memory):
            lacking = evolve(past, memory=memory)
            assert stored_table(lacking, "s0") is None
            assert told(read_table(lacking, "s0")) == told(read_table(past, "s0"))
        before = past


@given(grown=growing(), data=st.data())
def test_the_table_gives_the_verdicts_of_attacks_on_all_releases(
    grown: Growing, data: st.DataObject
) -> None:
    """For partitions that no method would make, too: of all of them the table must say the same."""
    *_, n = grown.ends
    earlier = Growing(**{**vars(grown), "ends": grown.ends[:-1]})
    for _, _, past in publish_all(Incremental(), earlier):
        channels = Channels(grown.request(n), sealed(past), {"s0": (grown.k, grown.c)})
        labels = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), np.int32)
        shown = [f"{label}" for label in labels]
        frame = pl.DataFrame({"age": shown, "job": shown, "s0": grown.hidden["s0"][:n]})
        new = Edition(Target(frame, ("age", "job"), ("s0",)), np.arange(n))
        for attack in attacks(grown.k, grown.c):
            falls = attack.run(past.followed_by(new)).n_fallen > 0
            assert channels.exposes(attack.name, labels) is falls


class Searched(Incremental):
    """Publishes what the search finds, without attacking it."""

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        return ()


def attacks(k: int, c: Fraction) -> tuple[SeriesAttack, ...]:
    return Intersection(limit=c), RecordTracing(k=k, limit=c), Difference(k=k, limit=c)


@given(grown=growing(), method=METHODS)
def test_a_search_reads_no_earlier_release(grown: Growing, method: Method) -> None:
    before: Past | None = None
    for n, found, past in publish_all(Searched(), grown, method):
        if before is not None:
            again = publish(grown.request(n, method), sealed(before), Searched())
            assert by_person(again.edition) == by_person(found.edition)
            same = evolve(past, memory=again.memory)
            assert told(read_table(sealed(same), "s0")) == told(read_table(past, "s0"))
        before = past


def test_attacks_after_a_search_read_all_releases_and_so_does_who_has_no_table() -> None:
    ages, jobs = [20, 21, 25, 26, 20, 25, 21, 26], ["cook"] * 8
    grown = Growing([*ages], jobs, {"s0": [*"abcddbca"]}, [4, 8], 2, Fraction(1, 2))
    (_, _, past), (n, _, _) = publish_all(Incremental(), grown)
    with pytest.raises(_ReadError):
        publish(grown.request(n), sealed(past))
    with pytest.raises(_ReadError):
        Incremental().method_for(grown.request(n), sealed(evolve(past, memory={})))
    Incremental().method_for(grown.request(n), sealed(past))


def publish(request: Request, past: Past, policy: Incremental | None = None) -> Next:
    return next_release(policy or Incremental(), request, past, Terms(seed=0))


def by_person(edition: Edition) -> list[object]:
    """List what is published; records are in an order of their own."""
    assert edition.people is not None
    return [edition.target.frame.row(i) for i in np.argsort(edition.people).tolist()]


@given(grown=growing(n_people=7), data=st.data())
def test_what_grew_is_told_from_the_table_as_from_all_releases(
    grown: Growing, data: st.DataObject
) -> None:
    """Somebody is made older, has another job or another value, or is gone."""
    *_, past = [Past(), *(past for _, _, past in publish_all(Incremental(), grown))]
    n = len(grown.ages)
    changed = Growing(
        [*grown.ages], [*grown.jobs], {"s0": [*grown.hidden["s0"]]}, [n], 1, Fraction(1)
    )
    who = data.draw(st.integers(0, n - 1))
    changed.ages[who] = data.draw(st.integers(20, 29))
    changed.jobs[who] = data.draw(st.sampled_from(["cook", "bard"]))
    changed.hidden["s0"][who] = data.draw(st.sampled_from([grown.hidden["s0"][who], "a"]))
    request = changed.request(n - data.draw(st.integers(0, 1)))
    said = []
    for known in (past, evolve(past, memory={})):
        try:
            require_growth(Incremental(), request, known, raw_series(request, known))
            said.append("grown")
        except UnlinkableError as error:
            said.append(str(error))
    assert said[0] == said[1]


def test_static_releases_remember_nothing() -> None:
    grown = Growing([20, 21], ["cook", "cook"], {"s0": ["a", "b"]}, [2], 1, Fraction(1))
    ((_, found, _),) = publish_all(Incremental("static"), grown)
    assert found.memory == {}
