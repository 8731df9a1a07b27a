"""critical-absence: the book's examples, all possible worlds, and what is claimed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests import cases
from tests.tables.attacks.series import worlds
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.series.critical_absence import CriticalAbsence
from unlinkable.tables.attacks.series.series import Edition, Series, Sheet

CHANGING = "what .* hides? is not the same in all releases.*with permanent"


def edition(rows: Sequence[Sequence[Any]], quasi: Sequence[str], ill: str, who: Any) -> Edition:
    names = [*quasi, ill]
    frame = pl.DataFrame([row[-len(names) :] for row in rows], schema=names, orient="row")
    people = np.array([who(row[0]) for row in rows])
    return Edition(Target(frame, tuple(quasi), (ill,)), people)


def of_sheets(sheets: Sequence[Sheet]) -> Series:
    """Publish numbers: the group is what people show."""
    return Series(
        tuple(
            Edition(
                Target(
                    pl.DataFrame({"q": s.groups.astype(str), "s": s.values.astype(str)}),
                    ("q",),
                    ("s",),
                ),
                s.people,
                f"release {i + 1}",
            )
            for i, s in enumerate(sheets)
        )
    )


def confidences(series: Series, attack: CriticalAbsence) -> dict[str, float]:
    return {v.who["person"]: v.confidence for v in attack.run(series).victims}


@st.composite
def series_of_people(
    draw: st.DrawFn, *, changing: bool = False, most: int = 4
) -> tuple[list[Sheet], frozenset[int] | None]:
    """Draw two or three releases of up to four people each, some with made-up records."""
    n_people, n_values = draw(st.integers(2, 5)), draw(st.integers(1, 4))
    permanent = frozenset(draw(st.sets(st.integers(0, n_values - 1)))) if changing else None
    value = st.integers(0, n_values - 1)
    always = {p: draw(value) for p in range(n_people)}
    fleeting = [v for v in range(n_values) if permanent is not None and v not in permanent]
    sheets = []
    for _ in range(draw(st.integers(2, 3))):
        people = draw(st.sets(st.integers(0, n_people - 1), min_size=1, max_size=most))
        rows = []
        for p in sorted(people):
            changes = always[p] in fleeting
            rows.append(
                (
                    p,
                    draw(st.integers(0, 1)),
                    draw(st.sampled_from(fleeting)) if changes else always[p],
                )
            )
        for _ in range(draw(st.integers(0, most - len(people)))):
            rows.append((-1, draw(st.sampled_from([r[1] for r in rows])), draw(value)))
        numbers = {g: i for i, g in enumerate(sorted({r[1] for r in rows}))}
        sheets.append(
            Sheet.of([r[0] for r in rows], [numbers[r[1]] for r in rows], [r[2] for r in rows])
        )
    return sheets, permanent


def check_against_worlds(
    sheets: list[Sheet], permanent: frozenset[int] | None, limit: Fraction
) -> None:
    named = None if permanent is None else [str(v) for v in sorted(permanent)]
    outcome = CriticalAbsence(permanent=named, limit=limit).run(of_sheets(sheets))
    truth = worlds.shares(sheets, permanent)
    best = {
        p: max((share for v, share in own.items() if v != worlds.OTHER), default=Fraction(0))
        for p, own in truth.items()
    }
    assert outcome.n_attacked == len(best)
    assert outcome.n_fallen == sum(share > limit for share in best.values())
    assert outcome.details["certain"] == sum(share == 1 for share in best.values())
    assert outcome.details["uncounted"] == 0
    told = {int(v.who["person"]) - 1: v for v in outcome.victims}
    assert {p: v.confidence for p, v in told.items()} == {
        p: pytest.approx(float(share)) for p, share in best.items() if share
    }
    for p, victim in told.items():
        assert truth[p][int(victim.learned["s"])] == best[p]


def test_example_10_11_exposes_annie_and_those_around_her() -> None:
    case = cases.load("book-ch10-ex10.11-critical-absence")
    told, expected = case["input"], case["expected"]["computed"]
    series = Series(
        tuple(
            edition(told[name]["rows"], told["QID"], told["sensitive"], int)
            for name in ("R1", "R2")
        )
    )
    outcome = CriticalAbsence().run(series)
    fallen = {int(v.who["person"]) - 1: v for v in outcome.victims if v.confidence > 0.5}
    survivors = {int(p) for p in expected["candidates_of_every_surviving_record"]}
    assert sorted(set(fallen) & survivors) == expected["exposed_records"]
    # Who shared a group with them in the first release has what is left over.
    assert {p: v.learned["Surgery"] for p, v in fallen.items()} == {
        1: "Transgender", 2: "Plastic", 3: "Vascular", 4: "Urology"
    }  # fmt: skip
    assert outcome.details["by_intersection"] == len(expected["exposed_records"])
    assert outcome.details["absent_values"] == case["expected"]["stated"]["critical_absence_value"]
    assert outcome.details["critical_absences"] == 1
    assert "no generalization helps" in outcome.found


def test_example_10_12_leaves_a_chance_of_one_half() -> None:
    case = cases.load("book-ch10-ex10.12-counterfeited-generalization")
    told, stated = case["input"], case["expected"]["stated"]

    def number(name: Any) -> int:
        return -1 if str(name).startswith("c") else int(name)

    series = Series(
        (
            edition(told["R1"]["rows"], told["QID"], told["sensitive"], number),
            edition(stated["R2"]["rows"], told["QID"], told["sensitive"], number),
        )
    )
    outcome = CriticalAbsence().run(series)
    assert not outcome.succeeded
    assert outcome.highest == stated["probability_each"]
    assert outcome.details["critical_absences"] == 0


def test_section_10_4_excludes_worlds_until_one_person_is_certain() -> None:
    case = cases.load("book-ch10-sec10.4-possible-world-exclusion")
    told, expected = case["input"], case["expected"]["computed"]
    series = Series(
        tuple(
            edition(release["rows"], ["Age", "Zip"], "Disease", lambda p: int(p[1:]) - 1)
            for release in told["published"]
        )
    )
    attack = CriticalAbsence(permanent=told["permanent"])
    outcome = attack.run(series)
    found = confidences(series, attack)
    chances = {f"p{p}": found.get(str(p), 0.0) for p in range(1, 7)}
    assert chances == expected["P(HIV)"]
    assert outcome.n_fallen == outcome.details["certain"] == 1
    assert outcome.details["excluded"] == 3
    # Whoever looks at signatures alone, as 3-invariance does, sees nothing.
    assert not CriticalAbsence(limit="1/3").run(series).succeeded


def test_section_10_4_finds_whoever_is_left_when_others_come_back_without_it() -> None:
    case = cases.load("book-ch10-sec10.4-broken-lifespan")
    names = case["input"]["time_1_group"]["members"]
    flu, hiv, fever, cold = range(4)
    sheets = [
        Sheet.of([0, 1, 2], [0, 0, 0], [flu, hiv, fever]),
        Sheet.of([1, -1, -1], [0, 0, 0], [hiv, flu, fever]),
        Sheet.of([0, 2, 3], [0, 0, 0], [flu, cold, fever]),
    ]
    attack = CriticalAbsence(permanent=str(hiv), limit="1/3")
    outcome = attack.run(of_sheets(sheets))
    found = [names[int(v.who["person"]) - 1] for v in outcome.victims if v.confidence == 1]
    assert found == case["expected"]["stated"]["certain_HIV"]
    assert outcome.n_fallen == 1


@given(series_of_people(), st.fractions(Fraction(1, 5), 1, max_denominator=6))
def test_counts_the_worlds_of_values_that_never_change(drawn: Any, limit: Fraction) -> None:
    sheets, permanent = drawn
    check_against_worlds(sheets, permanent, limit)


@given(series_of_people(), st.integers(0, 3), st.sampled_from([Fraction(1, 3), Fraction(1, 2)]))
def test_is_after_some_values_among_others_that_do_not_change_either(
    drawn: Any, value: int, limit: Fraction
) -> None:
    sheets, _ = drawn
    assume(any(value in sheet.values for sheet in sheets))
    outcome = CriticalAbsence(values=str(value), limit=limit).run(of_sheets(sheets))
    truth = {p: own.get(value, Fraction(0)) for p, own in worlds.shares(sheets).items()}
    assert outcome.n_fallen == sum(share > limit for share in truth.values())
    found = {int(v.who["person"]) - 1: v.confidence for v in outcome.victims}
    assert found == {p: pytest.approx(float(share)) for p, share in truth.items() if share}


@given(series_of_people(changing=True), st.fractions(Fraction(1, 5), 1, max_denominator=6))
def test_counts_the_worlds_of_permanent_values(drawn: Any, limit: Fraction) -> None:
    sheets, permanent = drawn
    check_against_worlds(sheets, permanent, limit)


@given(series_of_people(changing=True))
def test_both_ways_to_enumerate_agree(drawn: Any) -> None:
    sheets, permanent = drawn
    assert worlds.shares_by_label(sheets, permanent) == worlds.shares(sheets, permanent)


@given(series_of_people())
def test_never_claims_more_than_is_so_without_counting(drawn: Any) -> None:
    sheets, _ = drawn
    outcome = CriticalAbsence(worlds=1, limit=Fraction(1, 4)).run(of_sheets(sheets))
    best = {p: max(own.values()) for p, own in worlds.shares(sheets).items()}
    for victim in outcome.victims:
        p = int(victim.who["person"]) - 1
        assert Fraction(victim.confidence).limit_denominator(10_000) <= best[p]
    assert outcome.n_fallen <= sum(share > Fraction(1, 4) for share in best.values())
    if not outcome.details["uncounted"]:
        assert outcome.highest == pytest.approx(float(max(best.values())))
    else:
        assert "computed exactly but for" in outcome.sureness
        assert f"Of {outcome.details['uncounted']} it is not known how sure" in outcome.found
        assert "at most" not in outcome.found


def test_where_any_certainty_is_allowed_nothing_is_left_to_count() -> None:
    sheets = [Sheet.of([0, 1, 2], [0, 0, 1], [0, 1, 2]), Sheet.of([0, 1, 2], [0, 1, 1], [0, 1, 2])]
    outcome = CriticalAbsence(worlds=1, limit=1).run(of_sheets(sheets))
    assert outcome.found == "Nobody of 3 people falls: he may be as sure as can be."


def test_a_chance_equal_to_the_limit_is_allowed() -> None:
    sheets = [Sheet.of([0, 1, 2], [0] * 3, [0, 1, 2]), Sheet.of([0, 1, 2], [0] * 3, [0, 1, 2])]
    assert not CriticalAbsence(limit="1/3").run(of_sheets(sheets)).succeeded
    assert CriticalAbsence(limit=0.333).run(of_sheets(sheets)).n_fallen == 3


def test_people_in_cycles_of_groups_are_counted_exactly() -> None:
    """Cohorts that mix in any way are not enough: five worlds, and two of them for some."""
    h1, a1, b1, h2, a2, b2 = range(6)
    hiv, flu = 0, 1
    sheets = [
        Sheet.of([h1, a1, b1, h2, a2, b2], [0, 0, 0, 1, 1, 1], [hiv, flu, flu] * 2),
        Sheet.of([h1, a1, b2, h2, a2, b1], [0, 0, 0, 1, 1, 1], [hiv, flu, flu] * 2),
    ]
    attack = CriticalAbsence(permanent="0", limit="1/3")
    outcome = attack.run(of_sheets(sheets))
    assert sorted(confidences(of_sheets(sheets), attack).values()) == [0.2, 0.2, *[0.4] * 4]
    assert outcome.n_fallen == 4


@settings(max_examples=20)
@given(st.integers(2, 4), st.integers(20, 200), st.randoms(use_true_random=False))
def test_even_groups_hide_everybody_equally_without_a_step(m: int, n: int, random: Any) -> None:
    """Any mixing of people into groups that hide the same m values is safe, at any size."""
    sheets = []
    by_value = [list(range(v, n * m, m)) for v in range(m)]
    for _ in range(3):
        for people in by_value:
            random.shuffle(people)
        groups = [i for _ in range(m) for i in range(n)]
        values = [v for v in range(m) for _ in range(n)]
        sheets.append(Sheet.of([p for people in by_value for p in people], groups, values))
    outcome = CriticalAbsence(limit=Fraction(1, m)).run(of_sheets(sheets))
    assert not outcome.succeeded
    assert outcome.highest == 1 / m
    assert outcome.details["steps"] == outcome.details["uncounted"] == 0


def test_several_columns_are_tried_together() -> None:
    frame = pl.DataFrame({"q": ["a", "a"], "s": ["x", "y"], "t": ["u", "u"]})
    people = np.array([0, 1])
    edition = Edition(Target(frame, ("q",), ("s", "t")), people)
    outcome = CriticalAbsence().run(Series((edition, edition)))
    assert outcome.n_fallen == 2
    assert {v.learned.get("t") for v in outcome.victims if v.confidence == 1} == {"u"}
    assert not CriticalAbsence("s").run(Series((edition, edition))).succeeded


def test_a_missing_value_can_be_found_out_too() -> None:
    frame = pl.DataFrame({"q": ["a"], "s": pl.Series([None], dtype=pl.String)})
    edition = Edition(Target(frame, ("q",), ("s",)), np.array([0]))
    outcome = CriticalAbsence().run(Series((edition, edition)))
    assert outcome.victims[0].learned == {"s": "(missing)"}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"limit": 0}, r"limit must lie in \(0, 1\], got 0"),
        ({"worlds": 0}, "worlds must be at least 1, got 0"),
        ({"values": "a", "permanent": "b"}, "give either values or permanent"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        CriticalAbsence(**parameters)


def test_refuses_what_it_cannot_attack() -> None:
    frame = pl.DataFrame({"q": ["a", "a"], "s": ["x", "y"]})
    target = Target(frame, ("q",), ("s",))
    known = Edition(target, np.array([0, 1]), "the first")
    with pytest.raises(UnsupportedError, match="give two or more"):
        CriticalAbsence().run(Series((known,)))
    with pytest.raises(UnsupportedError, match="not known whose the records"):
        CriticalAbsence().run(Series((known, Edition(target))), AdversaryKnowledge())
    with pytest.raises(UnsupportedError, match="several records in the second"):
        CriticalAbsence().run(Series((known, Edition(target, np.array([1, 1]), "the second"))))
    replaced = Target(frame, ("q",), ("s",), is_truthful=False, is_grouped=False)
    with pytest.raises(UnsupportedError, match="do not hide what stands beside them"):
        CriticalAbsence().run(Series((known, Edition(replaced, np.array([0, 1])))))
    with pytest.raises(SchemaError, match="sensitive column"):
        CriticalAbsence("t").run(Series((known, known)))


def test_refuses_values_that_change_however_far_it_gets() -> None:
    sheets = [Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, 1], [0, 0], [2, 3])]
    with pytest.raises(UnsupportedError, match=CHANGING):
        CriticalAbsence().run(of_sheets(sheets))
    with pytest.raises(UnsupportedError, match="what 2 people hide"):
        CriticalAbsence(worlds=1).run(of_sheets([*sheets, Sheet.of([0, 2], [0, 0], [2, 3])]))


def test_a_value_that_nobody_has_is_refused() -> None:
    sheets = [Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, 1], [0, 0], [0, 1])]
    with pytest.raises(DataError, match="no record has '7' in 's': check how it is written"):
        CriticalAbsence(values=["0", "7"]).run(of_sheets(sheets))
