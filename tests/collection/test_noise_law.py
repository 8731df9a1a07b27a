"""Noise laws: densities, shares and draws are of one distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

from unlinkable.collection import NoiseLaw
from unlinkable.errors import ParameterError
from unlinkable.noise import secure_generator

KNOWN = {
    "uniform": stats.uniform(-3, 6),
    "gaussian": stats.norm(0, 3),
    "laplace": stats.laplace(0, 3),
}
KINDS = sorted(KNOWN)


@pytest.mark.parametrize("kind", KINDS)
def test_densities_are_those_of_the_books(kind: str) -> None:
    at = np.linspace(-9, 9, 37)
    assert NoiseLaw(3, kind).density(at) == pytest.approx(KNOWN[kind].pdf(at))


@pytest.mark.parametrize("kind", KINDS)
@given(st.floats(-8, 8), st.floats(0.1, 5), st.floats(-8, 8), st.floats(0.1, 5))
def test_shares_between_intervals_are_the_integral(
    kind: str, low: float, width: float, start: float, span: float
) -> None:
    law, known = NoiseLaw(3, kind), KNOWN[kind]
    ends = (np.array([x]) for x in (low, low + width, start, start + span))
    bends = sorted({min(max(e + s, start), start + span) for e in (low, low + width)
                    for s in (-3, 0, 3)})  # fmt: skip
    expected, _ = quad(
        lambda x: known.cdf(low + width - x) - known.cdf(low - x),
        start,
        start + span,
        points=[b for b in bends if start < b < start + span] or None,
    )
    assert law.share_between(*ends)[0] == pytest.approx(expected / span, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_shares_have_their_digits_far_out_on_both_sides(kind: str) -> None:
    law, far = NoiseLaw(1, kind), 30.0
    one = [np.array([x]) for x in (far, far + 0.1, 0.0, 0.1)]
    right = law.share_between(*one)[0]
    left = law.share_between(*(np.array([x]) for x in (-far, -far + 0.1, 0.0, 0.1)))[0]
    assert right == pytest.approx(0.1 * law.density(np.array([far]))[0], rel=0.5)
    assert left == pytest.approx(0.1 * law.density(np.array([far]))[0], rel=0.5)


@pytest.mark.parametrize("kind", KINDS)
def test_draws_are_of_the_distribution(kind: str) -> None:
    """By the test of Kolmogorov and Smirnov; false alarm with another key: one in a million."""
    drawn = NoiseLaw(3, kind).add(np.full(5000, 7.0), secure_generator(9)) - 7
    assert stats.kstest(drawn, KNOWN[kind].cdf).pvalue > 1e-6
    assert stats.kstest(drawn / 1.3, KNOWN[kind].cdf).pvalue < 1e-6


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_lies_in_the_width_with_this_confidence(kind: str) -> None:
    half = NoiseLaw(3, kind).width(0.9) / 2
    assert KNOWN[kind].cdf(half) - KNOWN[kind].cdf(-half) == pytest.approx(0.9)


@pytest.mark.parametrize("kind", KINDS)
def test_noise_reaches_as_far_as_its_density_is_a_number(kind: str) -> None:
    law = NoiseLaw(3, kind)
    assert law.density(np.array([law.reach]))[0] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_last_digits_are_rounded_away(kind: str) -> None:
    noisy = NoiseLaw(3, kind).add(np.full(1000, 0.123456789), secure_generator(9))
    steps = noisy * 2**19  # a step is 2 / 2**20
    assert (steps == np.rint(steps)).all()
    assert np.unique(noisy).size > 990


@pytest.mark.parametrize(("scale", "message"), [(0, "greater than 0"), (math.inf, "finite")])
def test_refuses_scales_that_are_none(scale: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        NoiseLaw(scale)


def test_refuses_unknown_noise_and_a_confidence_of_1() -> None:
    with pytest.raises(ParameterError, match="did you mean 'gaussian'"):
        NoiseLaw(1, "gausian")
    with pytest.raises(ParameterError, match=r"confidence must lie in \(0, 1\), got 1"):
        NoiseLaw(1).width(1)
