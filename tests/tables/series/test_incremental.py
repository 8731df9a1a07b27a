"""Incremental publishing: the paper's patients, drawn series, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.series.growing import Growing, growing, publish_all
from tests.tables.series.worst_adversary import (
    by_difference,
    by_intersection,
    by_tracing,
    published,
)
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods import Datafly, Incognito, Mondrian, Optimal
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models import KAnonymity, KCAnonymity, TCloseness
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.incremental.strategy import Strategy
from unlinkable.tables.series.next_release import Next, Terms, next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.taxonomies.builders import Tree

METHODS = {"mondrian": Mondrian(), "incognito": Incognito(), "optimal": Optimal()}


def everybody_found(past: Past, grown: Growing) -> set[int]:
    """Let the worst adversary try all he can on what was published."""
    found: set[int] = set()
    for column in grown.hidden:
        releases = [published(edition, column) for edition in past.editions]
        found |= by_difference(releases, grown.k, grown.c)
        found |= by_intersection(releases, grown.c)
        found |= by_tracing(releases, grown.k, grown.c)
    return found


PAPER = load("byun-ex1-difference-attack")["input"]
NAMES = PAPER["row_owner_t2"]
PROMISE = KCAnonymity(2, "1/2", sensitive="Diagnosis")


def patients(which: str) -> Table:
    given = PAPER[f"patients_{which}"]
    frame = pl.DataFrame(given["rows"], schema=given["columns"], orient="row").drop("NAME")
    return as_table(
        frame,
        quasi=["AGE", "Gender"],
        sensitive="Diagnosis",
        taxonomies={"Gender": Tree({"Person": ["Male", "Female"]})},
    )


def people(which: str) -> np.ndarray[Any, Any]:
    return np.array([NAMES.index(row[0]) for row in PAPER[f"patients_{which}"]["rows"]])


def figure(which: str) -> Edition:
    """Give a release as the paper shows it; its intervals include both ends."""
    given = PAPER[f"released_{which}"]
    frame = pl.DataFrame(given["rows"], schema=given["columns"], orient="row")
    ends = [text.strip("[]").split(" - ") for text in frame["AGE"]]
    texts = [f"[{low}-{int(high) + 1})" for low, high in ends]
    frame = frame.with_columns(pl.Series("AGE", texts))
    table = patients("t2")
    taxonomies = {name: table.taxonomy(name) for name in table.schema.quasi}
    owners = np.array([NAMES.index(name) for name in PAPER[f"row_owner_{which}"]])
    return Edition(Target(frame, ("AGE", "Gender"), ("Diagnosis",), taxonomies), owners, which)


def test_the_releases_of_figures_2_and_4_give_three_people_away() -> None:
    releases = [published(figure(which), "Diagnosis") for which in ("t1", "t2")]
    half = Fraction(1, 2)
    assert NAMES.index("Alice") in by_difference(releases, 2, half)
    assert {NAMES[i] for i in by_intersection(releases, half)} == {"Bob", "Eve"}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize("strategy", ["checked", "merge"])
def test_after_figure_2_nobody_is_given_away(strategy: str, method: Method) -> None:
    request = Request(patients("t2"), people("t2"), (PROMISE,), method)
    found = next_release(Incremental(strategy), request, Past((figure("t1"),), {}, 7))
    releases = [published(e, "Diagnosis") for e in (figure("t1"), found.edition)]
    half = Fraction(1, 2)
    assert not by_difference(releases, 2, half) | by_intersection(releases, half)
    assert not by_tracing(releases, 2, half)
    tried = [outcome.attack.name for outcome in found.outcomes]
    assert tried in (list(Incremental.guards), list(Incremental.guards[:-1]))
    assert not any(outcome.n_fallen for outcome in found.outcomes)


def test_static_publishing_gives_people_away_after_figure_2() -> None:
    request = Request(patients("t2"), people("t2"), (PROMISE,))
    found = next_release(Incremental("static"), request, Past((figure("t1"),), {}, 7))
    releases = [published(e, "Diagnosis") for e in (figure("t1"), found.edition)]
    half = Fraction(1, 2)
    assert by_difference(releases, 2, half) | by_intersection(releases, half)
    assert found.outcomes == ()


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@given(grown=growing())
def test_nobody_is_given_away_whenever_a_release_is_published(
    method: Method, grown: Growing
) -> None:
    for _, _, past in publish_all(Incremental(), grown, method):
        assert not everybody_found(past, grown)


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@given(grown=growing())
def test_merging_gives_nobody_away(method: Method, grown: Growing) -> None:
    for _, _, past in publish_all(Incremental("merge"), grown, method):
        assert not everybody_found(past, grown)


@pytest.mark.parametrize("strategy", ["checked", "merge"])
@given(grown=growing(n_columns=2, n_people=9, missing=True))
def test_nor_with_several_sensitive_columns_and_missing_values(
    strategy: str, grown: Growing
) -> None:
    with suppress(UnsupportedError):
        for _, _, past in publish_all(Incremental(strategy), grown):
            assert not everybody_found(past, grown)


@given(grown=growing(), data=st.data())
def test_nor_when_people_who_were_left_out_come_later(grown: Growing, data: st.DataObject) -> None:
    """The first release may suppress; who was left out is a newcomer to the next."""
    past = Past()
    for n in grown.ends:
        request = evolve(grown.request(n, Optimal()), suppression=Fraction(1, 3))
        try:
            found = next_release(Incremental(), request, past, Terms(seed=0))
        except InfeasibleError:
            continue
        past = Past((*past.editions, found.edition), found.memory, n)
        assert not everybody_found(past, grown)


@given(grown=growing())
def test_the_first_release_is_that_of_the_method(grown: Growing) -> None:
    for n, found, _ in list(publish_all(Incremental(), grown))[:1]:
        static = next_release(Incremental("static"), grown.request(n), Past(), Terms(seed=0))
        shown = [sorted(published(one.edition, "s0")) for one in (found, static)]
        assert shown[0] == shown[1]


@given(grown=growing())
def test_what_was_published_stays_when_newcomers_are_merged(grown: Growing) -> None:
    before: dict[int, Any] = {}
    for _, found, _ in publish_all(Incremental("merge"), grown):
        shown = {person: group for person, group, _ in published(found.edition, "s0")}
        assert before.items() <= shown.items()
        before = shown


def ward(ages: list[int], ill: str, **more: Any) -> Table:
    return as_table({"age": ages, "ill": list(ill)}, quasi="age", sensitive="ill", **more)


def after(first: Table, then: Table, whose: list[int] | None = None, **options: Any) -> Next:
    """Publish one table and then another."""
    policy = options.pop("policy", Incremental())
    promise = options.pop("promise", KCAnonymity(2, "1/2", sensitive="ill"))
    now = options.pop("now", promise)
    start = Request(first, np.arange(len(first)), (promise,))
    one = next_release(policy, start, Past(), Terms(seed=0))
    numbers = np.arange(len(then)) if whose is None else np.array(whose)
    past = Past((one.edition,), one.memory, len(first))
    return next_release(policy, Request(then, numbers, (now,), **options), past, Terms(seed=0))


FIRST = ward([21, 23, 52, 57], "abcd")


def test_values_and_ranges_that_nobody_had_before_are_published() -> None:
    found = after(FIRST, ward([21, 23, 52, 57, 90, 91, 5, 6], "abcdxyzw"))
    assert sorted(found.edition.target.frame["age"].unique()) == [
        "[21-24)", "[5-7)", "[52-58)", "[90-92)",
    ]  # fmt: skip


def test_newcomers_who_show_the_same_join_a_group_when_they_are_merged() -> None:
    first = ward([21, 23, 52, 57], "abcd")
    found = after(first, ward([21, 23, 52, 57, 21, 23], "abcdba"), policy=Incremental("merge"))
    groups = found.edition.target.counted().finest
    assert sorted(groups.sizes.tolist()) == [2, 4]
    assert all(not outcome.n_fallen for outcome in found.outcomes)


def test_nobody_new_is_no_reason_to_wait() -> None:
    for strategy in Strategy:
        found = after(FIRST, FIRST, policy=Incremental(strategy))
        assert len(found.edition.target) == 4


def test_static_releases_cannot_follow_checked_ones() -> None:
    request = Request(FIRST, np.arange(4), (KCAnonymity(2, "1/2", sensitive="ill"),))
    one = next_release(Incremental(), request, Past())
    with pytest.raises(UnsupportedError, match="guards against nothing, and the people of earlier"):
        next_release(Incremental("static"), request, Past((one.edition,), one.memory, 4))


def test_the_release_is_called_by_the_policy() -> None:
    found = after(FIRST, ward([21, 23, 52, 57, 25, 26], "abcdab"))
    assert str(found.release.method) == "incremental"
    found = after(FIRST, FIRST, policy=Incremental("merge"))
    assert str(found.release.method) == 'incremental(strategy="merge")'


@pytest.mark.parametrize(
    ("then", "options", "message"),
    [
        (ward([21, 23, 52, 57, 30], "abcde"), {}, "1 person of this table, and no more, was not"),
        (
            ward([21, 23, 52, 57, 30, 31, 32], "abcdeef"),
            {},
            "of the 3 people .* 2 share one value of 'ill'",
        ),
        (
            ward([21, 23, 52, 57, 30], "abcde"),
            {"policy": Incremental("merge")},
            "Nothing can be published until at least 1 more",
        ),
    ],
    ids=["too few", "too alike", "merge"],
)
def test_newcomers_who_would_be_given_away_must_wait(
    then: Table, options: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(InfeasibleError, match=message):
        after(FIRST, then, **options)


@pytest.mark.parametrize(
    ("then", "options", "message"),
    [
        (ward([21, 23, 52, 60, 61], "abcef"), {"whose": [0, 1, 2, 4, 5]}, "1 person of release 1"),
        (ward([21, 60, 61], "aef"), {"whose": [0, 4, 5]}, "3 people .* are not in the table any"),
        (ward([21, 23, 52, 57, 1, 2], "abczde"), {}, "1 person .* another value of 'ill' now"),
        (ward([21, 90, 52, 57, 1, 2], "abcdef"), {}, "1 person .* another value of 'age' now"),
        (ward([21, 23, 52, 57, 1], "abcde"), {"whose": [0, 1, 2, 3, 3]}, "1 person has several"),
        (
            as_table(
                {"age": [21, 23], "ill": ["a", "b"], "who": [1, 2]},
                quasi="age", sensitive="ill", owner="who",
            ),
            {},
            "by column 'who' somebody may have several",
        ),
        (FIRST, {"method": Datafly()}, "cannot use datafly: it knows how to check mondrian"),
        (FIRST, {"now": TCloseness("1/5", sensitive="ill")}, "cannot hold several releases to t-"),
        (
            FIRST,
            {"now": KCAnonymity(3, "1/2", sensitive="ill")},
            "earlier releases promised at least 2 people, and shares of 'ill' of at most 0.5",
        ),
        (FIRST, {"now": KAnonymity(2)}, "and now 2 people and shares of 1 are asked for"),
        (
            FIRST,
            {"now": KCAnonymity(2, "1/3", sensitive="ill")},
            "All releases of a series are held",
        ),
    ],
    ids=[
        "one gone", "several gone", "other value", "other region", "twice", "owner", "method",
        "model", "more people", "no share", "smaller share",
    ],
)  # fmt: skip
def test_refuses_what_is_not_growth(then: Table, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        after(FIRST, then, **options)


def test_refuses_other_columns() -> None:
    data = {"age": [21, 23, 52, 57], "job": list("xxyy"), "ill": list("abcd")}
    more = as_table(data, quasi=["age", "job"], sensitive="ill")
    with pytest.raises(SchemaError, match="adds records, not columns; for new columns use"):
        after(FIRST, more)
    both = as_table(data, quasi="age", sensitive=["job", "ill"])
    with pytest.raises(SchemaError, match="sensitive columns of release 1 are ill, and those of"):
        after(FIRST, both)


def test_refuses_releases_of_which_nobody_can_say_whose_they_are() -> None:
    past = Past((evolve(figure("t1"), people=None),), {}, 7)
    request = Request(patients("t2"), people("t2"), (PROMISE,))
    with pytest.raises(UnsupportedError, match="nobody can say whose the records of t1 are"):
        next_release(Incremental(), request, past)


def test_refuses_buckets() -> None:
    one = figure("t1")
    frame = one.target.frame.with_columns(pl.Series("group", [1, 1, 2, 2]))
    past = Past((evolve(one, target=evolve(one.target, frame=frame, bucket="group")),), {}, 7)
    request = Request(patients("t2"), people("t2"), (PROMISE,))
    with pytest.raises(UnsupportedError, match="t1 has buckets: go on with the policy that made"):
        next_release(Incremental(), request, past)


def test_refuses_tables_without_anything_sensitive() -> None:
    table = as_table({"age": [1, 2]}, quasi="age")
    with pytest.raises(SchemaError, match="no column is sensitive: say which column nobody may"):
        next_release(Incremental(), Request(table, np.arange(2), (KAnonymity(2),)), Past())


def test_refuses_strategies_that_there_are_not() -> None:
    with pytest.raises(ParameterError, match="strategy must be one of 'checked', 'merge', 'stat"):
        Incremental("hopeful")
