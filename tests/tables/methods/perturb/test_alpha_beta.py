"""Alpha-beta: probabilities of every output, the budget, duplicates, seeds and refusals."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.tables.methods.perturb.masking import run
from tests.tables.operations.chance import fits_counts
from tests.witness.swapping import alpha_beta_epsilon, alpha_beta_outputs
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.noise import Neighbours, price
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb.alpha_beta import (
    AlphaBeta,
    Chances,
    Possible,
    epsilon_of_chances,
    estimated_count,
    insert,
    least_gamma,
)
from unlinkable.tables.models import DGammaPrivacy, DifferentialPrivacy, KAnonymity
from unlinkable.tables.taxonomies.builders import Tree

LETTERS = [f"v{i:02}" for i in range(40)]


def letters(values: list[str], domain: list[str] = LETTERS, **roles: Any) -> Table:
    return as_table({"a": values}, quasi="a", taxonomies={"a": Tree({"any": domain})}, **roles)


def test_every_output_has_its_probability() -> None:
    """False alarm: one in a million; alpha 30 % off is noticed."""
    people, method = letters(["a", "b"], ["a", "b", "c"]), AlphaBeta("1/2", "1/4")
    seen = Counter(frozenset(run(method, people, seed=i).frame["a"]) for i in range(1_500))
    for alpha, expected in ((Fraction(1, 2), True), (Fraction(13, 20), False)):
        chances = alpha_beta_outputs("ab", "abc", alpha, Fraction(1, 4))
        counts = [seen[output] for output in chances]
        assert fits_counts(counts, [float(p) for p in chances.values()]) == expected


def test_counts_can_be_estimated() -> None:
    """The standard deviation of the estimate is 300: a false alarm is five of them away."""
    domain = [f"{i:05}" for i in range(60_000)]
    masked = run(AlphaBeta("1/2", "1/10"), letters(domain[:20_000], domain))
    assert masked.told == {"alpha": 0.5, "beta": 0.1, "domain": 60_000.0}
    estimate = estimated_count(masked.frame.height, 60_000, 0.5, 0.1)
    assert abs(estimate - 20_000) < 1_500
    assert masked.facts["distinct"] == 20_000
    assert masked.facts["kept"] + masked.facts["inserted"] == masked.frame.height


def test_equal_records_are_one_and_none_is_published_twice() -> None:
    masked = run(AlphaBeta("9/10", "1/10"), letters(["v00"] * 9 + ["v01"]))
    assert masked.facts["distinct"] == 2
    assert masked.frame["a"].is_unique().all()
    assert {"v00", "v01"} <= {*masked.frame["a"]}
    assert masked.rows is None
    assert masked.ledger is None


def test_without_a_promise_about_as_many_are_made_up_as_dropped() -> None:
    domain = [f"{i:05}" for i in range(60_000)]
    masked = run(AlphaBeta(), letters(domain[:20_000], domain))
    assert masked.told == {"alpha": 0.5, "beta": 0.25, "domain": 60_000.0}


@settings(max_examples=25)
@given(st.floats(0.05, 8), st.sampled_from([None, "1/100", "1/4"]))
def test_a_budget_is_spent_and_not_more(epsilon: float, beta: str | None) -> None:
    masked = run(AlphaBeta(beta=beta), letters(["v00"]), DifferentialPrivacy(epsilon))
    assert masked.ledger is not None
    assert epsilon * (1 - 1e-6) <= price(masked.ledger).at(0) <= epsilon


def test_an_alpha_alone_gets_the_beta_that_costs_least() -> None:
    masked = run(AlphaBeta("1/2"), letters(["v00"]), DifferentialPrivacy(2))
    assert masked.told["beta"] == 0.25
    assert masked.ledger is not None
    assert price(masked.ledger).at(0) == pytest.approx(math.log(3))


def test_the_same_seed_gives_the_same_release() -> None:
    people = letters(LETTERS[:20])
    one, other = (run(AlphaBeta("1/2", "1/4"), people, seed=2) for _ in range(2))
    assert one.frame.equals(other.frame)
    assert not one.frame.equals(run(AlphaBeta("1/2", "1/4"), people, seed=3).frame)


def test_refuses_what_it_cannot_promise() -> None:
    people = as_table({"a": ["x"], "s": ["y"]}, quasi="a", sensitive="s")
    for model in (KAnonymity(2), DGammaPrivacy("1/2", "3/5")):
        with pytest.raises(UnsupportedError, match="made-up records stand among the true ones"):
            run(AlphaBeta(), people, model)
    with pytest.raises(InfeasibleError, match=r"costs epsilon = 2.19722, and 1 may be spent"):
        run(AlphaBeta("8/10", "1/10"), letters(["v00"]), DifferentialPrivacy(1))
    with pytest.raises(InfeasibleError, match="costs epsilon = inf"):
        run(AlphaBeta("1/2", "1/2"), letters(["v00"]), DifferentialPrivacy(1))


def test_refuses_tables_that_it_cannot_treat() -> None:
    private = DifferentialPrivacy(1)
    with pytest.raises(UnsupportedError, match="'a' are those that somebody has"):
        run(AlphaBeta(), as_table({"a": ["x"]}, quasi="a"), private)
    with pytest.raises(UnsupportedError, match="values of column 'a' are missing"):
        run(AlphaBeta(), letters(["v00", None]), private)  # type: ignore[list-item]
    with pytest.raises(UnsupportedError, match="people have several here"):
        run(AlphaBeta(), as_table({"a": ["x"], "who": [1]}, quasi="a", owner="who"))
    names = [f"c{i}" for i in range(30)]
    wide = as_table({n: ["x"] for n in names}, quasi=names,
                    taxonomies={n: Tree({"any": ["x", "y"]}) for n in names})  # fmt: skip
    with pytest.raises(UnsupportedError, match=r"about 1.07e\+08 records would be made up"):
        run(AlphaBeta("1/2", "1/10"), wide)
    assert run(AlphaBeta("1/2", "1/10", columns=["c0", "c1"]), wide).frame.width == 2


def test_refuses_parameters_that_are_no_probabilities() -> None:
    with pytest.raises(ParameterError, match=r"alpha \+ beta is a probability"):
        AlphaBeta("3/5", "3/5")
    with pytest.raises(ParameterError, match=r"beta must lie in \(0, 1\]"):
        AlphaBeta("3/5", 0)
    with pytest.raises(SchemaError, match="no column 'b'"):
        run(AlphaBeta(columns="b"), letters(["v00"]))


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


def test_every_number_is_one_record() -> None:
    people = as_table({"a": ["x", "y", "x"], "b": [1, None, 1]}, quasi=["a", "b"])
    possible = Possible.of(people, ("a", "b"))
    assert possible.size == 4
    assert {*possible.frame(people, np.arange(4)).rows()} == {
        (a, b) for a in "xy" for b in (1, None)
    }
    true = possible.distinct(people)
    assert {*possible.frame(people, true).rows()} == {("x", 1), ("y", None)}


@given(st.integers(1, 30), st.sets(st.integers(0, 29)), st.floats(0, 1), st.integers(0, 99))
def test_what_is_drawn_is_free_and_drawn_once(
    size: int, taken: set[int], chance: float, seed: int
) -> None:
    full = np.array(sorted(i for i in taken if i < size), np.int64)
    drawn = insert(size, full, chance, np.random.default_rng(seed)).tolist()
    assert len({*drawn}) == len(drawn)
    assert {*drawn} <= {*range(size)} - {*full.tolist()}


@pytest.mark.parametrize("size", [40, 1 << 21], ids=["gone through", "drawn from"])
def test_each_free_number_is_drawn_with_its_probability(size: int) -> None:
    """The numbers of drawn and of those left out, in both halves; false alarm: one in a million."""
    taken, rng = np.arange(0, size, 4), np.random.default_rng(3)
    runs = 2_000 if size == 40 else 3
    drawn = np.concatenate([insert(size, taken, 0.1, rng) for _ in range(runs)])
    assert (drawn % 4 > 0).all()
    n_free = runs * (size - taken.size)
    low = int((drawn < size // 2).sum())
    counts = [low, drawn.size - low, n_free - drawn.size]
    assert fits_counts(counts, [0.05, 0.05, 0.9])
    assert not fits_counts(counts, [0.065, 0.065, 0.87])


def test_a_vast_domain_is_not_gone_through() -> None:
    drawn = insert(1 << 61, np.array([5]), 2.0**-51, np.random.default_rng(1))
    assert 800 < drawn.size < 1_250


def test_refuses_more_records_than_can_be_numbered() -> None:
    wide = as_table({f"c{i}": ["x"] for i in range(64)}, quasi=[f"c{i}" for i in range(64)],
                    taxonomies={f"c{i}": Tree({"any": ["x", "y"]}) for i in range(64)})  # fmt: skip
    with pytest.raises(UnsupportedError, match=r"could be 1.84e\+19 different records"):
        Possible.of(wide, wide.schema.quasi)
