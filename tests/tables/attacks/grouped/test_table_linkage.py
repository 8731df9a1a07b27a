"""Table linkage: who is in the table, and who is not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.tables import frame_of_case, target
from tests.witness import adversaries
from tests.witness.models import Row
from tests.witness.releases import RandomRelease, knowledge_of, releases, target_of
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks import TableLinkage
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.grouped.shared import presence
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Intervals

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(3, 4)])


def example() -> tuple[Target, AdversaryKnowledge]:
    case = load("book-ch02-ex2.8-table-linkage-delta-presence")["input"]
    told = target(frame_of_case(case["released"]), case["qid"], "Disease")
    return told, knowledge_of(population=frame_of_case(case["external_generalized"]))


def test_alice_is_in_the_table_with_80_percent_and_bob_with_75() -> None:
    expected = load("book-ch02-ex2.8-table-linkage-delta-presence")["expected"]
    outcome = TableLinkage().run(*example())
    found = {victim.who["Name"]: victim.confidence for victim in outcome.victims}
    assert found == pytest.approx({p["Name"]: p["P_present"] for p in expected["presence"]})
    assert (outcome.n_attacked, outcome.n_fallen) == (9, 9)
    assert outcome.highest == expected["max"] == outcome.details["highest_presence"]
    assert outcome.details["lowest_presence"] == expected["min"]
    assert outcome.interval is None
    assert outcome.found == (
        "Of 9 of 9 people it is more than 0.5 sure that they are in the release, of some 0.8."
    )


@pytest.mark.parametrize(
    ("limit", "n_fallen"), [("0.8", 0), ("0.79", 5), ("0.75", 5), ("0.74", 9)], ids=str
)
def test_the_limit_is_met_by_equality(limit: str, n_fallen: int) -> None:
    assert TableLinkage(limit=limit).run(*example()).n_fallen == n_fallen


def test_who_is_surest_not_to_be_in_the_table() -> None:
    outcome = TableLinkage(absence=True, limit="0.2").run(*example())
    assert outcome.highest == 0.25
    assert outcome.n_fallen == 4
    assert outcome.victims[0].who == {"Name": "Bob"}
    assert "sure that they are not in the release" in outcome.found
    quiet = TableLinkage(absence=True).run(*example())
    assert quiet.found == (
        "Nobody of 9 people falls: it is at most 0.25 sure that somebody is not in the release."
    )


@given(releases(max_people=5), LIMITS, st.booleans(), st.integers(0, 2), st.data())
def test_presence_by_worlds(
    release: RandomRelease, limit: Fraction, absence: bool, n_others: int, data: st.DataObject
) -> None:
    others: list[Row] = [
        {c: str(data.draw(st.sampled_from(release.trees[c].leaves))) for c in release.qid}
        for _ in range(n_others)
    ]
    everybody: list[Row] = [{c: p[c] for c in release.qid} for p in release.people] + others
    chances = adversaries.presence_by_worlds(everybody, release.rows, release.qid, release.trees)
    assert chances is not None
    sure = adversaries.absence(chances) if absence else chances
    attack = TableLinkage(limit=limit, absence=absence)
    outcome = attack.run(target_of(release), knowledge_of(population=everybody))
    assert outcome.highest == pytest.approx(float(max(sure)))
    assert outcome.n_fallen == sum(s > limit for s in sure)
    assert outcome.details["surely_present"] == sum(c == 1 for c in chances)
    assert outcome.details["surely_absent"] == sum(c == 0 for c in chances)


def test_an_estimate_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "_STEPS", 0)
    ages = Intervals(10, 20).build(observe("age", list(range(40))))
    shown = ["[0-10)"] * 2 + ["[0-20)"]
    told = target({"age": shown, "s": ["x"] * 3}, "age", "s", taxonomies={"age": ages})
    knowledge = knowledge_of(population={"age": [1, 1, 1, 12, 12, 33]})
    outcome = TableLinkage().run(told, knowledge)
    low, high = outcome.interval or (0, 0)
    assert [low, high] == pytest.approx([2 / 3, 1])
    assert low <= outcome.highest <= high
    assert outcome.details["people_estimated"] == 5
    absent = TableLinkage(absence=True).run(told, knowledge)
    assert absent.interval == (1.0, 1.0)
    assert absent.highest == 1.0


def test_people_without_names_are_told_by_what_they_show() -> None:
    told = target({"job": ["cook"] * 2, "ill": ["x", "y"]}, "job", "ill")
    outcome = TableLinkage().run(told, knowledge_of(population={"job": ["clerk"] + ["cook"] * 3}))
    (victim,) = outcome.victims
    assert (victim.who, victim.people, victim.records) == ({"job": "cook"}, 3, 2)
    assert victim.confidence == pytest.approx(2 / 3)


def test_names_are_taken_from_the_column_asked_for() -> None:
    told = target({"job": ["cook"], "ill": ["x"]}, "job", "ill")
    town: dict[str, list[object]] = {"id": [7, 8], "name": ["Ann", "Bob"], "job": ["cook", "clerk"]}
    who = [
        TableLinkage(identity=name).run(told, knowledge_of(population=town))
        for name in ("id", "name")
    ]
    assert [outcome.victims[0].who for outcome in who] == [{"id": "7"}, {"name": "Ann"}]
    with pytest.raises(SchemaError, match="no column 'nick'"):
        TableLinkage(identity="nick").run(told, knowledge_of(population=town))


def test_fewer_columns_tell_less() -> None:
    told = target({"job": ["cook"], "sex": ["f"], "ill": ["x"]}, ("job", "sex"), "ill")
    town = knowledge_of(population={"job": ["cook", "cook"], "sex": ["f", "m"]})
    assert TableLinkage().run(told, town).highest == 1.0
    assert TableLinkage(qid="job").run(told, town).highest == 0.5


def test_refusals() -> None:
    told, knowledge = example()
    with pytest.raises(UnsupportedError, match="give the list of everybody who could be in"):
        TableLinkage().run(told)
    with pytest.raises(UnsupportedError, match="values were replaced"):
        TableLinkage().run(evolve(told, is_truthful=False), knowledge)
    with pytest.raises(DataError, match="at least 6 records of the release cannot belong"):
        TableLinkage().run(told, knowledge_of(population={"Job": ["Artist"]}))
    with pytest.raises(SchemaError, match="shares no column with the release"):
        TableLinkage().run(told, knowledge_of(population={"name": ["Ann"]}))
    with pytest.raises(ParameterError, match="absence must be true or false"):
        TableLinkage(absence="yes")  # type: ignore[arg-type]
