"""r-robustness: the paper's attack, all worlds one by one, and both readings of a prior."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isclose
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.groups.plain import rows_of_case
from tests.tables.models.people import (
    Frame,
    Scenario,
    bound,
    counted,
    frame_of,
    prior_of,
    scenarios,
    table_of,
)
from tests.witness import worlds
from tests.witness.models import Row
from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.engines import count
from unlinkable.tables.models import DistinctLDiversity, FrequencyLDiversity, RRobustness
from unlinkable.tables.models.base import Basis, GroupModel, Merging
from unlinkable.tables.models.r_robustness import Reading
from unlinkable.tables.models.shared.implication import implied

GENDER: Frame = {"Gender": ["Male", "Female"], "value": ["Lung Cancer"] * 2, "p": [0.1, 0.003]}
SEX: Frame = {"sex": ["m", "f"], "value": ["x", "x"], "p": [0.1, 0.003]}
SCOPE: Frame = {
    "t": ["1"] * 4 + ["2"] * 4,
    "value": ["x", "y", "z", "w"] * 2,
    "p": [0.3, 0.18, 0.18, 0.34, 0.18, 0.3, 0.3, 0.22],
}
"""The beliefs of the counterexample to Theorem 1; w makes them complete."""


def people(*shown: str, column: str = "sex") -> list[Row]:
    """Write down records as what they show and what they have: "m x"."""
    pairs = [text.split() for text in shown]
    return [{"g": "g", column: a, "s": b} for a, b in pairs]


def test_example_1_links_alan_to_lung_cancer() -> None:
    case = cases.load("wong-example1-distribution-attack")
    shown = rows_of_case(case["input"]["qi_table"])
    hidden = rows_of_case(case["input"]["sensitive_table"])
    rows: list[Row] = [
        {"g": a["GID"], "Gender": a["Gender"], "s": b["Disease"]}
        for a, b in zip(shown, hidden, strict=True)
    ]
    promise = bound(RRobustness(2, prior="us", values="Lung Cancer"), us=GENDER)
    verdict = promise.verdict(counted(promise, rows))
    alan = case["expected"]["posterior"]["Alan"]["Lung Cancer"]
    assert verdict.holds is case["expected"]["r_robust"]
    assert verdict.level is not None
    assert isclose(1 / verdict.level, alan, rel_tol=1e-12)
    assert verdict.good.tolist() == [False, True]
    assert verdict.why == (
        "whoever shows Gender Male has Lung Cancer with a chance of 0.9736 (1 of 2 records have "
        "it, and 0.1 was believed), and at most 0.5 is allowed"
    )


def test_example_2_is_2_robust() -> None:
    case = cases.load("wong-example2-delta-bounding")
    f = case["input"]["f"]
    us = {"t": ["1", "2", "3"], "value": ["x"] * 3, "p": f}
    promise = bound(RRobustness(case["input"]["r"], prior="us", values="x"), us=us)
    groups = counted(promise, people("1 x", "2 y", "3 z", column="t"))
    assert promise.holds(groups)
    assert 1 / promise.level(groups)[0] == pytest.approx(max(case["expected"]["posterior_x"]))


def test_men_and_women_apart_are_2_robust_and_together_they_are_not() -> None:
    promise = bound(RRobustness(2, prior="us", values="x"), us=SEX)
    men, women = people("m x", "m y"), people("f x", "f y")
    apart = [*men, *({**row, "g": "h"} for row in women)]
    assert promise.holds(counted(promise, apart))
    assert not promise.holds(counted(promise, [*men, *women]))
    assert promise.merging is Merging.UNSAFE


@given(scenarios(), st.booleans())
def test_says_of_one_value_at_a_time_what_all_worlds_say(scenario: Scenario, only_x: bool) -> None:
    rows, believed = scenario
    values = ("x",) if only_x else None
    wanted = worlds.robust_r(rows, ["g"], "s", prior_of(believed, "a"), values=values)
    agree(RRobustness(1, prior="us", values=values), rows, frame_of(believed, "a"), wanted)


@given(scenarios(whole=True, max_people=6), st.booleans())
def test_says_of_all_values_at_once_what_all_worlds_say(scenario: Scenario, only_x: bool) -> None:
    rows, believed = scenario
    values = ("x",) if only_x else None
    wanted = worlds.robust_r(rows, ["g"], "s", prior_of(believed, "a"), joint=True, values=values)
    promise = RRobustness(1, prior="us", values=values, reading="joint")
    agree(promise, rows, frame_of(believed, "a"), wanted)


@given(scenarios(lowest=0), st.booleans())
def test_refuses_beliefs_that_the_table_contradicts(scenario: Scenario, joint: bool) -> None:
    rows, believed = scenario
    for key, chances in believed.items():
        believed[key]["x"] = 1 - sum(list(chances.values())[1:], Fraction(0))
    promise = RRobustness(1, prior="us", reading="joint" if joint else "value")
    ready = bound(promise, us=frame_of(believed, "a"))
    try:
        wanted = worlds.robust_r(rows, ["g"], "s", prior_of(believed, "a"), joint=joint)
    except worlds.ImpossibleError:
        with pytest.raises(DataError, match=r"prior 'us' leaves no possible world for [12] of"):
            ready.judge(counted(ready, rows))
    else:
        agree(promise, rows, frame_of(believed, "a"), wanted)


def agree(
    promise: RRobustness, rows: list[Row], frame: Frame, wanted: Fraction | float | None
) -> None:
    """See that a promise reaches what is wanted: exactly that, and nothing above."""
    ready = bound(promise, us=frame)
    groups = counted(ready, rows)
    level = ready.verdict(groups).level
    assert level is not None
    assert wanted is not None
    if wanted == inf:
        assert level == inf
        return
    assert isclose(level, wanted, rel_tol=1e-11)
    for r, holds in [(wanted, True), (wanted + Fraction(1, 10**15), False)]:
        asked = RRobustness(Fraction(r), prior="us", values=promise.values, reading=promise.taken)
        assert bound(asked, us=frame).holds(groups) is holds


@given(scenarios(whole=True, max_people=6))
def test_reads_several_columns_and_several_priors(scenario: Scenario) -> None:
    rows, believed = scenario
    beside: list[Row] = [{**row, "b": "u" if i % 2 else "v"} for i, row in enumerate(rows)]
    both = {(*key, b): p for key, p in believed.items() for b in "uv"}
    by_b: dict[Any, Any] = {("u",): believed["a0",], ("v",): believed["a1",]}
    one = bound(RRobustness(2, prior="ab"), ab=frame_of(both, "a", "b"))
    assert one.needs() == {("s",), ("a", "b")}
    wanted = worlds.robust_r(beside, ["g"], "s", prior_of(both, "a", "b"))
    other = worlds.robust_r(beside, ["g"], "s", prior_of(by_b, "b"))
    assert wanted is not None
    assert other is not None
    found = one.verdict(counted(one, beside)).level
    assert found == pytest.approx(float(wanted))
    two = bound(
        RRobustness(2, prior=["ab", "b"]), ab=frame_of(both, "a", "b"), b=frame_of(by_b, "b")
    )
    found = two.verdict(counted(two, beside)).level
    assert found == pytest.approx(float(min(wanted, other)))


def test_theorem_1_does_not_hold_for_all_values_at_once() -> None:
    rows = people("1 x", "2 y", "2 z", column="t")
    one = bound(RRobustness(2, prior="us"), us=SCOPE)
    joint = bound(RRobustness(2, prior="us", reading="joint"), us=SCOPE)
    groups = counted(one, rows)
    assert one.holds(groups)
    assert not joint.holds(groups)
    assert round(1 / joint.level(groups)[0], 3) == 0.581
    assert one.verdict(groups).reading == (
        "every value by itself against all others; who weighs all values of a group at once may "
        "believe more"
    )
    assert joint.verdict(groups).reading == "all values of a group at once"
    assert joint.verdict(groups).basis is Basis.COUNTED


def many(n: int) -> tuple[list[Row], Frame]:
    """Give n people with n signatures and n values, believed in nearly alike."""
    rows: list[Row] = [{"g": "g", "t": str(i), "s": f"v{i}"} for i in range(n)]
    chance = np.full((n, n), 100 * n) + np.arange(n * n).reshape(n, n) % 7
    shares = (chance / chance.sum(axis=1, keepdims=True)).round(12)
    shares[:, 0] += 1 - shares.sum(axis=1)
    pairs = [(str(i), f"v{j}", shares[i, j]) for i in range(n) for j in range(n)]
    t, value, p = zip(*pairs, strict=True)
    return rows, {"t": t, "value": value, "p": p}


def test_a_group_with_too_many_worlds_is_judged_by_a_bound() -> None:
    rows, frame = many(19)
    promise = bound(RRobustness(10, prior="us", reading="joint"), us=frame)
    verdict = promise.verdict(counted(promise, rows))
    assert verdict.holds
    assert verdict.basis is Basis.SUFFICIENT
    assert verdict.reading == (
        "all values of a group at once; 1 of 1 groups judged by a bound on chances"
    )
    assert "with a chance of at most 0.05" in verdict.why
    assert verdict.level is not None
    assert 18 < verdict.level < 19
    hard = bound(RRobustness(19, prior="us", reading="joint"), us=frame)
    assert not hard.holds(counted(hard, rows))


def test_a_group_with_just_few_enough_worlds_is_counted() -> None:
    rows, frame = many(8)
    promise = bound(RRobustness(4, prior="us", reading="joint"), us=frame)
    assert promise.verdict(counted(promise, rows)).basis is Basis.COUNTED


def test_people_alike_are_decided_in_whole_numbers_however_many() -> None:
    rows = people("m x", *["f y"] * 2)
    even = {**SEX, "p": [0.2, 0.2]}
    for times in (1, 5000):
        promise = bound(RRobustness(3, prior="us", values="x"), us=even)
        groups = counted(promise, rows * times)
        assert promise.verdict(groups).achieved == {"r": 3.0}
        assert promise.holds(groups)
        harder = RRobustness(3 + Fraction(1, 10**12), prior="us", values="x")
        assert not bound(harder, us=even).holds(groups)


def test_a_close_chance_in_a_large_group_is_not_shown_to_be_low() -> None:
    rows = people(*["m x", "f y", "f x", "m y"] * 400)
    near = {**SEX, "p": [0.1, 0.099999999999]}
    promise = bound(RRobustness(2, prior="us", values="x"), us=near)
    assert not promise.holds(counted(promise, rows))
    assert bound(RRobustness(1.999, prior="us", values="x"), us=near).holds(counted(promise, rows))


def test_certainty_and_impossibility_are_what_they_are() -> None:
    sure = {**SEX, "p": [1.0, 0.5]}
    promise = bound(RRobustness(2, prior="us", values="x"), us=sure)
    groups = counted(promise, people("m x", "f x", "f y"))
    assert promise.level(groups).tolist() == [1.0]
    never = {**SEX, "p": [0.1, 0.0]}
    promise = bound(RRobustness(2, prior="us", values="x"), us=never)
    groups = counted(promise, people("m x", "m y", "f y", "f y"))
    assert promise.level(groups).tolist() == [2.0]
    assert promise.holds(groups)


def test_who_has_no_guarded_value_is_linked_to_none() -> None:
    promise = bound(RRobustness(5, prior="us", values="x"), us=SEX)
    verdict = promise.verdict(counted(promise, people("m y", "f z")))
    assert verdict.holds
    assert verdict.level == inf
    assert verdict.achieved == {"r": None}
    assert verdict.why == "nobody has a guarded value, and at most 0.2 is allowed"


def test_everything_holds_for_r_1_and_an_empty_table() -> None:
    promise = bound(RRobustness(1, prior="us", values="x"), us=SEX)
    groups = counted(promise, people("m x", "f y"))
    assert promise.holds(groups)
    nobody = groups.select(np.zeros(1, bool))
    assert promise.verdict(nobody).holds


def test_numbers_are_found_whatever_they_are_written_like() -> None:
    table = [{"g": "g", "age": 41, "s": "x"}, {"g": "g", "age": 42, "s": "y"}]
    for ages in ([41, 42], [41.0, 42.0], ["41", "42.0"]):
        us = {"age": ages, "value": ["x", "x"], "p": [0.1, 0.003]}
        promise = bound(RRobustness(2, prior="us", values="x"), us=us)
        assert promise.level(counted(promise, table))[0] == pytest.approx(1024 / 997)


def test_looks_up_beliefs_once() -> None:
    promise = bound(RRobustness(2, prior="us", values="x"), us=SEX)
    groups = counted(promise, people("m x", "f y"))
    ready = promise.prepared(groups)
    assert ready == promise
    assert ready.level(groups).tolist() == promise.level(groups).tolist()
    others = counted(promise, people("f x", "f y", "m z"))
    assert ready.level(others).tolist() == promise.level(others).tolist()


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ({"sex": ["m"], "value": ["x"], "p": [0.1]}, "nothing of 1 of 2 combinations of 'sex'"),
        (
            {"sex": ["m", "f"], "value": ["y", "y"], "p": [0.1, 0.1]},
            "nothing of 1 of 1 values of 's': add rows for them, or list the values",
        ),
        (
            {"sex": ["m", "f"], "value": ["x", "y"], "p": [0.1, 0.1]},
            "prior 'us' lacks 1 pairs of 'sex' and a value of 's': add rows",
        ),
    ],
)
def test_refuses_a_prior_that_lacks_something(prior: Frame, message: str) -> None:
    promise = bound(RRobustness(2, prior="us", values="x"), us=prior)
    with pytest.raises(DataError, match=message):
        promise.judge(counted(promise, people("m x", "f y")))


def test_refuses_what_is_not_bound_or_not_counted() -> None:
    promise = RRobustness(2, prior="us", sensitive="s")
    with pytest.raises(SchemaError, match="has not read its prior yet: bind it to a table"):
        promise.needs()
    ready = bound(promise, us=SEX)
    groups = count(table_of(people("m x")), [("s",)]).finest
    with pytest.raises(SchemaError, match="needs the values of 'sex', which were not counted"):
        ready.judge(groups)
    elsewhere = bound(promise, us={"job": ["cook"], "value": ["x"], "p": [0.5]})
    with pytest.raises(SchemaError, match="no column 'job' among 3"):
        counted(elsewhere, people("m x"))
    with pytest.raises(SchemaError, match="has a column 's', which is what"):
        bound(promise, us={"s": ["x"], "value": ["x"], "p": [0.5]})
    with pytest.raises(DataError, match="add up to less than 1 for 2 of 2 signatures: say how"):
        bound(RRobustness(2, prior="us", reading="joint"), us=SEX)


def test_refuses_parameters_that_mean_nothing() -> None:
    with pytest.raises(ParameterError, match="r must be at least 1, got 1/2"):
        RRobustness(0.5, prior="us")
    with pytest.raises(ParameterError, match="prior must name at least one side table"):
        RRobustness(2, prior=())
    with pytest.raises(ParameterError, match="values must list at least one value"):
        RRobustness(2, prior="us", values=())
    with pytest.raises(ParameterError, match=r"no reading 'all' among 2 \(there are 'value', 'jo"):
        RRobustness(2, prior="us", reading="all")


def test_is_written_as_it_is_read() -> None:
    promise = RRobustness(2.5, prior="us.csv", values="x", reading="joint")
    assert str(promise) == 'r-robustness(r=2.5, prior=["us.csv"], values=["x"], reading="joint")'
    assert promise.taken is Reading.JOINT
    assert promise.sources == ("us.csv",)


def test_covers_fewer_priors_and_values() -> None:
    strong = RRobustness(3, prior=["a", "b"])
    assert strong.covers(RRobustness(2, prior="a", values="x"))
    assert not strong.covers(RRobustness(4, prior="a"))
    assert not strong.covers(RRobustness(2, prior="c"))
    assert not strong.covers(RRobustness(2, prior="a", reading="joint"))
    assert not RRobustness(3, prior="a", values="x").covers(RRobustness(3, prior="a"))
    assert not strong.covers(FrequencyLDiversity(2))


@given(scenarios())
def test_shares_are_no_greater_than_chances(scenario: Scenario) -> None:
    rows, believed = scenario
    promise = bound(RRobustness(2, prior="us"), us=frame_of(believed, "a"))
    groups = counted(promise, rows)
    (follows,) = promise.consequences()
    assert follows == FrequencyLDiversity(2, sensitive="s")
    assert (promise.level(groups) <= follows.level(groups) * (1 + 1e-12)).all()


def test_says_what_follows() -> None:
    asked: list[GroupModel] = [
        RRobustness(3, prior="us", sensitive="s"),
        DistinctLDiversity(3, sensitive="s"),
    ]
    assert [found.model for found in implied(asked)] == asked[1:]
    assert RRobustness(3, prior="us", values="x").consequences() == ()


def test_asks_for_less_by_a_half() -> None:
    assert RRobustness(2, prior="us").weaker() == RRobustness(1.5, prior="us")
    assert RRobustness(1.5, prior="us").weaker() is None


def test_explains_why_one_group_does_not_keep_it() -> None:
    promise = bound(RRobustness(2, prior="us", values="x"), us=SEX)
    assert promise.explain_failure(counted(promise, people("m x", "f y"))).startswith(
        "all 2 records in one group reach r = 1.027. Merging people with unlike beliefs"
    )
