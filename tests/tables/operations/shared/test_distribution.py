"""Distributions of noise: each as it is named; their fit is tested with additive noise."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.errors import ParameterError
from unlinkable.tables.operations.shared.distribution import Distribution


@pytest.mark.parametrize(
    ("law", "spread"), [("gaussian", 2.0), ("uniform", 1.1547), ("laplace", 2.8284)]
)
def test_scales_are_those_of_the_literature(law: str, spread: float) -> None:
    drawn = Distribution(law).draw(np.random.default_rng(1), 2.0, 100_000)
    assert drawn.std() == pytest.approx(spread, rel=0.02)
    assert drawn.mean() == pytest.approx(0.0, abs=0.05)


def test_refuses_others() -> None:
    with pytest.raises(ParameterError, match="no distribution 'normal'"):
        Distribution("normal")
