"""Views for different recipients, judged as if they shared everything."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from tests.cases import load
from tests.tables.attacks.series.shared.views.view_worlds import (
    DOMAINS,
    ViewCase,
    following,
    view_cases,
)
from unlinkable.errors import (
    ChannelError,
    InfeasibleError,
    ParameterError,
    SchemaError,
    UnsupportedError,
)
from unlinkable.tables.attacks.base.attack import Outcome
from unlinkable.tables.attacks.series.view_join import ViewJoin
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods import PRAM, Mondrian
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.series import History
from unlinkable.tables.series.next_release import Next, next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.series.views.multiple_views import MultipleViews
from unlinkable.tables.taxonomies.builders import Tree

CASE = load("book-ch08-ex8.2-8.3-selection-views")["input"]
ROWS = [dict(zip(CASE["T"]["columns"], row, strict=True)) for row in CASE["T"]["rows"]]
PEOPLE = as_table(pl.DataFrame(ROWS), quasi=["Name", "Job", "Age"], sensitive="Disease")


def publish(policies: list[MultipleViews], table: Table = PEOPLE) -> list[Next]:
    """Publish one view after the other, until one is refused."""
    request, made = Request(table, np.arange(len(table))), list[Next]()
    for policy in policies:
        past = Past(tuple(one.edition for one in made), made[-1].memory if made else {}, len(table))
        made.append(next_release(policy, request, past))
    return made


def view(**more: Any) -> MultipleViews:
    return MultipleViews(identity="Name", **more)


def test_a_view_has_the_different_rows_of_its_columns() -> None:
    (made,) = publish([view(columns=["Job"])])
    frame = made.edition.target.frame
    assert sorted(frame["Job"].to_list()) == ["Cook", "Lawyer"]
    assert made.release.masked.told == {"columns": "Job", "selection": ""}  # type: ignore[attr-defined]
    assert str(made.release.method).startswith("multiple-views(columns=")


def test_the_views_of_the_book_are_published_but_for_the_last() -> None:
    given = CASE["views"]
    views = [view(columns=v["project"], selection=v["select"], one_record=True) for v in given]
    made = publish(views[:2])
    for one, told in zip(made, given, strict=False):
        assert sorted(one.edition.target.frame.rows()) == sorted(map(tuple, told["rows"]))
    with pytest.raises(ChannelError, match="It takes release 1 and release 2 and release 3") as no:
        publish(views)
    (outcome,) = no.value.outcomes
    assert isinstance(outcome, Outcome)
    victim = outcome.victims[0]
    assert (victim.who, victim.learned) == ({"Name": "Bob"}, {"Disease": "Diabetes"})


def test_without_one_record_for_each_name_they_all_are() -> None:
    views = [view(columns=v["project"], selection=v["select"]) for v in CASE["views"]]
    made = publish(views)
    assert [str(o.attack.name) for o in made[-1].outcomes] == ["view-join"]


def test_a_dependency_decides() -> None:
    case = load("book-ch08-ex8.4-functional-dependency")["input"]
    table = as_table(
        pl.DataFrame(case["R"]["rows"], schema=case["R"]["columns"], orient="row"),
        quasi=["Name", "Doctor"],
        sensitive="Disease",
    )
    columns = [case[name]["columns"] for name in ("V6", "V7")]
    assert len(publish([view(columns=c) for c in columns], table)) == 2
    with pytest.raises(ChannelError, match="view-join finds 3 of 3: 3 of 3 people fall"):
        publish([view(columns=c, dependencies=["Name -> Disease"]) for c in columns], table)


def test_a_first_view_that_tells_too_much_is_refused() -> None:
    with pytest.raises(InfeasibleError, match="this view alone leaves 3 of 3 people with fewer"):
        publish([view(columns=["Name", "Disease"])])


def test_whom_a_selection_by_the_sensitive_column_shows_is_found() -> None:
    with pytest.raises(InfeasibleError, match="this view alone leaves"):
        publish([view(columns=["Name"], selection="Disease = HIV")])
    with pytest.raises(ChannelError, match="view-join finds"):
        publish([view(columns=["Name"]), view(columns=["Name"], selection="Disease = HIV")])


def test_views_that_say_nothing_of_the_sensitive_column_are_published() -> None:
    made = publish([view(columns=["Name", "Job"]), view(columns=["Name", "Age"])])
    assert made[-1].outcomes == ()


def test_a_generalized_view_tells_numbers() -> None:
    small = as_table(
        pl.DataFrame({"job": ["cook", "cook", "clerk", "clerk"], "ill": ["flu", "hiv"] * 2}),
        quasi="job",
        sensitive="ill",
        taxonomies={"job": Tree({"any": ["cook", "clerk"]})},
    )
    request = Request(small, np.arange(4), (KAnonymity(2),), Mondrian())
    first = next_release(MultipleViews(), request, Past())
    past = Past((first.edition,), first.memory, 4)
    second = next_release(MultipleViews(), request, past)
    assert isinstance(second.outcomes[0].attack, ViewJoin)
    assert second.outcomes[0].attack.counted == (True, True)
    assert second.outcomes[0].n_fallen == 0


@given(view_cases(counted=False, one_record=True))
def test_after_every_view_everybody_is_left_with_two_values(case: ViewCase) -> None:
    """A series of random views: by all tables that have those that were published."""
    attributes = list(case.attributes)
    table = as_table(
        pl.DataFrame(list(case.table), schema=attributes),
        quasi=[n for n in attributes if n != "ill"],
        sensitive="ill",
        taxonomies={n: Tree({"any": list(DOMAINS[n])}) for n in attributes if n != "age"},
    )
    request, past, kept = Request(table, np.arange(len(table))), Past(), list[int]()
    for i, asked in enumerate(case.views):
        policy = MultipleViews(
            identity="name", columns=asked.columns, selection=asked.selection, one_record=True
        )
        try:
            made = next_release(policy, request, past)
        except (ChannelError, InfeasibleError):
            continue
        kept.append(i)
        past = Past((*past.editions, made.edition), made.memory, len(table))
    views = tuple(case.views[i] for i in kept)
    left = ViewCase(case.attributes, case.table, views, (), one_record=True)
    shown = {n for v in left.told() for n in (*v.frame.columns, *v.selection.columns)}
    if {"name", "ill"} <= shown:
        names = {
            n for v in left.told() if "name" in v.frame.columns for n in v.frame["name"].to_list()
        }
        told = following(left, lambda r: r["name"] if r["name"] in names else "?", "ill")
        assert all(len(one.values) >= 2 for one in told.values())


class TestRefusals:
    """What the policy cannot publish."""

    def test_parameters(self) -> None:
        with pytest.raises(ParameterError, match="say who has one record"):
            MultipleViews(one_record=True)
        with pytest.raises(ParameterError, match="write comparisons"):
            MultipleViews(selection="old")
        with pytest.raises(ParameterError, match="is no dependency"):
            MultipleViews(dependencies="name")
        with pytest.raises(ParameterError, match="k must be at least 2"):
            MultipleViews(k=1)

    def test_columns(self) -> None:
        with pytest.raises(SchemaError, match="no column 'Pay'"):
            publish([view(columns=["Pay"])])
        with pytest.raises(SchemaError, match="no column 'Pay'"):
            publish([view(sensitive="Pay")])
        with pytest.raises(SchemaError, match="no column 'Pay'"):
            publish([view(columns=["Job"], selection="Pay > 3")])
        two = as_table({"a": ["x"], "b": ["y"], "c": ["z"]}, quasi="a", sensitive=["b", "c"])
        with pytest.raises(SchemaError, match="guards one column, and 2 are sensitive"):
            publish([MultipleViews()], two)

    def test_a_selection_of_nobody(self) -> None:
        with pytest.raises(InfeasibleError, match="no record meets 'Age > 99'"):
            publish([view(columns=["Job"], selection="Age > 99")])

    def test_promises_of_rows_as_they_are(self) -> None:
        request = Request(PEOPLE, np.arange(3), (KAnonymity(2),))
        with pytest.raises(UnsupportedError, match="name a method that keeps the promise"):
            next_release(view(columns=["Job"]), request, Past())

    def test_methods_that_do_not_fit(self) -> None:
        request = Request(PEOPLE, np.arange(3), (KAnonymity(2),), Mondrian())
        with pytest.raises(UnsupportedError, match="give it one of the columns of the view alone"):
            next_release(view(columns=["Job"]), request, Past())
        with pytest.raises(UnsupportedError, match="give it the records that meet 'Age > 45'"):
            next_release(view(selection="Age > 45"), request, Past())
        other = Request(PEOPLE, np.arange(3), (), PRAM())
        with pytest.raises(UnsupportedError, match="does something else"):
            next_release(view(), other, Past())


def test_what_was_said_of_earlier_views_is_not_forgotten() -> None:
    """The last view is published by somebody who asks for less, and is attacked as before."""
    given = CASE["views"]
    strict = view(columns=["Name"], one_record=True, dependencies=["Name -> Age"], k=3)
    made = publish([strict, view(columns=["Age"])])
    past = Past(tuple(one.edition for one in made), made[-1].memory, 3)
    request = Request(PEOPLE, np.arange(3))
    lax = MultipleViews(columns=["Job"], sensitive="Job")
    attack = ViewJoin(
        sensitive="Job", identity="Name", selections=[""] * 3, dependencies=["Name -> Age"],
        one_record=True, counted=[False] * 3, k=3, limit=Fraction(1, 3),
    )  # fmt: skip
    assert lax.adversaries(request, past) == (attack,)
    views = [view(columns=v["project"], selection=v["select"]) for v in given]
    first = view(columns=given[0]["project"], selection=given[0]["select"], one_record=True)
    with pytest.raises(ChannelError, match="view-join finds"):
        publish([first, *views[1:]])


def test_a_column_that_was_guarded_still_is() -> None:
    two = as_table(
        {"name": ["a", "b", "c"], "ill": ["x", "y", "y"], "pay": ["p", "q", "q"]},
        quasi="name",
        sensitive=["ill", "pay"],
    )

    def shown(columns: list[str], about: str) -> MultipleViews:
        return MultipleViews(columns=columns, sensitive=about, identity="name")

    made = publish([shown(["name"], "ill"), shown(["ill", "pay"], "pay")], two)
    assert [o.attack.sensitive for o in made[-1].outcomes] == ["pay", "ill"]  # type: ignore[attr-defined]


def test_its_attack_has_its_limits() -> None:
    policy = view(k=3, dependencies=["Name -> Age"], sensitive="Disease")
    (attack,) = policy.adversaries(Request(PEOPLE, np.arange(3)), Past())
    assert attack == ViewJoin(
        sensitive="Disease", identity="Name", selections=[""], dependencies=["Name -> Age"],
        counted=[False], k=3, limit=Fraction(1, 3),
    )  # fmt: skip


def test_whoever_knows_who_is_in_which_group_of_generalized_views_is_no_surer() -> None:
    """Each view leaves two values to everybody, and so does their join; most worlds do not."""
    six = {"sex": [*"mmmfmf"], "born": [*"UFUUUF"], "ill": [*"zzyzxx"]}
    past = Past()

    def publish(shown: str) -> Next:
        table = as_table({n: six[n] for n in (shown, "ill")}, quasi=shown, sensitive="ill")
        request = Request(table, np.arange(6), (KAnonymity(2),), Mondrian())
        return next_release(MultipleViews(), request, past)

    made = publish("sex")
    past = Past((made.edition,), made.memory, 6)
    with pytest.raises(ChannelError, match=r"critical-absence finds 3 of 6.*up to 0\.667") as told:
        publish("born")
    assert [o.attack.name for o in told.value.outcomes] == ["critical-absence"]  # type: ignore[attr-defined]


def test_a_history_takes_names_that_a_view_tells_on_purpose_or_not_at_all(tmp_path: Path) -> None:
    history = History(tmp_path / "views.db")
    for columns, identity in ((["Name"], "Name"), (["Job", "Disease"], None)):
        view_of = MultipleViews(columns=columns, identity=identity)
        history.publish(PEOPLE, policy=view_of, person="Name")
    with pytest.raises(SchemaError, match="'Name' looks like names"):
        history.publish(PEOPLE, policy=MultipleViews(), person="Name")
