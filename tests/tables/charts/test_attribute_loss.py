"""Attribute loss: the numbers as they were given, the largest first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tables.groups.plain import taxonomy_of
from tests.tables.metrics.releases import shown_cells
from tests.witness.tree import Tree
from unlinkable.errors import ParameterError
from unlinkable.tables.charts import draw_attribute_loss
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.taxonomies import Attribute

LETTERS = taxonomy_of(Tree({v: (v, "*") for v in "abcd"}))


def numbers(losses: dict[str, float]) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = draw_attribute_loss(losses).spec["data"]["values"]
    return values


def test_the_attribute_that_lost_most_is_on_top() -> None:
    assert numbers({"age": 0.25, "zip": 0.5, "sex": 0.0}) == [
        {"attribute": "zip", "loss": 0.5},
        {"attribute": "age", "loss": 0.25},
        {"attribute": "sex", "loss": 0.0},
    ]


def test_the_order_is_not_made_anew_by_the_chart() -> None:
    encoding = draw_attribute_loss({"a": 0.1}).spec["encoding"]
    assert encoding["y"]["sort"] is None
    assert encoding["x"]["scale"] == {"domain": [0, 1]}
    assert encoding["x"]["axis"]["format"] == "~%"


def test_the_details_of_a_metric_can_be_drawn() -> None:
    attributes = (Attribute("a", LETTERS), Attribute("b", LETTERS))
    release = shown_cells(attributes, [[(0, 1), (0, 4)], [(0, 1), (0, 2)]])
    assert numbers(ILoss().details(release)) == [  # (3/4 + 1/4) / 2
        {"attribute": "b", "loss": 0.5},
        {"attribute": "a", "loss": 0.0},
    ]


def test_title_and_description_tell_the_numbers() -> None:
    chart = draw_attribute_loss({"age": 0.25, "zip": 0.5}, metric="iloss")
    assert chart.spec["title"] == {
        "text": "What each attribute lost",
        "subtitle": ["0%: all values are as they were; 100%: nothing is left", "measured by iloss"],
    }
    assert chart.description == "Bar chart of the loss of 2 attributes: zip 50.0%, age 25.0%."
    many = draw_attribute_loss({str(i): 0.5 for i in range(7)}).description
    assert many.endswith("7 attributes: 0 50.0%, 1 50.0%, 2 50.0%, 3 50.0%, 4 50.0%, ....")


def test_what_rounding_adds_is_taken_away() -> None:
    assert [value["loss"] for value in numbers({"a": 1 + 1e-12, "b": -1e-12})] == [1.0, 0.0]


def test_no_attributes_make_an_empty_chart() -> None:
    assert numbers({}) == [{"reason": "There are no attributes"}]


@pytest.mark.parametrize("loss", [-0.1, 1.5, float("nan"), float("inf")])
def test_refuses_what_is_no_share(loss: float) -> None:
    with pytest.raises(ParameterError, match="loss of 'age' must lie between 0 and 1, got"):
        draw_attribute_loss({"zip": 0.5, "age": loss})
