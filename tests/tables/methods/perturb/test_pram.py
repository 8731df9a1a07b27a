"""PRAM: the operation without a promise, the budget with one, and refusals."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables.methods.perturb.masking import run
from tests.tables.operations.chance import fits_counts
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.noise import Neighbours, price
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb.pram import PRAM
from unlinkable.tables.models import DifferentialPrivacy, KAnonymity
from unlinkable.tables.taxonomies.builders import Tree

JOBS, ILLS = ["clerk", "cook", "nurse"], ["flu", "hiv"]


def staff(n: int = 300, **roles: Any) -> Table:
    data = {
        "age": [20 + i % 40 for i in range(n)],
        "job": [JOBS[i % 3] for i in range(n)],
        "ill": [ILLS[i % 2] for i in range(n)],
    }
    trees = {"job": Tree({"any": JOBS}), "ill": Tree({"any": ILLS})}
    return as_table(data, quasi=["age", "job"], sensitive="ill", taxonomies=trees, **roles)


def test_without_a_promise_all_columns_are_published_and_categories_replaced() -> None:
    people = staff(20_000)
    masked = run(PRAM("3/5"), people)
    assert masked.frame.columns == ["age", "job", "ill"]
    assert masked.ledger is None
    assert masked.frame["age"].equals(people.frame["age"])
    stayed = int((masked.frame["job"] == people.frame["job"]).sum())
    assert fits_counts([stayed, 20_000 - stayed], [0.6, 0.4])
    assert not fits_counts([stayed, 20_000 - stayed], [0.78, 0.22])


def test_without_a_retention_four_of_five_values_stay() -> None:
    people = staff(20_000)
    stayed = int((run(PRAM(columns="ill"), people).frame["ill"] == people.frame["ill"]).sum())
    assert fits_counts([stayed, 20_000 - stayed], [0.8, 0.2])


@settings(max_examples=25)
@given(st.floats(0.01, 20))
def test_a_budget_is_spent_and_not_more(epsilon: float) -> None:
    masked = run(PRAM(), staff(10), DifferentialPrivacy(epsilon))
    assert masked.ledger is not None
    spent = price(masked.ledger).at(0)
    assert epsilon * (1 - 1e-6) <= spent <= epsilon * (1 + 1e-9)
    assert masked.ledger.neighbours is Neighbours.REPLACE
    assert len(masked.ledger.events) == 2


def test_under_a_promise_only_what_is_noise_is_published_in_random_order() -> None:
    """False alarm: one in a million for each of the two columns."""
    people = staff(30_000)
    masked = run(PRAM(), people, DifferentialPrivacy(2))
    assert masked.frame.columns == ["job", "ill"]
    assert masked.rows is None
    kept = math.e / (math.e + 2)
    assert masked.told["retention of job"] == pytest.approx(kept)
    counts = [int((masked.frame["job"] == job).sum()) for job in JOBS]
    assert fits_counts(counts, [1 / 3] * 3)
    # Job follows from the place in the original, and not here.
    stayed = int((masked.frame["job"] == people.frame["job"]).sum())
    assert fits_counts([stayed, 30_000 - stayed], [1 / 3, 2 / 3])


def test_values_stay_as_often_as_the_price_says() -> None:
    """False alarm: one in a million; a budget 30 % off is noticed."""
    people = as_table({"ill": ["flu"] * 20_000}, sensitive="ill", quasi=[],
                      taxonomies={"ill": Tree({"any": ILLS})})  # fmt: skip
    made = run(PRAM(), people, DifferentialPrivacy(1)).frame["ill"]
    counts = [int((made == ill).sum()) for ill in ILLS]
    for factor, expected in ((1.0, True), (1.3, False), (0.7, False)):
        true = math.exp(factor) / (1 + math.exp(factor))
        assert fits_counts(counts, [true, 1 - true]) == expected


def test_a_retention_that_is_given_is_priced() -> None:
    people = staff(10)
    masked = run(PRAM("2/5", columns="ill"), people, DifferentialPrivacy(1))
    assert masked.ledger is not None
    assert price(masked.ledger).at(0) == pytest.approx(math.log(0.6 / 0.4))
    with pytest.raises(InfeasibleError, match=r"a retention of 0.9 costs epsilon = 2.19722, and 1"):
        run(PRAM("9/10", columns="ill"), people, DifferentialPrivacy(1))
    with pytest.raises(InfeasibleError, match=r"a retention of 0.9 costs epsilon"):
        run(PRAM("9/10", columns="ill"), people, DifferentialPrivacy(2))


def test_missing_values_are_answered_under_a_promise() -> None:
    people = as_table({"ill": ["flu", None]}, sensitive="ill", quasi=[],
                      taxonomies={"ill": Tree({"any": ILLS})})  # fmt: skip
    assert run(PRAM(), people, DifferentialPrivacy(1)).frame["ill"].null_count() == 0
    assert run(PRAM(), people).frame["ill"].null_count() == 1


def test_the_same_seed_gives_the_same_release() -> None:
    for models in ((), (DifferentialPrivacy(1),)):
        one, other = (run(PRAM(), staff(), *models, seed=5) for _ in range(2))
        assert one.frame.equals(other.frame)
        assert not one.frame.equals(run(PRAM(), staff(), *models, seed=6).frame)


@pytest.mark.parametrize(
    ("method", "model", "message"),
    [
        (PRAM(), KAnonymity(2), "values are replaced by chance"),
        (PRAM(change="frequency"), DifferentialPrivacy(1), "have no price: use uniform"),
        (PRAM(change="invariant"), DifferentialPrivacy(1), "have no price: use uniform"),
        (PRAM(within="age"), DifferentialPrivacy(1), "have no price: use uniform"),
        (PRAM(columns="age"), DifferentialPrivacy(1), "'age' are those that somebody has"),
    ],
    ids=str,
)
def test_refuses_what_it_cannot_promise(method: PRAM, model: Any, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        run(method, staff(), model)


def test_refuses_tables_that_it_cannot_protect() -> None:
    people = as_table({"who": [1, 1], "ill": ["flu", "flu"]}, owner="who", sensitive="ill",
                      taxonomies={"ill": Tree({"any": ILLS})})  # fmt: skip
    with pytest.raises(UnsupportedError, match="people have several here"):
        run(PRAM(), people, DifferentialPrivacy(1))
    with pytest.raises(SchemaError, match="values are listed beforehand"):
        run(PRAM(), as_table({"ill": ["flu"]}, sensitive="ill"), DifferentialPrivacy(1))
    with pytest.raises(InfeasibleError, match="has no finite price"):
        run(PRAM("1e-20", columns="ill"), staff(), DifferentialPrivacy(1))
    for retention in (0, 1):
        with pytest.raises(ParameterError, match=r"retention must lie in \(0, 1\)"):
            PRAM(retention)
    with pytest.raises(SchemaError, match="no column 'jbo'"):
        run(PRAM(columns="jbo"), staff())
    with pytest.raises(SchemaError, match="no column 'jbo'"):
        run(PRAM(within="jbo"), staff())


def test_a_column_cannot_be_replaced_within_strata_of_its_own() -> None:
    people = staff()
    with pytest.raises(ParameterError, match="'job' is to be replaced, and to be the same"):
        run(PRAM(columns=["job", "ill"], within="job"), people)
    frame = run(PRAM(within="job"), people).frame
    assert frame["job"].equals(people.frame["job"])
    assert not frame["ill"].equals(people.frame["ill"])


def test_probabilities_are_told_without_a_promise() -> None:
    told = run(PRAM(columns="ill", change="frequency"), staff()).told
    assert told["retention of ill"] == pytest.approx(0.8)
    assert str(told["matrix of ill"]).startswith(
        "flu to flu: 0.8; flu to hiv: 0.2; hiv to flu: 0.2"
    )
    told = run(PRAM("3/5"), staff()).told
    assert told["change"] == "uniform"
    assert told["retention of job"] == pytest.approx(0.6)
    assert told["values of job"] == 3
