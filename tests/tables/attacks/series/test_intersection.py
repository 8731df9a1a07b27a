"""Intersection: the paper's and the book's people, all worlds of tiny series, and the claims."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.series.published import byun_series, series_of_sheets
from tests.tables.attacks.series.tiny import possible_jointly, records, shuffled, tiny_series
from tests.tables.attacks.tables import frame_of_case, target
from tests.tables.series.worst_adversary import by_intersection, published
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.series.intersection import Intersection
from unlinkable.tables.attacks.series.series import Edition, Series, Sheet

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(3, 4)])


def test_bob_has_alzheimer_and_eve_has_diabetes() -> None:
    case = load("byun-ex2-intersection-attack")
    outcome = Intersection("Diagnosis").run(byun_series(case["input"]))
    told = {v.who["person"]: v.learned["Diagnosis"] for v in outcome.victims if v.confidence == 1}
    assert told == {"Bob": "Alzheimer", "Eve": "Diabetes"}
    assert sorted(told) == case["expected"]["computed"]["vulnerable_by_intersection"]
    assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (4, 2, 1.0)
    assert outcome.details == {"fallen_before": 0, "contradicted": 0, "kinds": 6}
    assert outcome.found == (
        "2 of 4 people in several releases fall: whoever knows their groups is more than 0.5 sure "
        "of a value that all of them hide. One release alone tells that of 0."
    )


def test_beth_who_stays_has_cancer() -> None:
    case = load("book-ch10-ex10.2-deletion-intersection")["input"]
    told = [target(frame_of_case(case[t]), case["QID"], case["sensitive"]) for t in ("T1", "T2")]
    people = [np.array([0, 1, 2, 3]), np.array([0, 4, 2, 3])]
    editions = tuple(Edition(*both) for both in zip(told, people, strict=True))
    outcome = Intersection().run(Series(editions, ["Beth", "Dora", "Ed", "Fred", "Gina"]))
    assert outcome.n_fallen == 1
    assert outcome.victims[0].who == {"person": "Beth"}
    assert outcome.victims[0].learned == {"Disease": "Cancer"}


@given(tiny_series(changes=True, made_up=False), LIMITS)
def test_by_definition(sheets: tuple[Sheet, ...], limit: Fraction) -> None:
    series = series_of_sheets(sheets)
    outcome = Intersection(limit=limit).run(series)
    fallen = by_intersection([published(edition, "s") for edition in series.editions], limit)
    empty = by_intersection([published(edition, "s") for edition in series.editions], Fraction(0))
    assert outcome.n_fallen == len(fallen)
    told = {int(v.who["person"]) - 1 for v in outcome.victims if v.confidence > limit}
    assert told == fallen
    n_left = sum(v.confidence > 0 for v in outcome.victims)
    assert outcome.n_attacked == n_left + int(str(outcome.details["contradicted"]))
    assert len(empty) == n_left


@given(tiny_series())
def test_nobody_can_have_what_is_not_common_to_his_groups(sheets: tuple[Sheet, ...]) -> None:
    """Of the only value that is left the adversary is right to be sure."""
    outcome = Intersection(limit=1).run(series_of_sheets(sheets))
    possible = possible_jointly(sheets)
    for victim in outcome.victims:
        person, value = int(victim.who["person"]) - 1, int(victim.learned["s"][1:])
        if victim.confidence == 1:
            assert {v for owner, v in possible if owner == (person, -1)} == {value}


@given(tiny_series(), LIMITS, st.integers(0, 5))
def test_the_order_within_groups_says_nothing(
    sheets: tuple[Sheet, ...], limit: Fraction, seed: int
) -> None:
    plain = Intersection(limit=limit).run(series_of_sheets(sheets))
    mixed = Intersection(limit=limit).run(series_of_sheets([shuffled(s, seed) for s in sheets]))
    assert (plain.n_fallen, plain.highest) == (mixed.n_fallen, mixed.highest)
    assert plain.victims == mixed.victims


def test_made_up_records_count_as_records_and_are_nobody() -> None:
    first = Sheet.of([0, 1], [0, 0], [0, 1], 3)
    then = Sheet.of([0, -1], [0, 0], [0, 1], 3)
    outcome = Intersection().run(series_of_sheets([first, then]))
    assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (1, 0, 0.5)
    assert len(records([first, then])[1]) == 2
    assert outcome.found == (
        "Nobody of 1 person in several releases falls: whoever knows their groups is at most 0.5 "
        "sure."
    )


def test_who_is_in_one_release_only_is_not_attacked() -> None:
    sheets = [Sheet.of([0], [0], [0], 2), Sheet.of([1], [0], [1], 2)]
    outcome = Intersection().run(series_of_sheets(sheets))
    assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (0, 0, 0.0)


def test_a_share_equal_to_the_limit_is_allowed() -> None:
    sheet = Sheet.of([0, 1, 2], [0, 0, 0], [0, 0, 1])
    series = series_of_sheets([sheet, sheet])
    assert Intersection(limit="2/3").run(series).n_fallen == 0
    worse = Intersection(limit="0.66").run(series)
    assert (worse.n_fallen, worse.details["fallen_before"]) == (3, 3)


def test_several_columns_count_for_each_person() -> None:
    columns = {"shown": ["a", "a"], "s": ["x", "y"], "t": ["x", "x"]}
    told = target(columns, "shown", ("s", "t"))
    series = Series((Edition(told, np.arange(2)), Edition(told, np.arange(2))))
    assert Intersection("s").run(series).n_fallen == 0
    assert Intersection().run(series).n_fallen == 2
    assert str(Intersection("s", limit="1/3")) == 'intersection(sensitive="s", limit="1/3")'


def test_refuses_what_it_cannot_compare() -> None:
    sheet = Sheet.of([0, 1], [0, 0], [0, 1])
    series = series_of_sheets([sheet, sheet])
    with pytest.raises(UnsupportedError, match="intersection compares releases: give two or more"):
        Intersection().run(series_of_sheets([sheet]))
    with pytest.raises(SchemaError, match="sensitive column of all releases"):
        Intersection("pay").run(series)
    with pytest.raises(UnsupportedError, match="several records in release 2"):
        Intersection().run(series_of_sheets([sheet, Sheet.of([0, 0], [0, 0], [0, 1])]))
    unknown = Series((series.editions[0], Edition(series.editions[1].target)))
    with pytest.raises(UnsupportedError, match="not known whose the records"):
        Intersection().run(unknown)
    with pytest.raises(ParameterError, match=r"limit must lie in \(0, 1\], got 0"):
        Intersection(limit=0)
