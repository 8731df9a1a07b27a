"""Randomized response: the book's case, Warner's formula, what chance does, and the price."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

from tests import cases
from unlinkable.collection import RandomizedResponse, shares_before
from unlinkable.collection.base import Collection
from unlinkable.errors import DataError, ParameterError
from unlinkable.noise import Mechanism, Neighbours, price, secure_generator

FALSE_ALARM = 1e-6
"""How often a statistical test here would object to something that is right, if seeds were drawn
anew."""


def test_the_book_recovers_a_distribution_from_what_was_kept_and_what_was_replaced() -> None:
    case = cases.load("book-ch03-perturbation-reconstruction")
    given_, expected = case["input"], case["expected"]["reconstructed"]
    ask = RandomizedResponse.keeping(given_["domain"], given_["p"])
    counts = [round(1000 * given_["observed"][value]) for value in given_["domain"]]
    found = ask.estimate_counts(counts)
    assert dict(zip(found.values, found.shares, strict=True)) == pytest.approx(expected, abs=1e-12)


@given(st.floats(0.51, 0.99), st.integers(2, 500), st.data())
def test_two_answers_are_estimated_by_warners_formula(
    p: float, n: int, data: st.DataObject
) -> None:
    yes = data.draw(st.integers(0, n))
    found = RandomizedResponse(["yes", "no"], p).estimate_counts([yes, n - yes])
    observed = yes / n
    assert found.shares[0] == pytest.approx((p - 1) / (2 * p - 1) + observed / (2 * p - 1))
    variance = observed * (1 - observed) / ((n - 1) * (2 * p - 1) ** 2)
    assert found.errors[0] == pytest.approx(math.sqrt(variance))
    assert found.shares.sum() == pytest.approx(1)


@given(st.lists(st.integers(0, 90), min_size=2, max_size=6), st.floats(0.2, 5))
def test_any_number_of_answers_is_the_inverse_of_its_matrix(
    counts: list[int], epsilon: float
) -> None:
    if sum(counts) < 2:
        counts = [2, *counts[1:]]
    values = [str(i) for i in range(len(counts))]
    ask = RandomizedResponse(values, epsilon=epsilon)
    found, inverse = ask.estimate_counts(counts), shares_before(counts, ask.transition, values)
    assert found.shares.tolist() == pytest.approx(inverse.shares.tolist(), abs=1e-9)
    assert found.errors.tolist() == pytest.approx(inverse.errors.tolist(), abs=1e-9)


@pytest.mark.parametrize("k", [2, 5])
def test_truth_is_told_and_lies_are_spread_as_often_as_said(k: int) -> None:
    values = list("abcde"[:k])
    ask = RandomizedResponse(values, epsilon=1.0)
    n = 40_000
    told = ask.randomize(["b"] * n, secure_generator(5))
    counts = [int((told == value).sum()) for value in values]
    assert chisquare(counts, n * ask.transition[1]).pvalue > FALSE_ALARM
    wrong = RandomizedResponse(values, epsilon=1.3)  # 30 % off
    assert chisquare(counts, n * wrong.transition[1]).pvalue < FALSE_ALARM


@pytest.mark.parametrize("true", [0.02, 0.3])
def test_intervals_cover_as_often_as_they_say(true: float) -> None:
    """Of 4,000 surveys of 200 people; a right interval fails this once in a million times."""
    rng = np.random.default_rng(11)
    n, trials = 200, 4000
    ask = RandomizedResponse(["yes", "no"], truth=0.7, level=0.9)
    lied = RandomizedResponse(["yes", "no"], truth=0.61, level=0.9)  # 30 % off
    yes = rng.binomial(n, true * 0.7 + (1 - true) * 0.3, trials)

    def covered(how: RandomizedResponse) -> int:
        found = [how.estimate_counts([count, n - count]) for count in yes.tolist()]
        return sum(bool(e.low[0] <= true <= e.high[0]) for e in found)

    assert binom.cdf(covered(ask), trials, 0.9) > FALSE_ALARM
    if true > 0.1:
        assert binom.cdf(covered(lied), trials, 0.9) < FALSE_ALARM


def test_shares_are_right_on_average_even_where_nobody_says_yes() -> None:
    rng = np.random.default_rng(2)
    ask = RandomizedResponse(["yes", "no"], truth=0.6)
    found = [ask.estimate_counts([c, 100 - c]).shares[0] for c in rng.binomial(100, 0.4, 4000)]
    error = math.sqrt(0.4 * 0.6 / 100) / 0.2 / math.sqrt(4000)
    assert abs(np.mean(found)) < 5 * error  # false alarm: 6e-7
    assert min(found) < 0


@given(st.integers(2, 50), st.floats(0.01, 20))
def test_an_answer_never_costs_more_than_epsilon(k: int, epsilon: float) -> None:
    ask = RandomizedResponse([str(i) for i in range(k)], epsilon=epsilon)
    spent = price(ask.ledger()).at(0)
    assert spent <= epsilon
    assert spent == pytest.approx(epsilon, rel=1e-6)
    ratio = ask.transition.max(axis=0) / ask.transition.min(axis=0)
    assert math.log(ratio.max()) == pytest.approx(epsilon, rel=1e-6)


def test_the_ledger_says_what_was_asked_and_how_often() -> None:
    ask = RandomizedResponse(["yes", "no"], truth=0.75)
    ledger = ask.ledger(times=3, what="smokes")
    assert ledger.neighbours is Neighbours.REPLACE
    (event,) = ledger.events
    assert event == ask.event(times=3, what="smokes")
    assert event.mechanism is Mechanism.RANDOMIZED_RESPONSE
    assert dict(event.parameters) == {"truth": 0.75, "categories": 2}
    assert price(ledger).at(0) == pytest.approx(3 * ask.epsilon)


def test_the_same_key_gives_the_same_answers_and_another_key_others() -> None:
    ask = RandomizedResponse(list("abc"), epsilon=0.5)
    true = list("abc") * 50
    first, again, other = (ask.randomize(true, secure_generator(key)) for key in (1, 1, 2))
    assert first.tolist() == again.tolist() != other.tolist()


def test_numbers_are_known_by_their_texts() -> None:
    ask = RandomizedResponse(["0", "1"], truth=0.999999)
    assert ask.codes([1, 0, 1]).tolist() == [1, 0, 1]
    assert ask.estimate([1, 0, 1, 1]).counts.tolist() == [1, 3]


@pytest.mark.parametrize(
    "ask",
    [
        RandomizedResponse(["yes", "no"], truth=0.75),
        RandomizedResponse(["a, b", "c"], epsilon=0.1, level=0.5),
        RandomizedResponse.keeping("xyz", 0.25),
    ],
    ids=str,
)
def test_it_is_read_back_as_it_is_written(ask: RandomizedResponse) -> None:
    again = Collection.read(str(ask))
    assert again == ask
    assert hash(again) == hash(ask)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "give truth, the probability of telling it, or epsilon"),
        ({"truth": 0.5}, r"truth must lie between 1/2, where answers tell nothing, and 1"),
        ({"truth": 1}, "got 1"),
        ({"epsilon": 0}, "epsilon must be greater than 0 and at most 20, .*: got 0"),
        ({"epsilon": 20.5}, "nobody is protected any more: got 20.5"),
        ({"epsilon": 1e-16}, "truth must lie between 1/2"),
        ({"truth": 0.75, "epsilon": 1}, r"truth = 0.75 has epsilon = 1.09861, not 1: give one"),
        ({"truth": 0.75, "level": 1}, r"level must lie in \(0, 1\), got 1"),
        ({"truth": 0.75, "values": ["yes"]}, "two or more different answers, got 1"),
        ({"truth": 0.75, "values": ["a", "a"]}, "got 2, 1 of them different"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        RandomizedResponse(**{"values": ["yes", "no"], **parameters})


def test_refuses_a_probability_to_keep_that_is_none() -> None:
    with pytest.raises(ParameterError, match=r"keep must lie in \(0, 1\), got 1"):
        RandomizedResponse.keeping("ab", 1)


@pytest.mark.parametrize("answers", [["yes", None, "no"], ["yes", "perhaps", "no"]])
def test_refuses_answers_that_are_not_listed_without_telling_them(answers: list[Any]) -> None:
    ask = RandomizedResponse(["yes", "no"], truth=0.75)
    for verb in (
        lambda: ask.randomize(answers, secure_generator(1)),
        lambda: ask.estimate(answers),
    ):
        with pytest.raises(DataError, match="1 of 3 answers are missing or none of the 2") as told:
            verb()
        assert "perhaps" not in str(told.value)


@pytest.mark.parametrize("counts", [[1, 0], [3, 4, 5], [-1, 5]])
def test_refuses_counts_that_are_no_survey(counts: list[int]) -> None:
    with pytest.raises(DataError, match="needs two or more answers, counted by 2 values"):
        RandomizedResponse(["yes", "no"], truth=0.75).estimate_counts(counts)
