"""What the events of a ledger cost together, against the formulas of the literature."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from unlinkable.errors import DataError
from unlinkable.noise import Cost, Event, Ledger, price
from unlinkable.tables.models.differential_privacy import epsilon_of

CLOSE = 1e-9


def laplace(sensitivity: float, scale: float, cell: str | None = None, times: int = 1) -> Event:
    told = {"sensitivity": sensitivity, "scale": scale}
    partition = None if cell is None else "by sex"
    return Event("laplace", told, times=times, partition=partition, cell=cell)


def epsilon(*events: Event, delta: float = 0.0, neighbours: str = "add-remove") -> float:
    return price(Ledger(events, neighbours)).at(delta)


def test_the_worked_example_of_laplace_noise() -> None:
    case = cases.load("book-ch02-differential-privacy-ratio")
    given_, expected = case["input"], case["expected"]
    noise = given_["laplace"]
    right = laplace(noise["sensitivity"], expected["laplace_scale_correct"])
    assert epsilon(right) == noise["epsilon"]
    printed = laplace(noise["sensitivity"], expected["laplace_scale_by_printed_formula"])
    assert epsilon(printed) == expected["epsilon_actually_given_by_printed_scale"]
    found = epsilon_of(*given_["discrete"].values())
    assert found == pytest.approx(expected["discrete_epsilon"], rel=1e-12)


def test_an_outcome_that_only_one_table_has_costs_everything() -> None:
    assert epsilon_of({"a": 1.0}, {"a": 0.5, "b": 0.5}) == math.inf
    assert epsilon_of({}, {}) == 0.0


@given(st.lists(st.tuples(st.floats(0.1, 10), st.floats(0.1, 10)), min_size=1, max_size=6))
def test_what_is_told_one_after_the_other_adds_up(noise: list[tuple[float, float]]) -> None:
    found = epsilon(*(laplace(s, b) for s, b in noise))
    total = math.fsum(s / b for s, b in noise)
    assert total * (1 - CLOSE) <= found <= total * (1 + CLOSE)


def test_what_is_told_of_different_people_costs_the_dearest() -> None:
    events = [laplace(1, 4, "f"), laplace(1, 2, "m"), laplace(1, 4)]
    assert epsilon(*events) == pytest.approx(0.5 + 0.25, rel=CLOSE)


def test_a_person_who_is_replaced_may_change_from_one_cell_to_another() -> None:
    events = [laplace(1, 4, "f"), laplace(1, 2, "m"), laplace(1, 10, "x")]
    assert epsilon(*events, neighbours="replace") == pytest.approx(0.75, rel=CLOSE)


def test_gaussian_noise_is_priced_with_delta_alone() -> None:
    event = Event("gaussian", {"sensitivity": 2, "scale": 10})
    rho = (2 / 10) ** 2 / 2
    assert price(Ledger([event])).rho == pytest.approx(rho, rel=CLOSE)
    assert epsilon(event) == math.inf
    simple = rho + 2 * math.sqrt(rho * math.log(1e6))
    assert 0 < epsilon(event, delta=1e-6) <= simple


def test_many_small_costs_add_up_to_less_with_delta() -> None:
    event = laplace(1, 10, times=300)
    assert epsilon(event) == pytest.approx(30, rel=CLOSE)
    rho = 300 * 0.1**2 / 2
    assert epsilon(event, delta=1e-6) <= rho + 2 * math.sqrt(rho * math.log(1e6)) < 15


def test_randomized_response_costs_the_ratio_of_truth_to_lie() -> None:
    event = Event("randomized-response", {"truth": 0.75, "categories": 2})
    assert epsilon(event) == pytest.approx(math.log(3), rel=CLOSE)
    event = Event("randomized-response", {"truth": 0.5, "categories": 3})
    assert epsilon(event) == pytest.approx(math.log(2), rel=CLOSE)


def test_what_is_proved_elsewhere_is_taken_as_it_is() -> None:
    pure = Event("pure", {"epsilon": 0.25})
    approximate = Event("approximate", {"epsilon": 0.5, "delta": 1e-7})
    concentrated = Event("concentrated", {"rho": 0.01})
    assert epsilon(pure, approximate) == math.inf
    assert epsilon(pure, approximate, delta=1e-6) == pytest.approx(0.75, rel=CLOSE)
    assert epsilon(pure, approximate, delta=1e-8) == math.inf
    assert price(Ledger([concentrated])).rho == 0.01


def test_nothing_costs_nothing() -> None:
    assert price(Ledger()) == Cost(0.0, 0.0)
    free = Event("gaussian", {"sensitivity": 0, "scale": 1})
    assert epsilon(free, laplace(0, 1), delta=1e-6) == 0.0


def test_too_many_events_are_refused_with_the_remedy() -> None:
    with pytest.raises(DataError, match=r"100001 events, and at most 100000 .* mechanism pure"):
        price(Ledger([laplace(1, 1, times=100_001)]))
