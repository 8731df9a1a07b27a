"""Coefficients: exact, invertible, and as sensitive as is said."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.noise import Budget, Currency, SpendableBudget, price
from unlinkable.tables.methods.noisy.shared.fourier import (
    Basis,
    coefficients,
    noisy_coefficients,
    rows_of,
    signed_marginals,
)
from unlinkable.tables.methods.noisy.shared.marginals import Workload
from unlinkable.tables.methods.noisy.shared.noisy_marginals import marginals_of
from unlinkable.typing import CountArray

BINARY = Workload((2, 2, 2), ((0, 1), (1, 2)))
MIXED = Workload((2, 3, 5), ((0, 1), (1, 2), (0, 2)))
WIDE = Workload((3,) * 7, (tuple(range(7)),))


def drawn(workload: Workload, seed: int, n: int = 50) -> CountArray:
    rng = np.random.default_rng(seed)
    cells = rng.multinomial(n, rng.dirichlet(np.ones(workload.n_joint)))
    return cells.reshape(workload.sizes).astype(np.int64)


def counts(workload: Workload, table: CountArray) -> list[CountArray]:
    return [m.astype(np.int64) for m in marginals_of(workload, table.astype(float))]


def test_two_values_give_the_coefficients_of_walsh() -> None:
    table = drawn(BINARY, 0)
    found = coefficients(Basis.of(BINARY), counts(BINARY, table))
    for axes, value in found.items():
        signs = [(-1) ** sum(c[a] for a in axes) for c in product(range(2), repeat=3)]
        assert int(value.ravel()[0]) == int(np.dot(signs, table.ravel()))
    assert len(found) == 6
    assert all(Basis.of(BINARY).sensitivity(axes) == (1, 1.0) for axes in found)


@given(st.sampled_from([BINARY, MIXED]), st.integers(0, 10**6))
def test_marginals_come_back_from_their_coefficients(workload: Workload, seed: int) -> None:
    true = counts(workload, drawn(workload, seed))
    basis = Basis.of(workload)
    told = {s: c / basis.unit(s) for s, c in coefficients(basis, true).items()}
    for found, table in zip(signed_marginals(basis, told), true, strict=True):
        np.testing.assert_allclose(found, table, atol=1e-9)


def test_seven_attributes_of_three_cells_stay_within_whole_numbers() -> None:
    true = counts(WIDE, drawn(WIDE, 1, 10**6))
    basis = Basis.of(WIDE)
    told = {s: c / basis.unit(s) for s, c in coefficients(basis, true).items()}
    np.testing.assert_allclose(signed_marginals(basis, told)[0], true[0], atol=1e-4)


@pytest.mark.parametrize("workload", [BINARY, MIXED], ids=["binary", "mixed"])
def test_no_person_changes_coefficients_by_more_than_is_said(workload: Workload) -> None:
    basis = Basis.of(workload)
    for axes in workload.sets:
        l1 = l2 = 0.0
        for cell in np.eye(workload.n_joint, dtype=np.int64):
            one = counts(workload, cell.reshape(workload.sizes))
            change = coefficients(basis, one)[axes].ravel()
            l1 = max(l1, float(np.abs(change).sum()))
            l2 = max(l2, float(np.sqrt((change**2).sum())))
        assert (l1, l2) == pytest.approx(basis.sensitivity(axes), rel=1e-12)


def test_rows_are_the_coefficients_as_sums_over_cells() -> None:
    table = drawn(MIXED, 5)
    basis = Basis.of(MIXED)
    exact = coefficients(basis, counts(MIXED, table))
    by_rows = rows_of(basis, list(exact)) @ table.ravel()
    plain = np.concatenate([np.ravel(c / basis.unit(s)) for s, c in exact.items()])
    np.testing.assert_allclose(by_rows, plain, atol=1e-9)


@pytest.mark.parametrize("currency", list(Currency))
def test_every_coefficient_gets_the_same_noise_and_all_is_spent(currency: Currency) -> None:
    budget = Budget(1.0, 1e-6 if currency is Currency.CONCENTRATED else 0.0)
    spendable = SpendableBudget(budget, currency)
    basis = Basis.of(MIXED)
    told = noisy_coefficients(basis, counts(MIXED, drawn(MIXED, 2)), spendable)
    assert price(spendable.ledger).at(budget.delta) == pytest.approx(1.0, rel=1e-6)
    units = [basis.unit(s) for s in told]
    scales = [
        e.parameters["scale"] / u for e, u in zip(spendable.ledger.events, units, strict=True)
    ]
    assert all(math.isclose(scale, scales[0]) for scale in scales)
