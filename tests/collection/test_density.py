"""Densities: shares, quantiles and how they are told."""

from __future__ import annotations

import json

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.collection import Density

STEPS = Density(np.array([0.0, 2, 4, 6]), np.array([0.5, 0.0, 0.5]), n=10, rounds=4)


def test_shares_heights_and_mean() -> None:
    assert STEPS.midpoints.tolist() == [1, 3, 5]
    assert STEPS.heights.tolist() == [0.25, 0, 0.25]
    assert STEPS.mean == 3
    assert STEPS.share(1, 5) == 0.5
    assert STEPS.share(-9, 9) == 1


@given(st.floats(0.01, 0.49) | st.floats(0.51, 0.99))
def test_below_a_quantile_lies_its_share(share: float) -> None:
    assert STEPS.share(0, STEPS.quantile(share)) == pytest.approx(share)


def test_a_density_is_told_as_json() -> None:
    ends = np.zeros(3), np.ones(3)
    told = json.loads(json.dumps(evolve(STEPS, low=ends[0], high=ends[1], gap=0.5).to_json()))
    assert told["intervals"][0] == {"from": 0, "to": 2, "share": 0.5, "low": 0, "high": 1}
    assert (told["records"], told["rounds"], told["converged"], told["gap"]) == (10, 4, True, 0.5)
    assert STEPS.to_json()["intervals"][0]["low"] is None  # type: ignore[index]
