"""A spendable cannot be overspent, and its ledger says all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import InfeasibleError
from unlinkable.noise import Budget, Cost, Event, Mechanism, SpendableBudget, concentrated, price

COUNTS = np.array([3, 4])
BUDGETS = [Budget(1.0), Budget(0.1), Budget(2.0, 1e-6), Budget(0.5, 1e-9)]


@given(
    st.sampled_from(BUDGETS),
    st.booleans(),
    st.lists(st.tuples(st.sampled_from("cmx"), st.floats(0.01, 0.9)), max_size=5),
)
def test_no_order_of_purchases_overspends(
    budget: Budget, is_concentrated: bool, wishes: list[tuple[str, float]]
) -> None:
    is_concentrated = is_concentrated and budget.delta > 0
    spendable = SpendableBudget(budget, "concentrated" if is_concentrated else "pure")
    n_bought = 0
    for kind, share in wishes:
        before = spendable.ledger
        try:
            if kind == "c":
                spendable.count(COUNTS, l1=2, l2=math.sqrt(2), share=share, what="counts")
            elif kind == "m":
                spendable.measure(COUNTS / 2, l1=2, l2=1, share=share, what="numbers")
            else:
                spendable.choose(COUNTS, sensitivity=1, share=share, what="a choice")
            n_bought += 1
        except InfeasibleError:
            assert spendable.ledger is before
    assert len(spendable.ledger.events) == n_bought
    assert price(spendable.ledger).at(budget.delta) <= budget.epsilon * (1 + 1e-9)


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("n", [1, 3, 28])
def test_shares_that_add_up_to_one_spend_all_and_no_more(budget: Budget, n: int) -> None:
    for currency in ("pure", "concentrated") if budget.delta else ("pure",):
        spendable = SpendableBudget(budget, currency)
        for i in range(n):
            spendable.count(COUNTS, l1=1, l2=1, share=1 / n, what=f"part {i}")
        spent = price(spendable.ledger).at(budget.delta)
        assert spent <= budget.epsilon * (1 + 1e-9)
        if currency == "concentrated" or not budget.delta:
            assert spent == pytest.approx(budget.epsilon, rel=1e-6)
        with pytest.raises(InfeasibleError, match="one more would bring the noise to epsilon"):
            spendable.choose(COUNTS, sensitivity=1, share=2, what="one more")


def test_pays_in_the_currency_that_it_has() -> None:
    pure, other = SpendableBudget(Budget(1.0)), SpendableBudget(Budget(1.0, 1e-6), "concentrated")
    for spendable in (pure, other):
        spendable.count(COUNTS, l1=2, l2=1, share=0.25, what="a")
        spendable.measure(COUNTS / 2, l1=2, l2=1, share=0.25, what="b")
        spendable.choose(COUNTS, sensitivity=1, share=0.25, what="c")
    kinds = [[event.mechanism for event in spendable.ledger.events] for spendable in (pure, other)]
    assert kinds == [
        [Mechanism.GEOMETRIC, Mechanism.LAPLACE, Mechanism.PURE],
        [Mechanism.GAUSSIAN, Mechanism.GAUSSIAN, Mechanism.CONCENTRATED],
    ]
    assert pure.ledger.events[0].parameters == {"sensitivity": 2, "scale": 8.0}
    sigma = other.ledger.events[0].parameters["scale"]
    assert sigma == pytest.approx(1 / math.sqrt(2 * 0.25 * concentrated(other.budget)))


@pytest.mark.parametrize("budget", [Budget(1.0, 1e-6), Budget(0.01, 1e-12), Budget(10.0, 0.01)])
def test_rho_is_the_largest_that_the_budget_allows(budget: Budget) -> None:
    rho = concentrated(budget)
    assert Cost(math.inf, rho).at(budget.delta) <= budget.epsilon
    assert Cost(math.inf, 1.000001 * rho).at(budget.delta) > budget.epsilon
    by_formula = rho + 2 * math.sqrt(rho * math.log(1 / budget.delta))
    assert by_formula >= budget.epsilon * (1 - 1e-6)


@pytest.mark.parametrize(
    ("budget", "currency", "message"),
    [
        (Budget(0.0), "pure", "epsilon = 0 allows nothing to be told"),
        (Budget(1.0), "concentrated", "need a delta greater than 0"),
    ],
)
def test_budgets_that_cannot_buy_anything_are_refused(
    budget: Budget, currency: str, message: str
) -> None:
    with pytest.raises(InfeasibleError, match=message):
        SpendableBudget(budget, currency)


def test_a_budget_too_small_for_any_noise_is_refused() -> None:
    with pytest.raises(InfeasibleError, match="is too little to be split"):
        concentrated(Budget(1e-20, 1e-300))


def test_an_event_that_is_not_affordable_is_not_written_down() -> None:
    spendable = SpendableBudget(Budget(1.0, 1e-6))
    with pytest.raises(InfeasibleError, match=r"approximate .* epsilon = inf at delta = 1e-06"):
        spendable.spend(Event("approximate", {"epsilon": 0.1, "delta": 1e-3}))
    assert not spendable.ledger.events
