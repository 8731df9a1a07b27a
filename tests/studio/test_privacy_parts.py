"""Forms, probes, charts and words of the page on privacy, without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from unlinkable.studio.contracts import Effect
from unlinkable.studio.pages.parameter_form import (
    Field,
    field_value,
    fields_of,
    plan_value,
    plan_values,
    starting_values,
)
from unlinkable.studio.pages.parameter_labels import _LABELS, label_of
from unlinkable.studio.pages.privacy.privacy_page import promises_by_threat, suppression_words
from unlinkable.studio.pages.privacy.promise_card import (
    COMMON,
    THREATS,
    effect_chart,
    effect_rows,
    effect_sentence,
    filter_models,
    main_field,
    values_to_try,
)
from unlinkable.studio.tasks.plans import registry_cards
from unlinkable.tables.models.base import GroupModel

CARDS = {card["name"]: card for card in registry_cards("model")}


def test_common_models_come_first_and_none_is_lost() -> None:
    common, others = filter_models(list(CARDS.values()))
    assert [card["name"] for card in common] == list(COMMON)
    assert {card["name"] for card in [*common, *others]} == set(CARDS)


def test_models_are_found_by_threat_and_by_words() -> None:
    common, others = filter_models(list(CARDS.values()), "table")
    assert all("table" in card["threats"] for card in [*common, *others])
    assert [
        card["name"] for card in filter_models(list(CARDS.values()), None, "T closeness")[0]
    ] == ["t-closeness"]
    assert filter_models(list(CARDS.values()), None, "no such thing") == ([], [])


@pytest.mark.parametrize("name", CARDS)
def test_every_model_has_a_summary_and_a_form(name: str) -> None:
    fields = fields_of(CARDS[name])
    assert CARDS[name]["summary"]
    assert [field.name for field in fields] == [p["name"] for p in CARDS[name]["parameters"]]
    for field in fields:
        if field.is_slider and field.start is not None:
            assert field.lowest is not None
            assert field.highest is not None
            assert field.lowest <= field.start <= field.highest


@pytest.mark.parametrize("name", COMMON)
def test_common_models_can_be_added_at_once(name: str) -> None:
    values = starting_values(fields_of(CARDS[name]))
    assert values is not None

    GroupModel.read(name, values)


def test_what_cannot_be_guessed_is_asked_for() -> None:
    assert starting_values(fields_of(CARDS["k-map"])) is None
    assert starting_values(fields_of(CARDS["xy-anonymity"])) is None
    assert starting_values(fields_of(CARDS["xy-anonymity"]), ["disease"]) == {
        "k": 5,
        "y": ["disease"],
    }


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("whole", 5.0, 5),
        ("number", 0.25, 0.25),
        ("number", 2.0, 2),
        ("text", "", None),
        ("columns", [], None),
        ("flag", False, False),
        ("lines", "a -> b <= 1/3\n\n", ["a -> b <= 1/3"]),
    ],
)
def test_fields_become_values_of_plans(kind: str, value: Any, expected: Any) -> None:
    assert plan_value(Field("x", "x", "", kind), value) == expected


@pytest.mark.parametrize("name", COMMON)
def test_probes_are_allowed_ordered_and_hold_the_present_value(name: str) -> None:
    fields = fields_of(CARDS[name])
    field = main_field(CARDS[name], fields)
    assert field is not None
    tried = values_to_try(field, field.start)
    assert tried == sorted(set(tried))
    assert field.start in tried
    assert all(field.most is None or value <= field.most for value in tried)


ALL = [card for kind in ("model", "method", "policy") for card in registry_cards(kind)]


@pytest.mark.parametrize("card", ALL, ids=[card["name"] for card in ALL])
def test_a_form_that_nobody_touched_says_nothing(card: dict[str, Any]) -> None:
    fields = fields_of(card)
    assert plan_values(fields, {f.name: field_value(f, f.default) for f in fields}) == {}


def test_every_parameter_has_a_label_and_a_sentence() -> None:
    for card in ALL:
        for parameter in card["parameters"]:
            assert parameter["name"] in _LABELS, (card["name"], parameter["name"])
            assert parameter["about"], (card["name"], parameter["name"])
            assert label_of(card["name"], parameter["name"])


@pytest.mark.parametrize(
    ("card", "parameter", "kind"),
    [
        ("incremental", "strategy", "choice"),
        ("multiple-views", "columns", "columns"),
        ("multiple-views", "one_record", "flag"),
        ("multiple-views", "selection", "text"),
        ("marginals", "bins", "rows"),
        ("hd-composition", "permanent", "lines"),
        ("multi-level-perturbation", "retention", "number"),
        ("mdav", "optimal", "answer"),
        ("cluster-framework", "algorithms", "choices"),
    ],
)
def test_every_kind_of_parameter_has_its_control(card: str, parameter: str, kind: str) -> None:
    filter_models = next(each for each in ALL if each["name"] == card)
    assert {f.name: f.kind for f in fields_of(filter_models)}[parameter] == kind


def effect(raw: list[float | None]) -> Effect:
    return {
        "model": "k-anonymity(k=5)",
        "parameter": "k",
        "values": [2, 5, 10],
        "raw": raw,
        "coarse": [0.0, 0.042, None],
        "levels": {},
        "groups": 9,
        "words": [
            "at k=2 none",
            "at k=5 about 4.2 % of the records would be suppressed",
            "at k=10",
        ],
    }


def test_the_effect_is_a_sentence_a_table_and_a_chart() -> None:
    told = effect([0.5, 0.9, 1.0])
    assert effect_sentence(told, 5.0) == "At k=5 about 4.2 % of the records would be suppressed."
    assert effect_rows(told)[1:] == [("5", "4.2 %", "90 %"), ("10", "not known", "100 %")]
    chart = effect_chart(told, 5, 0.05)
    assert [series["data"] for series in chart["series"]] == [[0, 4.2, None], [50, 90, 100]]
    assert [
        mark.get("xAxis", mark.get("yAxis")) for mark in chart["series"][0]["markLine"]["data"]
    ] == [
        "5",
        5.0,
    ]


def test_what_is_hopeless_is_said_and_not_drawn() -> None:
    told = effect([0.99, 1.0, 1.0])
    assert effect_sentence(told, 5).endswith("Without generalization, practically all would be.")
    chart = effect_chart(told, 5, 0.0)
    assert len(chart["series"]) == 1
    assert chart["yAxis"]["max"] == 5


def test_threats_are_told_with_what_holds_them_off() -> None:
    told = promises_by_threat([{"model": "k-anonymity"}, {"model": "t-closeness"}], CARDS)
    assert list(told) == list(THREATS)
    assert told["record"] == ["k-anonymity"]
    assert told["attribute"] == ["t-closeness"]
    assert told["table"] == []


def test_suppression_is_told_in_records() -> None:
    assert suppression_words(0.05, 3000).startswith("Up to 5 % of the records (150 of 3,000)")
    assert suppression_words(0, 3000).startswith("No record may be suppressed")
