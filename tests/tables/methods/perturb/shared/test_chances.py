"""Chances: price, estimates and the relation to (d,gamma)-privacy, against their definitions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.witness.swapping import alpha_beta_epsilon
from unlinkable.noise import Neighbours, price
from unlinkable.tables.methods.perturb.shared.chances import (
    Chances,
    epsilon_of_chances,
    estimated_count,
    least_gamma,
)
from unlinkable.tables.models import DGammaPrivacy

SHARES = st.fractions(Fraction(1, 20), Fraction(1, 2), max_denominator=20)


@given(SHARES, SHARES)
def test_the_price_is_the_largest_ratio_over_all_tables(alpha: Fraction, beta: Fraction) -> None:
    assume(alpha + beta < 1)
    expected = alpha_beta_epsilon("ab", alpha, beta)
    assert epsilon_of_chances(float(alpha), float(beta)) == pytest.approx(expected)
    ledger = Chances(float(alpha), float(beta)).ledger()
    assert price(ledger).at(0) == pytest.approx(expected)
    assert ledger.neighbours is Neighbours.ADD_REMOVE


def test_proofs_have_no_price_and_pure_chance_costs_nothing() -> None:
    assert epsilon_of_chances(0.5, 0.0) == math.inf
    assert epsilon_of_chances(0.5, 0.5) == math.inf
    assert epsilon_of_chances(0.0, 0.3) == 0.0


@given(st.integers(0, 50), st.integers(0, 50), SHARES, SHARES)
def test_estimates_have_no_bias(true: int, false: int, alpha: Fraction, beta: Fraction) -> None:
    expected = true * (alpha + beta) + false * beta
    found = estimated_count(expected, true + false, alpha, beta)  # type: ignore[arg-type]
    assert found == true


@given(SHARES, SHARES, SHARES, st.fractions(Fraction(1, 50), 1, max_denominator=50))
def test_gamma_bounds_what_is_believed_of_independent_records(
    alpha: Fraction, beta: Fraction, d: Fraction, share: Fraction
) -> None:
    assume(alpha + beta < 1)
    kept, prior = alpha + beta, d * share
    if_shown = prior * kept / (prior * kept + (1 - prior) * beta)
    if_not = prior * (1 - kept) / (prior * (1 - kept) + (1 - prior) * (1 - beta))
    gamma = least_gamma(float(alpha), float(beta), float(d))
    if gamma <= 1:
        promise = DGammaPrivacy(d, min(Fraction(gamma) + Fraction(1, 10**9), Fraction(1)))
        assert promise.judge_beliefs([prior, prior], [if_shown, if_not]).all()


def test_gamma_is_the_least_that_is_kept() -> None:
    alpha, beta, d = Fraction(1, 4), Fraction(1, 4), Fraction(1, 10)
    gamma = Fraction(least_gamma(0.25, 0.25, 0.1))
    posterior = d * (alpha + beta) / (d * (alpha + beta) + (1 - d) * beta)
    less = DGammaPrivacy(d, gamma - Fraction(1, 1000))
    assert not less.judge_beliefs([d], [posterior]).all()
    assert least_gamma(0.5, 0.5, 0.1) == math.inf
