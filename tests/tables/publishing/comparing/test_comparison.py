"""Comparisons: who beats whom, the frontier, and outcomes as plain values."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from attrs import evolve, fields
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.tables.publishing.comparing.comparison import Compared, Comparison, dominated
from unlinkable.tables.risk import Exposure

Point = tuple[float, float]

shares = st.sampled_from([0.0, 0.25, 0.5, 1.0])
losses = st.sampled_from([0.0, 1.0, 2.0, 7.5, math.inf])
points = st.lists(st.tuples(shares, losses), max_size=9)


def beaten_by_definition(all_points: list[Point]) -> list[bool]:
    """Another point is no higher on both counts, and lower on one."""
    found = []
    for risk, loss in all_points:
        found.append(False)
        for other_risk, other_loss in all_points:
            is_no_worse = not other_risk > risk and not other_loss > loss
            is_better = other_risk < risk or other_loss < loss
            if is_no_worse and is_better:
                found[-1] = True
    return found


def outcome(
    risk: float, value: float | None, *, name: str = "iloss", method: str = "optimal"
) -> Compared:
    """A setting with its highest risk and one metric; without a value it has no release."""
    if value is None:
        return Compared(method, "k-anonymity(k=9)", "0", {}, problem="nothing keeps it")
    exposed = Exposure(risk, risk / 2, 1 - risk)
    return Compared(method, "k-anonymity(k=2)", "0", {name: value}, exposed, 3, 1, True, 0.5)


def comparison(*outcomes: Compared, name: str = "iloss", gains: tuple[str, ...] = ()) -> Comparison:
    return Comparison(outcomes, (name,), gains)


@given(points)
def test_says_who_is_beaten_as_the_definition_does(all_points: list[Point]) -> None:
    risks = np.array([risk for risk, _ in all_points])
    costs = np.array([loss for _, loss in all_points])
    assert dominated(risks, costs).tolist() == beaten_by_definition(all_points)


@given(points)
def test_whoever_is_beaten_is_beaten_by_somebody_who_is_not(all_points: list[Point]) -> None:
    found = comparison(*(outcome(risk, loss) for risk, loss in all_points))
    for is_beaten, (risk, loss) in zip(found.dominated(), all_points, strict=True):
        rivals = [
            x
            for x in found.frontier()
            if x.risk is not None
            and (x.risk.highest, x.metrics["iloss"]) != (risk, loss)
            and x.risk.highest <= risk
            and x.metrics["iloss"] <= loss
        ]
        assert is_beaten == bool(rivals)


@given(points)
def test_the_frontier_goes_from_the_safest_to_the_most_useful(all_points: list[Point]) -> None:
    frontier = comparison(*(outcome(risk, loss) for risk, loss in all_points)).frontier()
    seen = [(x.risk.highest, x.metrics["iloss"]) for x in frontier if x.risk is not None]
    assert len(seen) == len(frontier)
    assert seen == sorted(seen)
    assert [loss for _, loss in seen] == sorted((loss for _, loss in seen), reverse=True)
    assert bool(frontier) == bool(all_points)


def test_equal_settings_do_not_beat_each_other() -> None:
    found = comparison(outcome(0.5, 1.0), outcome(0.5, 1.0), outcome(0.5, 2.0))
    assert found.dominated() == [False, False, True]


@pytest.mark.parametrize("value", [0.0, math.inf])
def test_settings_without_a_release_are_beaten_and_never_on_the_frontier(value: float) -> None:
    found = comparison(outcome(0, None), outcome(1.0, value), outcome(0, None))
    assert found.dominated() == [True, False, True]
    assert found.frontier() == [found[1]]


def test_if_nothing_has_a_release_the_frontier_is_empty() -> None:
    found = comparison(outcome(0, None))
    assert found.dominated() == [True]
    assert found.frontier() == []


def test_of_a_gain_more_is_better() -> None:
    few, many = (outcome(0.5, value, name="gain") for value in (0.1, 0.9))
    assert comparison(few, many, name="gain").dominated() == [False, True]
    assert comparison(few, many, name="gain", gains=("gain",)).dominated() == [True, False]


def test_risk_is_weighed_as_asked() -> None:
    """The first is safer by highest and average, the second by the sensitive value."""
    found = comparison(outcome(0.2, 1.0), outcome(0.8, 1.0))
    assert found.dominated(risk="highest") == [False, True]
    assert found.dominated(risk="average") == [False, True]
    assert found.dominated(risk="attribute") == [True, False]
    assert found.frontier(risk="attribute") == [found[1]]


def test_the_metric_is_weighed_as_asked() -> None:
    one = evolve(outcome(0.5, 1.0), metrics={"iloss": 1.0, "discernibility": 9.0})
    other = evolve(one, metrics={"iloss": 2.0, "discernibility": 3.0})
    found = Comparison((one, other), ("iloss", "discernibility"))
    assert found.dominated() == found.dominated("iloss") == [False, True]
    assert found.dominated("discernibility") == [True, False]


def test_is_a_sequence_of_its_outcomes() -> None:
    outcomes = outcome(0.5, 1.0), outcome(0.2, 2.0), outcome(0, None)
    found = comparison(*outcomes)
    assert (len(found), tuple(found), found[1], found[1:]) == (
        3,
        outcomes,
        outcomes[1],
        outcomes[1:],
    )


def test_a_setting_says_in_one_line_what_was_run() -> None:
    blank = Compared("optimal", "k-anonymity(k=2)", "0", {})
    assert blank.setting == "optimal: k-anonymity(k=2)"
    assert evolve(blank, suppression="0.05").setting == (
        "optimal: k-anonymity(k=2), leaving out up to 0.05"
    )


texts = st.text(max_size=5)
numbers = st.floats(allow_nan=False, allow_infinity=False)
exposures = st.builds(Exposure, shares, shares, shares)
whole = st.integers(0, 10**12)


@given(
    st.builds(
        Compared,
        method=texts,
        privacy=texts,
        suppression=texts,
        metrics=st.dictionaries(texts, st.one_of(numbers, st.just(math.inf))),
        risk=st.none() | exposures,
        n_groups=whole,
        n_suppressed=whole,
        optimal=st.none() | st.booleans(),
        seconds=st.floats(0, 1e6),
        problem=st.none() | texts,
    )
)
def test_outcomes_come_back_from_strict_json_as_they_were(told: Compared) -> None:
    back = Compared.from_json(json.loads(json.dumps(told.to_json(), allow_nan=False)))
    for field in fields(Compared):
        assert getattr(back, field.name) == getattr(told, field.name), field.name


def test_a_number_that_is_not_finite_is_null() -> None:
    told = outcome(0.5, math.inf).to_json()
    assert told["metrics"] == {"iloss": None}
    assert told["holds"] is True
    assert outcome(0, None).to_json()["holds"] is False


def test_all_outcomes_are_told_with_whether_they_are_beaten() -> None:
    rows = comparison(outcome(0.5, 1.0), outcome(0.5, 2.0), outcome(0, None)).to_json()["outcomes"]
    assert isinstance(rows, list)
    assert [row["dominated"] for row in rows] == [False, True, True]
    assert [row["risk"] for row in rows] == [
        {"highest": 0.5, "average": 0.25, "attribute": 0.5},
        {"highest": 0.5, "average": 0.25, "attribute": 0.5},
        None,
    ]


def test_the_chart_shows_what_has_a_release_and_a_finite_loss() -> None:
    found = comparison(
        outcome(0.5, 1.0, method="a"),
        outcome(0.5, 2.0, method="b"),
        outcome(0.1, math.inf, method="c"),
        outcome(0, None, method="d"),
    )
    chart = found.chart()
    shown = [(v["setting"][0], v["loss"], v["standing"]) for v in chart.spec["data"]["values"]]
    assert shown == [("a", 1.0, "on the frontier"), ("b", 2.0, "dominated")]
    axes = {axis: chart.spec["encoding"][axis]["title"] for axis in "xy"}
    assert axes == {"x": "highest risk of a person to be found", "y": "iloss"}
    average = found.chart(risk="average")
    assert {v["risk"] for v in average.spec["data"]["values"]} == {0.25}


def test_the_chart_names_what_may_be_left_out_only_where_that_differs() -> None:
    one, other = (evolve(outcome(risk, 1 / risk), suppression="0.05") for risk in (0.5, 0.2))
    for first, is_told in ((one, False), (evolve(one, suppression="0"), True)):
        shown = comparison(first, other).chart().spec["data"]["values"]
        assert ("leaving out up to 0.05" in str(shown)) == is_told


def test_the_chart_of_a_gain_still_goes_down_to_what_is_best() -> None:
    few, many = (outcome(0.5, value, name="gain") for value in (0.1, 0.9))
    spec = comparison(few, many, name="gain", gains=("gain",)).chart().spec
    assert [v["loss"] for v in spec["data"]["values"]] == [-0.1, -0.9]
    assert spec["encoding"]["y"]["title"] == "minus gain"


@pytest.mark.parametrize("ask", ["dominated", "frontier", "chart", "to_json"])
def test_refuses_metrics_and_risks_that_were_not_measured(ask: str) -> None:
    found = comparison(outcome(0.5, 1.0))
    with pytest.raises(ParameterError, match="no measured metric 'ilos' among 1"):
        getattr(found, ask)("ilos")
    with pytest.raises(ParameterError, match=r"no risk 'higest'.*did you mean 'highest'"):
        getattr(found, ask)(risk="higest")


@pytest.mark.parametrize(
    "told",
    [{}, {"metrics": {}}, {**outcome(0.5, 1.0).to_json(), "metrics": [1]}],
    ids=["nothing", "a part", "metrics without names"],
)
def test_what_is_no_outcome_is_not_read_as_one(told: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        Compared.from_json(told)
