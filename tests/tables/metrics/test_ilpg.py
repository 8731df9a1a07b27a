"""ILPG: the definition read upwards, what gains nothing, and why it is not monotone."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given

from tests import cases
from tests.tables.groups.plain import rows_of_case
from tests.tables.metrics.class_releases import Drawn, releases_with_classes
from tests.tables.metrics.refinements import Worked
from unlinkable.tables.metrics import IGPL, ILPG, InformationGain, MinimalDistortion
from unlinkable.tables.metrics.shared.search_steps import Steps


def value_of(rows: list[list[int]], labels: list[int]) -> float:
    return ILPG().value(Drawn(rows, labels).shown)


def by_definition(drawn: Drawn) -> float:
    """What the original tells and the release does not, over what the smallest group gains."""
    n = sum(drawn.whole)
    lost = InformationGain().value(drawn.raw().shown) - InformationGain().value(drawn.shown)
    smallest = [min(map(sum, groups), default=n) for groups in (drawn.groups, drawn.rows)]
    if smallest[0] > smallest[1]:
        return lost / (smallest[0] - smallest[1])
    return inf if lost > 1e-9 else 0.0


def test_example_6_3_read_upwards_prefers_what_loses_little_per_record() -> None:
    case = cases.load("book-ch06-ex6.3-infogain-vs-igpl")
    rows = rows_of_case(case["input"]["table"])
    qid = case["input"]["requirement"]["qid"]
    worked = Worked(rows, ["Y", "N"], case["input"]["taxonomies"], [qid])
    candidates = case["expected"]["trace_igpl"][0]["candidates"]
    scores = ILPG().score(worked.steps(candidates)).tolist()
    # The way back from each first specialization: what it gained over the anonymity it cost.
    assert scores == pytest.approx([c["InfoGain"] / c["AnonyLoss"] for c in candidates], abs=1e-6)
    assert candidates[int(np.argmin(scores))]["value"] == "[1-99)"


def test_a_step_that_gains_no_privacy_is_infinitely_bad_whatever_it_loses() -> None:
    """Going back from University in example 7.3 frees nobody: its privacy gain is 0."""
    trace = cases.load("book-ch07-ex7.3-tdr")["expected"]["trace_igpl"][3]["candidates"]
    free = next(c for c in trace if c["value"] == "University")
    assert free["AnonyLoss"] == 0
    steps = Steps(
        above=[[16, 2], [8, 0], [4, 4]],
        starts=[0, 2, 4, 6],
        below=[[8, 2], [8, 0], [7, 0], [1, 0], [4, 0], [0, 4]],
        anonymity_above=[7, 7, 8],
        anonymity_below=[7, 7, 4],
    )
    assert ILPG().score(steps).tolist() == [inf, inf, 0.25]


@given(releases_with_classes())
def test_says_what_the_definition_says(drawn: Drawn) -> None:
    value = ILPG().value(drawn.shown)
    assert value == pytest.approx(by_definition(drawn), abs=1e-12)
    details = ILPG().details(drawn.shown)
    if details["privacy gain"]:
        assert value == details["loss"] / details["privacy gain"]


@given(releases_with_classes(all_published=True))
def test_gain_and_loss_add_up_to_what_the_original_tells(drawn: Drawn) -> None:
    lost, gained = ILPG().details(drawn.shown)["loss"], IGPL().details(drawn.shown)["gain"]
    assert lost >= 0
    assert lost + gained == pytest.approx(InformationGain().value(drawn.raw().shown), abs=1e-12)


@given(releases_with_classes())
def test_by_distortion_the_loss_is_minimal_distortion(drawn: Drawn) -> None:
    metric = ILPG("distortion")
    details = metric.details(drawn.shown)
    assert details["loss"] == MinimalDistortion().value(drawn.shown)
    if details["privacy gain"]:
        assert metric.value(drawn.shown) == details["loss"] / details["privacy gain"]


def test_by_distortion_steps_score_by_their_records() -> None:
    steps = Steps(
        above=[[3, 4]],
        starts=[0, 2],
        below=[[3, 0], [0, 4]],
        anonymity_above=[7],
        anonymity_below=[3],
    )
    assert ILPG("distortion").score(steps).tolist() == [7 / 4]


@given(releases_with_classes())
def test_the_original_loses_nothing_and_gains_nothing(drawn: Drawn) -> None:
    assert ILPG().value(drawn.raw().shown) == 0.0


def test_records_of_equal_shares_are_merged_at_no_loss() -> None:
    """The shares of 3 in 7 are no short fractions: what is lost must still be exactly 0."""
    rows = [[3 * n, 4 * n] for n in (1, 5, 11)]
    assert value_of([*rows, [1, 0]], [0, 0, 0, 1]) == 0.0
    assert value_of([*rows, [1, 0]], [0, 0, 1, 1]) > 0


def test_merging_may_lower_it_or_raise_it() -> None:
    rows = [[1, 0], [0, 1], [1, 0], [0, 1]]
    labels = [[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 1, 1], [0, 0, 0, 0]]
    assert [value_of(rows, each) for each in labels] == [0.0, inf, 1.0, 1 / 3]
    assert not ILPG().monotone


def test_leaving_all_out_loses_all_and_frees_everybody() -> None:
    assert value_of([[1, 0], [0, 1], [2, 2]], [-1, -1, -1]) == pytest.approx((2 / 6) / (6 - 1))
