"""Corruption: somebody who knows what others have."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.grouped.shared.test_known_others import worst_by_definition
from tests.tables.attacks.tables import frame_of_case, target
from tests.witness.knowers import after_corruption
from tests.witness.models import groups
from tests.witness.releases import RandomRelease, knowledge_of, releases, target_of
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks import AttributeLinkage, Corruption
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.data.side import Side
from unlinkable.tables.models import SkylinePrivacy

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(3, 4)])


def test_john_tells_that_bob_has_hiv() -> None:
    case = load("book-ch05-ex5.3-corruption-attack")["input"]
    told = target(frame_of_case(case["table"]), case["qid"], case["sensitive"])
    knowledge = AdversaryKnowledge(Side.of({"known": pl.DataFrame(case["corrupted"])}))
    outcome = Corruption().run(told, knowledge)
    victim = outcome.victims[0]
    assert victim.who == {"Job": "Engineer", "Sex": "Male"}
    assert (victim.learned, victim.confidence) == ({"Disease": "HIV"}, 1.0)
    assert (outcome.n_attacked, outcome.n_fallen) == (3, 1)
    assert (outcome.details["fallen_before"], outcome.details["highest_before"]) == (0, 0.5)
    assert outcome.found == (
        "1 of 3 people fall: whoever knows what 1 other of the list has is more than 0.5 sure of "
        "what they have. Without that, 0 of them do."
    )


def test_one_other_is_enough_for_two_people() -> None:
    case = load("book-ch05-ex5.3-corruption-attack")["input"]
    told = target(frame_of_case(case["table"]), case["qid"], case["sensitive"])
    outcome = Corruption(n=1).run(told)
    assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (4, 4, 1.0)
    assert outcome.details == {"n": 1, "fallen_before": 0, "highest_before": 0.5}


def test_more_others_than_there_are_people_are_all_others() -> None:
    told = target(pl.DataFrame({"job": ["a"] * 4, "ill": ["x", "y", "z", "x"]}), ["job"], "ill")
    assert Corruption(n=2**63 - 1).run(told).highest == Corruption(n=3).run(told).highest == 1.0
    with pytest.raises(ParameterError, match="n must be at most 9223372036854775807, got 9223372"):
        Corruption(n=2**63)


def test_who_knows_everybody_has_nobody_to_guess_at() -> None:
    frame = pl.DataFrame({"job": ["a", "a"], "ill": ["x", "y"]})
    outcome = Corruption().run(
        target(frame, ["job"], "ill"), AdversaryKnowledge(Side.of({"known": frame}))
    )
    assert (outcome.n_attacked, outcome.n_fallen) == (0, 0)
    assert outcome.found == (
        "Nobody is left to guess at: whoever knows what 2 others of the list have knows everybody."
    )


@given(releases(), LIMITS, st.integers(0, 4))
def test_the_worst_others_by_definition(release: RandomRelease, limit: Fraction, n: int) -> None:
    sure = [
        worst_by_definition(values, victim, n)  # type: ignore[arg-type]
        for values in release.hidden()
        for victim in range(len(values))
    ]
    outcome = Corruption(n=n, limit=limit).run(target_of(release))
    assert outcome.highest == pytest.approx(float(max(sure)))
    assert outcome.n_fallen == sum(s > limit for s in sure)


@given(releases(shapes=["raw", "full-domain"]), LIMITS, st.data())
def test_known_people_are_taken_away(
    release: RandomRelease, limit: Fraction, data: st.DataObject
) -> None:
    """In all worlds in which the known people have what they have."""
    rows = list(enumerate(release.rows))
    told = data.draw(st.lists(st.sampled_from(range(len(rows))), unique=True, min_size=1))
    known = [release.rows[i] for i in told]
    outcome = Corruption(limit=limit).run(target_of(release), knowledge_of(known=known))
    indexed = [{**row, "i": i} for i, row in rows]
    sure = []
    for group in groups(indexed, release.qid).values():
        members = [row["i"] for row in group]
        answers = [(members.index(i), release.rows[i]["s"]) for i in told if i in members]
        beliefs = after_corruption([row["s"] for row in group], answers)
        assert beliefs is not None
        sure += [max(b.values()) for i, b in zip(members, beliefs, strict=True) if i not in told]
    assert outcome.n_attacked == len(sure) == len(rows) - len(told)
    assert outcome.n_fallen == sum(s > limit for s in sure)
    assert outcome.highest == pytest.approx(float(max(sure, default=Fraction(0))))


@given(releases(), LIMITS)
def test_whoever_knows_more_others_is_surer_of_more_people(
    release: RandomRelease, limit: Fraction
) -> None:
    told = target_of(release)
    tried = [Corruption(n=n, limit=limit).run(told) for n in range(5)]
    fallen, highest = [o.n_fallen for o in tried], [o.highest for o in tried]
    assert fallen == sorted(fallen)
    assert highest == sorted(highest)
    everybody = Corruption(n=100, limit=limit).run(told)
    assert (everybody.n_fallen, everybody.highest) == (len(release.rows), 1.0)
    if release.bucket is None:
        assert tried[0].n_fallen == AttributeLinkage(limit=limit).run(told).n_fallen


@given(releases(shapes=["raw", "full-domain"]), st.integers(0, 3))
def test_the_skyline_bounds_it(release: RandomRelease, n: int) -> None:
    told = target_of(release)
    highest = Fraction(Corruption(n=n).run(told).highest).limit_denominator(100)
    found = told.counted([("s",)]).finest
    for bound in (highest, min(highest + Fraction(1, 100), Fraction(1))):
        promise = SkylinePrivacy([[0, n, 0, bound]], sensitive="s")
        assert promise.holds(found) == (highest < bound)


def test_several_columns_count_for_each_person() -> None:
    columns = {
        "job": ["a"] * 4,
        "ill": ["w", "x", "y", "z"],
        "pay": [1, 1, 1, 2],
    }
    told = target(columns, "job", ("ill", "pay"))
    assert Corruption("ill", n=1).run(told).n_fallen == 0
    assert Corruption("pay", n=0, limit="0.7").run(told).n_fallen == 4
    assert Corruption("pay", n=1, limit="0.8").run(told).n_fallen == 3
    assert Corruption(n=1, limit="0.8").run(told).n_fallen == 3
    assert Corruption(n=3, limit="0.8").run(told).n_fallen == 4


def test_people_who_are_not_found_are_told_of() -> None:
    told = target({"age": [1, 1], "ill": ["flu", "hiv"]}, "age", "ill")
    outcome = Corruption().run(told, knowledge_of(known=[{"age": 7, "ill": "flu"}]))
    assert outcome.details["known_people_who_match_no_group"] == 1
    assert (outcome.n_attacked, outcome.n_fallen) == (2, 0)
    assert "Nobody of 2 people falls" in outcome.found


def test_refusals() -> None:
    told = target({"age": [1, 1], "ill": ["flu", "hiv"]}, "age", "ill")
    with pytest.raises(DataError, match="cannot be in the release"):
        Corruption().run(told, knowledge_of(known=[{"age": 1, "ill": "cancer"}]))
    with pytest.raises(SchemaError, match="tells of no sensitive column"):
        Corruption().run(told, knowledge_of(known=[{"age": 1, "name": "John"}]))
    with pytest.raises(SchemaError, match="no sensitive column 'pay'"):
        Corruption("pay").run(told)
    with pytest.raises(UnsupportedError, match="give the people of whom something is known"):
        Corruption(known="friends").run(told)
    with pytest.raises(UnsupportedError, match="values were replaced"):
        Corruption().run(evolve(told, is_truthful=False, is_grouped=False))
    with pytest.raises(ParameterError, match="n must be at least 0"):
        Corruption(n=-1)
