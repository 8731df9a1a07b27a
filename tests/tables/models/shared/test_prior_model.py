"""What is believed of people, as promises about beliefs tell it to methods."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from tests.tables.groups.plain import groups_of
from tests.tables.models.people import Frame, Scenario, bound, counted, frame_of, scenarios
from unlinkable.tables.models import DeltaBounding, DistinctLDiversity, RRobustness
from unlinkable.tables.models.base import All, BeliefModel


@given(scenarios())
def test_odds_are_those_of_the_prior(scenario: Scenario) -> None:
    rows, believed = scenario
    people = [{**row, "g": str(row["a"])} for row in rows]
    model = bound(RRobustness(2, prior="us"), us=frame_of(believed, "a"))
    alike = counted(model, people)
    ((column, codes, odds),) = All([model]).odds(alike)
    assert column == "s"
    occurring = sorted({row["s"] for row in people}, key=lambda v: (v is None, v))
    assert len(codes) == len(occurring)
    groups = list(dict.fromkeys(row["g"] for row in people))
    for g, name in enumerate(groups):
        key = next(row["a"] for row in people if row["g"] == name)
        for j, value in enumerate(occurring):
            p = float(believed[key,][value])
            assert odds[g, j] == pytest.approx(math.log(p / (1 - p)))


def test_only_guarded_values_are_told_and_certainty_is_infinite() -> None:
    people = [{"g": "1", "a": "u", "s": "x"}, {"g": "2", "a": "v", "s": "y"}]
    prior: Frame = {"a": ["u", "v"], "value": ["x", "x"], "p": [0, 1]}
    model = bound(DeltaBounding(2, prior="us", values=["x", "w"]), us=prior)
    ((_, codes, odds),) = All([model, DistinctLDiversity(2, sensitive="s")]).odds(
        counted(model, people)
    )
    assert codes.tolist() == [0]
    assert odds[:, 0].tolist() == [-math.inf, math.inf]


def test_other_promises_are_not_about_beliefs() -> None:
    model = DistinctLDiversity(2, sensitive="s")
    assert not isinstance(model, BeliefModel)
    assert list(All([model]).odds(groups_of([[1, 1]]))) == []
    assert isinstance(RRobustness(2, prior="us"), BeliefModel)
