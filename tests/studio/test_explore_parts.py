"""Methods that are offered, tables and charts of results, and comparisons, without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from unlinkable.studio.contracts import AttributeOutcome, MethodFit, Outcome
from unlinkable.studio.pages.explore.comparison_view import (
    compare_columns,
    distribution_chart,
    sizes_chart,
    verdict_words,
)
from unlinkable.studio.pages.explore.explore_state import parameters_of, write_method
from unlinkable.studio.pages.explore.method_picker import (
    default_methods,
    rank_methods,
)
from unlinkable.studio.pages.explore.results_view import (
    drawable,
    promise_verdict,
    result_cells,
    scatter_chart,
)
from unlinkable.studio.tasks.plans import registry_cards

CARDS = registry_cards("method")


def attribute(name: str, loss: float, level: int | None) -> AttributeOutcome:
    return {
        "name": name,
        "loss": loss,
        "level": level,
        "height": 3,
        "distinct_before": 70,
        "distinct_after": 7,
        "before": [("young", 0.4), ("old", 0.6)],
        "after": [("young", 0.5), ("old", 0.5)],
        "examples": [("[0-10)", 4)],
    }


def outcome(run: int, **facts: Any) -> Outcome:
    made: Outcome = {
        "run": run,
        "title": "mondrian",
        "created": "2026-01-01T00:00:00+00:00",
        "release": {
            "holds": True,
            "models": [{"model": "k-anonymity(k=5)", "holds": True}],
            "suppressed": 12,
            "groups": 40,
            "seconds": 2.04,
        },
        "kind": "generalized",
        "plan": {},
        "metric": "iloss",
        "loss": 0.3,
        "suppression": 0.004,
        "attributes": [attribute("age", 0.2, 1)],
        "sizes": [{"low": 5, "high": 9, "groups": 30, "records": 200}],
        "exposure": {"highest": 0.2, "average": 0.1, "attribute": 0.5},
        "exposure_before": {"highest": 1.0, "average": 0.9, "attribute": 1.0},
    }
    return {**made, **facts}  # type: ignore[typeddict-item]


def serving(*refused: str) -> list[MethodFit]:
    return [
        {"method": c["name"], "refusal": "it cannot" if c["name"] in refused else None}
        for c in CARDS
    ]


def test_recommended_methods_can_be_used_and_all_others_follow() -> None:
    recommended, rest = rank_methods(CARDS, serving("mondrian", "flash"))
    assert [card["name"] for card, _ in recommended][:2] == ["optimal", "best"]
    assert all(refusal is None for _, refusal in recommended)
    assert {card["name"] for card, _ in [*recommended, *rest]} == {card["name"] for card in CARDS}
    assert [refusal is not None for _, refusal in rest][-2:] == [True, True]
    assert default_methods(recommended) == ["optimal", "best"]
    assert all(card["summary"] for card in CARDS)


def test_methods_are_written_and_read_again() -> None:
    picked: dict[str, dict[str, object]] = {
        "mondrian": {"strict": False, "labels": "taxonomy"},
        "optimal": {"time": 2.5},
        "datafly": {},
    }
    assert parameters_of([write_method(name, given) for name, given in picked.items()]) == picked


def test_a_result_is_told_in_a_line() -> None:
    assert dict(result_cells(outcome(1))) == {
        "Promises": "✓ kept",
        "Suppressed": "0.4 % (12 records)",
        "Loss": "0.3",
        "Highest risk": "100 % → 20 %",
        "Groups": "40",
        "Time": "2.0 s",
    }


def test_a_broken_promise_and_none_at_all_are_told_apart() -> None:
    broken = {"holds": False, "models": [{"holds": False}, {"holds": True}]}
    assert promise_verdict(outcome(1, release=broken))[1] == "1 of 2 not kept"
    assert (
        promise_verdict(outcome(1, release={"holds": True, "models": []}))[1] == "nothing promised"
    )


def test_what_has_no_numbers_is_left_out_of_the_chart() -> None:
    runs = [outcome(1), outcome(2, loss=None), outcome(3, exposure=None, exposure_before=None)]
    assert [o["run"] for o in drawable(runs)] == [1]
    assert dict(result_cells(runs[2]))["Highest risk"] == "not counted"


@pytest.mark.parametrize(("which", "risk", "before"), [("highest", 20, 100), ("average", 10, 90)])
def test_the_chart_has_results_and_the_table_as_it_is(
    which: str, risk: float, before: float
) -> None:
    chart = scatter_chart([outcome(1), outcome(2, loss=0.1, is_stale=True)], 2, which)
    results, origin = chart["series"]
    assert [point["value"] for point in results["data"]] == [[0.3, risk], [0.1, risk]]
    assert [point["symbol"] for point in results["data"]] == ["circle", "emptyCircle"]
    assert results["data"][1]["label"]["formatter"] == "2 ★"
    assert origin["data"][0]["value"] == [0, before]


def test_attributes_are_put_side_by_side() -> None:
    other = outcome(2, attributes=[attribute("age", 0.1, None), attribute("zip", 1.0, 3)])
    age, zip_ = compare_columns(outcome(1), other)
    assert age.better() == 1
    assert age.words(0) == "level 1 of 3; 7 distinct values instead of 70"
    assert age.words(1).startswith("mixed levels; ")
    assert zip_.losses() == (None, 1.0)
    assert zip_.words(0) == "as it was"
    assert zip_.words(1).startswith("suppressed; ")
    chart = distribution_chart(age, outcome(1), other)
    assert [series["data"] for series in chart["series"]] == [[40, 60], [50, 50], [50, 50]]


def test_group_sizes_are_shares_of_the_records() -> None:
    large = [{"low": 10, "high": 19, "groups": 5, "records": 60}]
    chart = sizes_chart(outcome(1), outcome(2, sizes=large))
    assert chart["xAxis"]["data"] == ["5 to 9", "10 to 19"]
    assert [series["data"] for series in chart["series"]] == [[100, 0], [0, 100]]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"loss": 0.1}, "Result 2 loses less (0.1 against 0.3)."),
        ({"loss": 0.1, "suppression": 0.05}, "but suppresses more records."),
        ({"loss": 0.1, "suppression": 0.0}, "and suppresses fewer records."),
        ({"loss": 0.3}, "Both lose about the same."),
        ({"metric": "dm"}, "not measured in the same way"),
    ],
)
def test_the_difference_is_said_in_a_sentence(facts: dict[str, Any], words: str) -> None:
    assert words in verdict_words(outcome(1), outcome(2, **facts))
