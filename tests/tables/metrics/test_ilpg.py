"""ILPG: the definition read upwards, what gains nothing, and why it is not monotone."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given

from tests.tables.metrics.class_releases import Drawn, releases_with_classes
from unlinkable.tables.metrics import IGPL, ILPG, InformationGain, MinimalDistortion


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
