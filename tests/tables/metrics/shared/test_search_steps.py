"""Steps: how splits and disclosures are counted, and what does not fit together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.tables.metrics import IGPL, ILPG, InformationGain
from unlinkable.tables.metrics.shared.discernibility_score import DiscernibilityScore
from unlinkable.tables.metrics.shared.search_steps import (
    Score,
    Steps,
    mean_anonymity,
    sum_of_squares,
)

SCORES: list[Score] = [InformationGain(), IGPL(), ILPG(), DiscernibilityScore()]
TWO: dict[str, Any] = {
    "above": [[5, 6], [3, 0]],
    "starts": [0, 2, 3],
    "below": [[5, 1], [0, 5], [3, 0]],
}
COUNTS = st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2), min_size=1, max_size=6)


@given(COUNTS)
def test_a_split_puts_each_value_to_one_side(counts: list[list[int]]) -> None:
    steps = Steps.splitting(counts)
    assert len(steps) == len(counts) - 1
    for s in range(len(steps)):
        left, right = counts[: s + 1], counts[s + 1 :]
        sides = [[sum(column) for column in zip(*side, strict=True)] for side in (left, right)]
        assert steps.below[2 * s : 2 * s + 2].tolist() == sides


@given(COUNTS)
def test_a_disclosure_leaves_the_rest_suppressed(counts: list[list[int]]) -> None:
    steps = Steps.disclosing(counts)
    assert len(steps) == len(counts)
    for s in range(len(steps)):
        rest = [row for i, row in enumerate(counts) if i != s]
        left = [sum(row[c] for row in rest) for c in range(2)]
        assert steps.below[2 * s : 2 * s + 2].tolist() == [counts[s], left]


def test_each_record_is_one_unit_of_distortion_unless_told_otherwise() -> None:
    assert Steps(**TWO).distortion.tolist() == [11.0, 3.0]
    assert Steps(**TWO, distortion=[22, 6]).distortion.tolist() == [22.0, 6.0]


def test_anonymity_is_the_mean_over_the_quasi_identifiers_with_the_attribute() -> None:
    contains = np.array([[True, True], [False, True], [False, False]])
    assert mean_anonymity([[16, 11], [16, 11], [16, 11]], contains).tolist() == [13.5, 11.0, 0.0]


def test_squares_of_the_largest_groups_do_not_overflow() -> None:
    sizes = np.array([2**31 - 1, 2**31 - 1])
    assert sum_of_squares(sizes, np.array([0, 0], np.int32), 1).tolist() == [2 * (2**31 - 1) ** 2]


@pytest.mark.parametrize("score", SCORES, ids=lambda score: type(score).__name__)
def test_no_steps_have_no_scores(score: Score) -> None:
    none = Steps(
        above=np.zeros((0, 2)),
        starts=[0],
        below=np.zeros((0, 2)),
        anonymity_above=[],
        anonymity_below=[],
        squares_above=[],
        squares_below=[],
    )
    assert score.score(none).tolist() == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"above": [5, 6]}, "do not fit together"),
        ({"starts": [0, 3]}, r"classes of \(2, 2\) values and of \(3, 2\) children"),
        ({"starts": [0, 2, 4]}, "do not fit together, with 3 starts"),
        ({"below": [[5], [0], [3]]}, "do not fit together"),
        ({"anonymity_above": [1]}, "expected one number for each of 2 steps"),
        ({"squares_below": [[1, 2]]}, "expected one number for each of 2 steps"),
        ({"distortion": [1, 2, 3]}, "expected one number for each of 2 steps"),
        ({"above": [[5, 6], [2, 1]]}, "the children are not those of the values above"),
    ],
    ids=["flat", "short", "long", "classes", "anonymity", "squares", "distortion", "sums"],
)
def test_refuses_what_does_not_fit_together(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Steps(**{**TWO, **change})


def test_refuses_what_is_not_known() -> None:
    steps = Steps(**TWO, anonymity_above=[1, 1], squares_above=[1, 1])
    with pytest.raises(UnsupportedError, match="how much anonymity the steps cost is not known"):
        IGPL().score(steps)
    with pytest.raises(UnsupportedError, match="how much anonymity the steps cost is not known"):
        ILPG().score(steps)
    with pytest.raises(UnsupportedError, match="which groups the steps concern is not known"):
        DiscernibilityScore().score(steps)
