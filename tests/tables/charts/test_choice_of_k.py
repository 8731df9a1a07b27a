"""Choice of k: two curves, and where they balance."""

from __future__ import annotations

import pytest

from unlinkable.errors import ParameterError
from unlinkable.tables.charts import draw_choice_of_k


def test_curves_hold_what_was_given_in_the_order_of_k() -> None:
    chart = draw_choice_of_k([10, 2], [0.75, 0.25], [0.5, 1.0])
    assert chart.spec["data"]["values"] == [
        {"k": 2.0, "curve": "privacy", "share": 0.25},
        {"k": 10.0, "curve": "privacy", "share": 0.75},
        {"k": 2.0, "curve": "utility", "share": 1.0},
        {"k": 10.0, "curve": "utility", "share": 0.5},
    ]
    assert len(chart.spec["layer"]) == 1


def test_the_balance_is_marked_and_told() -> None:
    chart = draw_choice_of_k([2, 10], [0.25, 0.75], [1.0, 0.5], balance=7.5)
    _, line, name = chart.spec["layer"]
    assert line["data"]["values"] == name["data"]["values"] == [{"k": 7.5, "label": "k = 7.5"}]
    assert chart.spec["title"]["subtitle"][1] == "They balance at k = 7.5."
    assert chart.description == (
        "Line chart of privacy and utility for 2 values of k from 2 to 10. They balance at k = 7.5."
    )


def test_curves_differ_in_colour_and_in_dashes() -> None:
    encoding = draw_choice_of_k([2], [0.25], [1.0]).spec["layer"][0]["encoding"]
    for channel in ("color", "strokeDash"):
        first, second = encoding[channel]["scale"]["range"]
        assert first != second


def test_a_picture_has_two_curves_and_a_mark() -> None:
    svg = draw_choice_of_k([2, 5], [0.25, 0.5], [1.0, 0.5], balance=5).svg()
    assert svg.count('aria-roledescription="line mark"') == 2
    assert "k = 5</text>" in svg


def test_what_rounding_adds_is_taken_away() -> None:
    values = draw_choice_of_k([2], [1 + 1e-12], [-1e-12]).spec["data"]["values"]
    assert [value["share"] for value in values] == [1.0, 0.0]


def test_no_k_makes_an_empty_chart() -> None:
    values = draw_choice_of_k([], [], []).spec["data"]["values"]
    assert values == [{"reason": "No k was tried"}]


def test_refuses_curves_of_another_length() -> None:
    with pytest.raises(ParameterError, match="utility must have a number for each k: there are 2"):
        draw_choice_of_k([2, 5], [0.1, 0.2], [0.5])


@pytest.mark.parametrize("share", [40, -0.1, float("nan")])
def test_refuses_what_is_no_share(share: float) -> None:
    with pytest.raises(
        ParameterError, match=r"privacy must lie between 0 and 1: give 0\.4 for 40 %"
    ):
        draw_choice_of_k([2], [share], [0.5])
