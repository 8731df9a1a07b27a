"""Alpha-beta: probabilities of every output, the budget, duplicates, seeds and refusals."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables.methods.perturb.masking import run
from tests.tables.operations.chance import fits_counts
from tests.witness.swapping import alpha_beta_outputs
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.noise import price
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb.alpha_beta import AlphaBeta
from unlinkable.tables.methods.perturb.shared.chances import estimated_count
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
