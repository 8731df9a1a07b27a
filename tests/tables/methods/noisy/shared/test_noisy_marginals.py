"""Marginals as they are told: paid for, agreeing, and near the truth."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.noise import Budget, Mechanism, price
from unlinkable.tables.methods.noisy.shared.fourier import Basis, rows_of
from unlinkable.tables.methods.noisy.shared.marginals import Workload, agreeing
from unlinkable.tables.methods.noisy.shared.noisy_marginals import (
    Consistency,
    NoisyMarginals,
    add_noise,
    least_deviation,
    least_squares,
    marginals_of,
    rounded,
    summing,
)
from unlinkable.typing import CountArray

SMALL = Workload((2, 3, 2), ((0, 1), (1, 2), (0, 2)))
LARGE = Workload((17, 17, 17), ((0, 1), (1, 2), (0, 2)))
BUDGETS = [Budget(1.0), Budget(0.2, 1e-6), Budget(5.0, 1e-5)]


def counts(workload: Workload, seed: int, n: int) -> list[CountArray]:
    rng = np.random.default_rng(seed)
    table = rng.multinomial(n, rng.dirichlet(np.full(workload.n_joint, 0.2)))
    noisy = marginals_of(workload, table.reshape(workload.sizes).astype(float))
    return [m.astype(np.int64) for m in noisy]


def noisy_by(
    workload: Workload,
    budget: Budget,
    how: str,
    *,
    whole: bool = True,
    n: int = 1000,
    seed: int = 0,
) -> NoisyMarginals:
    names = [f"marginal {i}" for i in range(len(workload.marginals))]
    true = counts(workload, seed, n)
    return add_noise(workload, true, names, budget, how=Consistency(how), whole=whole)


def agree(workload: Workload, noisy: NoisyMarginals, tolerance: float) -> bool:
    again = agreeing(workload, noisy.tables, [1.0] * len(noisy.tables))
    pairs = zip(noisy.tables, again, strict=True)
    return all(np.abs(a - b).max() <= tolerance for a, b in pairs)


@given(
    st.sampled_from([SMALL, LARGE]),
    st.sampled_from(BUDGETS),
    st.sampled_from(list(Consistency)),
    st.booleans(),
)
@settings(max_examples=30)
def test_all_is_paid_for_and_no_more_than_allowed(
    workload: Workload, budget: Budget, how: Consistency, whole: bool
) -> None:
    noisy = noisy_by(workload, budget, how, whole=whole)
    spent = price(noisy.ledger).at(budget.delta)
    assert 0.9 * budget.epsilon < spent <= budget.epsilon * (1 + 1e-9)
    assert [t.shape for t in noisy.tables] == [workload.shape(a) for a in workload.marginals]
    if whole:
        assert all((t == np.rint(t)).all() for t in noisy.tables)


@pytest.mark.parametrize("how", ["projection", "fourier"])
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("n", [0, 5, 1000])
def test_small_tables_agree_exactly_and_have_no_negative_count(
    how: str, whole: bool, n: int
) -> None:
    noisy = noisy_by(SMALL, Budget(0.5), how, whole=whole, n=n)
    assert noisy.is_joint
    assert agree(SMALL, noisy, 1e-8)
    assert min(t.min() for t in noisy.tables) >= 0


@pytest.mark.parametrize("how", ["projection", "fourier"])
def test_large_tables_agree_where_they_overlap(how: str) -> None:
    exact = noisy_by(LARGE, Budget(1.0), how, whole=False)
    assert not exact.is_joint
    assert agree(LARGE, exact, 1e-8)
    assert min(t.min() for t in exact.tables) >= 0
    assert agree(LARGE, noisy_by(LARGE, Budget(1.0), how), 1.0)


@pytest.mark.statistical
def test_agreement_brings_counts_nearer_to_the_truth() -> None:
    # Projection takes away more than half of the squared error here; 20 runs with a factor of two
    # to spare fail less than once in a million times.
    errors = dict.fromkeys(("none", "projection"), 0.0)
    for seed in range(20):
        true = counts(LARGE, seed, 1000)
        for how in errors:
            noisy = noisy_by(LARGE, Budget(1.0), how, seed=seed)
            errors[how] += sum(
                float(((a - b) ** 2).sum()) for a, b in zip(noisy.tables, true, strict=True)
            )
    assert errors["projection"] < 0.8 * errors["none"]


@pytest.mark.statistical
@pytest.mark.parametrize("budget", BUDGETS)
def test_the_deviation_that_is_told_is_that_of_the_noise(budget: Budget) -> None:
    # The deviation of 867 draws is off by 25 % less than once in a million times.
    true = counts(LARGE, 0, 1000)
    noisy = noisy_by(LARGE, budget, "none")
    noise = np.concatenate([(a - b).ravel() for a, b in zip(noisy.tables, true, strict=True)])
    assert np.std(noise) == pytest.approx(noisy.deviation, rel=0.25)


def test_one_marginal_is_only_cut_off_at_zero() -> None:
    one = Workload((50,), ((0,),))
    noisy = add_noise(
        one, [np.zeros(50, np.int64)], ["a"], Budget(0.1), how=Consistency.PROJECTION, whole=True
    )
    assert noisy.tables[0].min() == 0 < noisy.tables[0].max()
    assert noisy.is_joint


def test_events_are_named_and_sized() -> None:
    noisy = noisy_by(SMALL, Budget(0.5), "none")
    assert [event.what for event in noisy.ledger.events] == [
        "marginal 0",
        "marginal 1",
        "marginal 2",
    ]
    assert {event.mechanism for event in noisy.ledger.events} == {Mechanism.GEOMETRIC}
    scales = [event.parameters["scale"] for event in noisy.ledger.events]
    assert scales == pytest.approx([6.0] * 3)


def test_an_unknown_consistency_is_refused() -> None:
    with pytest.raises(ParameterError, match="no consistency 'fourir' among 3"):
        Consistency("fourir")


PAIRS = Workload((2, 2, 2), ((0, 1), (1, 2), (0, 2)))


@given(st.integers(0, 10**6), st.floats(0.2, 5))
def test_least_squares_meet_the_conditions_of_optimality(seed: int, weight: float) -> None:
    rng = np.random.default_rng(seed)
    told = [rng.normal(2, 4, (2, 2)) for _ in range(3)]
    weights = [1.0, weight, 1.0]
    table = least_squares(PAIRS, told, weights)
    slope = np.zeros(8)
    for axes, t, w in zip(PAIRS.marginals, told, weights, strict=True):
        matrix = summing(PAIRS, axes)
        slope += 2 * w * matrix.T @ (matrix @ table.ravel() - t.ravel())
    assert (table >= 0).all()
    assert (slope >= -1e-6).all()
    assert abs(slope @ table.ravel()) < 1e-6


@given(st.lists(st.integers(-6, 12), min_size=4, max_size=4))
def test_no_small_table_deviates_less_than_the_linear_program(told: list[int]) -> None:
    workload = Workload((2, 2), ((0, 1),))
    basis = Basis.of(workload)
    matrix = rows_of(basis, workload.sets)
    wanted = np.array(told, float)
    best = np.abs(matrix @ least_deviation(workload, matrix, wanted).ravel() - wanted).max()
    for cells in product(range(7), repeat=4):
        assert np.abs(matrix @ np.array(cells) - wanted).max() >= best - 1e-7


@given(st.lists(st.floats(0, 9), min_size=1, max_size=20))
def test_rounding_keeps_all_sums_from_the_first_cell_on(cells: list[float]) -> None:
    table = rounded(np.array(cells))
    assert (table >= 0).all()
    assert np.abs(np.cumsum(table) - np.cumsum(cells)).max() <= 0.5 + 1e-9


def test_marginals_are_sums_over_the_table() -> None:
    table = np.arange(8.0).reshape(2, 2, 2)
    for axes, marginal in zip(PAIRS.marginals, marginals_of(PAIRS, table), strict=True):
        assert (summing(PAIRS, axes) @ table.ravel()).tolist() == marginal.ravel().tolist()
