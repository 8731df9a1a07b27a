"""Frontier: settings as points, the best ones on a line with steps."""

from __future__ import annotations

import pytest

from unlinkable.errors import ParameterError
from unlinkable.tables.charts import Setting, draw_frontier

SETTINGS = [
    Setting("mondrian, k = 2", 0.5, 0.125),
    Setting("mondrian, k = 5", 0.2, 0.25),
    Setting("optimal, k = 5", 0.2, 0.5, dominated=True),
]


def test_points_hold_what_was_given() -> None:
    assert draw_frontier(SETTINGS).spec["data"]["values"] == [
        {"setting": "mondrian, k = 2", "risk": 0.5, "loss": 0.125, "standing": "on the frontier"},
        {"setting": "mondrian, k = 5", "risk": 0.2, "loss": 0.25, "standing": "on the frontier"},
        {"setting": "optimal, k = 5", "risk": 0.2, "loss": 0.5, "standing": "dominated"},
    ]


def test_the_line_goes_through_the_frontier_alone_and_never_promises_what_cannot_be_had() -> None:
    line, points, names = draw_frontier(SETTINGS).spec["layer"]
    best = [{"filter": {"field": "standing", "equal": "on the frontier"}}]
    assert line["transform"] == names["transform"] == best
    assert line["mark"]["interpolate"] == "step-after"
    assert line["encoding"]["order"]["field"] == "risk"
    assert "transform" not in points


def test_dominated_settings_differ_in_colour_and_in_shape() -> None:
    encoding = draw_frontier(SETTINGS).spec["layer"][1]["encoding"]
    for channel in ("color", "shape"):
        scale = encoding[channel]["scale"]
        assert scale["domain"] == ["on the frontier", "dominated"]
        assert len(set(scale["range"])) == 2
    assert [shown["title"] for shown in encoding["tooltip"]] == [
        "setting",
        "risk",
        "loss",
        "standing",
    ]


def test_axes_say_what_they_show() -> None:
    spec = draw_frontier(SETTINGS, risk="prosecutor risk", loss="iloss").spec
    assert spec["encoding"]["x"]["title"] == "prosecutor risk"
    assert spec["encoding"]["y"]["title"] == "iloss"
    assert spec["encoding"]["y"]["axis"]["format"] == "~%"


def test_a_loss_that_is_no_share_is_written_as_a_number() -> None:
    spec = draw_frontier([Setting("a", 0.5, 1200.0)], loss="discernibility").spec
    assert spec["encoding"]["y"]["axis"]["format"] == ",~g"
    assert spec["layer"][1]["encoding"]["tooltip"][2]["format"] == ",.6~g"


def test_names_that_would_cover_each_other_are_left_to_the_mouse() -> None:
    many = draw_frontier([Setting(f"s{i}", 0.5, 0.5) for i in range(13)])
    assert len(many.spec["layer"]) == 2
    assert many.description.endswith("13 on the frontier: " + _names(12) + ", ....")
    assert draw_frontier(SETTINGS).description == (
        "Scatter chart of 3 settings by risk and loss; 2 on the frontier: mondrian, k = 2, "
        "mondrian, k = 5."
    )


def test_settings_of_the_same_name_stay_apart() -> None:
    values = draw_frontier([Setting("a", 0.5, 0.5), Setting("a", 0.2, 0.7)]).spec["data"]["values"]
    assert [value["setting"] for value in values] == ["a", "a (2)"]


def test_a_picture_has_a_point_for_every_setting_and_a_line() -> None:
    svg = draw_frontier(SETTINGS).svg()
    assert svg.count('aria-roledescription="point"') == len(SETTINGS)
    assert svg.count('aria-roledescription="line mark"') == 1


def test_no_settings_make_an_empty_chart() -> None:
    values = draw_frontier([]).spec["data"]["values"]
    assert values == [{"reason": "No setting has a release"}]


def test_refuses_what_is_no_risk_and_no_loss() -> None:
    with pytest.raises(ParameterError, match="risk must lie between 0 and 1, got 20"):
        Setting("k = 5", 20, 0.5)
    with pytest.raises(ParameterError, match="loss must be a number, got nan"):
        Setting("k = 5", 0.2, float("nan"))


def _names(n: int) -> str:
    return ", ".join(f"s{i}" for i in range(n))
