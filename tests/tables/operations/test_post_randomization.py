"""Post-randomization: probabilities, invariance, strata, the price, seeds and refusals."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables.operations.chance import fits_counts
from tests.witness.swapping import expected_counts, invariant_matrix
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.noise import Neighbours, price, secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.operations.post_randomization import PostRandomization
from unlinkable.tables.operations.shared.transition import Change
from unlinkable.tables.taxonomies.builders import Tree

JOBS = Tree({"any": ["clerk", "cook", "nurse"]})
COUNTS = {"clerk": 12_000, "cook": 6_000, "nurse": 2_000}
NAMES = list(COUNTS)


def staff(**options: Any) -> Table:
    jobs = [name for name, n in COUNTS.items() for _ in range(n)]
    return as_table({"job": jobs}, quasi="job", taxonomies={"job": JOBS}, **options)


def moved(operation: PostRandomization, people: Table, before: str, seed: int = 1) -> list[int]:
    """Count what a value became."""
    made = operation.apply(people, secure_generator(seed))["job"]
    became = made.filter(people.frame["job"] == before)
    return [int((became == name).sum()) for name in NAMES]


def uniform(p: Fraction) -> list[list[Fraction]]:
    return [[p if i == j else (1 - p) / 2 for j in range(3)] for i in range(3)]


def by_frequency(p: Fraction) -> list[list[Fraction]]:
    n = list(COUNTS.values())
    return [[p if i == j else (1 - p) * n[j] / (sum(n) - n[i]) for j in range(3)] for i in range(3)]


MATRICES = {
    Change.UNIFORM: uniform(Fraction(3, 5)),
    Change.FREQUENCY: by_frequency(Fraction(3, 5)),
    Change.INVARIANT: invariant_matrix(uniform(Fraction(3, 5)), list(COUNTS.values())),
}


@pytest.mark.parametrize("change", Change, ids=str)
def test_values_become_others_with_the_probabilities_of_the_definition(change: Change) -> None:
    """Three tests with a false alarm in one of a million runs each; 30 % off is noticed."""
    operation = PostRandomization("3/5", change=change)
    for i, name in enumerate(NAMES):
        counts, row = moved(operation, staff(), name), [float(p) for p in MATRICES[change][i]]
        assert fits_counts(counts, row)
        change_by = 1.3 if row[i] < 0.7 else 0.7
        wrong = [p * change_by if j == i else p for j, p in enumerate(row)]
        rest = (1 - wrong[i]) / (1 - row[i])
        assert not fits_counts(counts, [w if j == i else w * rest for j, w in enumerate(wrong)])


def test_invariant_counts_are_expected_to_stay() -> None:
    expected = expected_counts(MATRICES[Change.INVARIANT], list(COUNTS.values()))
    assert expected == list(COUNTS.values())
    made = PostRandomization("3/5", change="invariant").apply(staff(), secure_generator(2))["job"]
    # A standard deviation is at most 70 here.
    for name, n in COUNTS.items():
        assert abs(int((made == name).sum()) - n) < 350
    plain = PostRandomization("3/5").apply(staff(), secure_generator(2))["job"]
    assert abs(int((plain == "nurse").sum()) - COUNTS["nurse"]) > 2_000


@pytest.mark.parametrize("change", Change, ids=str)
@settings(max_examples=30)
@given(data=st.data())
def test_combinations_that_do_not_occur_stay_so_within_strata(
    change: Change, data: st.DataObject
) -> None:
    rows = data.draw(
        st.lists(st.tuples(st.sampled_from("fm"), st.sampled_from(["a", "b", "c", None])),
                 min_size=1, max_size=30)
    )  # fmt: skip
    sex, job = zip(*rows, strict=True)
    people = as_table(
        pl.DataFrame({"sex": sex, "job": pl.Series(job, dtype=pl.String)}), quasi=["sex", "job"]
    )
    operation = PostRandomization("1/5", change=change, columns="job", within="sex")
    made = operation.apply(people, secure_generator(data.draw(st.integers(0, 99))))
    assert {*made.rows()} <= {*rows}
    assert [job is None for _, job in made.rows()] == [job is None for _, job in rows]


def test_a_matrix_is_followed() -> None:
    operation = PostRandomization(
        matrix={"cook": {"clerk": 0.3}, "nurse": {"cook": 1}}, columns="job"
    )
    assert moved(operation, staff(), "clerk") == [12_000, 0, 0]
    assert moved(operation, staff(), "nurse") == [0, 2_000, 0]
    assert fits_counts(moved(operation, staff(), "cook"), [0.3, 0.7, 0])


def test_missing_values_stay_unless_they_are_answered() -> None:
    people = as_table({"job": ["cook", None] * 300}, quasi="job", taxonomies={"job": JOBS})
    made = PostRandomization().apply(people, secure_generator(1))["job"]
    assert made.is_null().to_list() == people.frame["job"].is_null().to_list()
    answered = PostRandomization(answered=True).apply(people, secure_generator(1))["job"]
    assert answered.null_count() == 0
    were_missing = answered.filter(people.frame["job"].is_null())
    assert fits_counts([int((were_missing == name).sum()) for name in NAMES], [1 / 3] * 3)


def test_values_that_nobody_has_may_come_out_if_they_are_listed() -> None:
    people = as_table({"job": ["cook"] * 50}, quasi="job", taxonomies={"job": JOBS})
    made = PostRandomization("1/10").apply(people, secure_generator(1))["job"]
    assert {*made} == {*NAMES}
    alone = as_table({"job": ["cook"] * 50}, quasi="job")
    assert {*PostRandomization("1/10").apply(alone, secure_generator(1))["job"]} == {"cook"}


def test_the_same_seed_gives_the_same_values() -> None:
    one, other = (PostRandomization().apply(staff(), secure_generator(3)) for _ in range(2))
    assert one.equals(other)
    assert not one.equals(PostRandomization().apply(staff(), secure_generator(4)))


@pytest.mark.parametrize(
    ("operation", "epsilon"),
    [
        (PostRandomization("3/5", answered=True), math.log(3)),
        (PostRandomization("1/5", answered=True), math.log(2)),
        (
            PostRandomization(
                answered=True,
                columns="job",
                matrix=[
                    (a, b, p)
                    for a, b, p in zip(
                        np.repeat(NAMES, 3), NAMES * 3, [".5", ".25", ".25"] * 3, strict=True
                    )
                ],
            ),
            math.log(3 / 2),
        ),
    ],
    ids=["mostly true", "mostly false", "a matrix"],
)
def test_the_price_is_that_of_randomized_response(
    operation: PostRandomization, epsilon: float
) -> None:
    ledger = operation.ledger(staff())
    assert ledger is not None
    assert ledger.neighbours is Neighbours.REPLACE
    assert price(ledger).at(0) == pytest.approx(epsilon)


def test_a_column_of_one_value_costs_nothing() -> None:
    people = as_table({"job": ["cook"]}, quasi="job", taxonomies={"job": Tree({"any": ["cook"]})})
    ledger = PostRandomization(answered=True).ledger(people)
    assert ledger is not None
    assert price(ledger).at(0) == 0.0


@pytest.mark.parametrize(
    ("operation", "people"),
    [
        (PostRandomization(), staff()),
        (PostRandomization(answered=True, change="frequency"), staff()),
        (PostRandomization(answered=True, change="invariant"), staff()),
        (PostRandomization(0, answered=True), staff()),
        (PostRandomization(answered=True, columns="job", matrix=[["cook", "clerk", 1]]), staff()),
        (PostRandomization(answered=True), as_table({"job": ["cook"]}, quasi="job")),
        (
            PostRandomization(answered=True, columns="job"),
            as_table({"job": ["cook"], "age": [3]}, quasi=["job", "age"], taxonomies={"job": JOBS}),
        ),
        (
            PostRandomization(answered=True),
            as_table({"job": ["cook"], "who": [3]}, quasi="job", owner="who",
                     taxonomies={"job": JOBS}),
        ),
        (
            PostRandomization(answered=True, columns="job", within="sex"),
            as_table({"job": ["cook"], "sex": ["f"]}, quasi=["job", "sex"],
                     taxonomies={"job": JOBS}),
        ),
    ],
    ids=["missing values", "counts", "invariant", "never true", "zeros", "values that occur",
         "another column", "owner", "strata"],
)  # fmt: skip
def test_where_something_is_told_without_noise_there_is_no_price(
    operation: PostRandomization, people: Table
) -> None:
    assert operation.ledger(people) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"retention": 1}, r"retention must lie in \[0, 1\)"),
        ({"change": "often"}, "no kind of change 'often'"),
        ({"matrix": [["a", "b", 1]]}, "a matrix is about one column"),
        ({"matrix": [["a", "b", 1]], "columns": "job", "within": "sex"}, "a matrix says all"),
    ],
)
def test_refuses_options_that_contradict_each_other(options: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        PostRandomization(**options)


def test_refuses_columns_that_are_not_there() -> None:
    with pytest.raises(SchemaError, match="no column 'jbo'"):
        PostRandomization(columns="jbo").bind(staff().schema)
    with pytest.raises(SchemaError, match="no column 'jbo'"):
        PostRandomization(within="jbo").bind(staff().schema)
    with pytest.raises(SchemaError, match="holds categories for post-randomization"):
        PostRandomization().apply(as_table({"age": [1]}, quasi="age"), secure_generator(1))


def test_a_column_cannot_be_replaced_within_strata_of_its_own() -> None:
    people = as_table({"job": ["a", "b"] * 50, "sex": ["f", "f", "m", "m"] * 25},
                      quasi=["job", "sex"])  # fmt: skip
    operation = PostRandomization(columns=["sex", "job"], within="job")
    with pytest.raises(ParameterError, match="'job' is to be replaced, and to be the same"):
        operation.bind(people.schema)
    with pytest.raises(ParameterError, match="'job' is to be replaced, and to be the same"):
        operation.apply(people, secure_generator(1))
    made = PostRandomization("1/5", within="job").apply(people, secure_generator(1))
    assert made["job"].equals(people.frame["job"])
    assert not made["sex"].equals(people.frame["sex"])
    with pytest.raises(ParameterError, match=r"every column that .* could replace makes strata"):
        PostRandomization(within=["job", "sex"]).apply(people, secure_generator(1))


def read_matrix(text: str) -> list[list[float]]:
    """Read a matrix that was told."""
    told = {entry.split(": ")[0]: float(entry.split(": ")[1]) for entry in text.split("; ")}
    return [[told[f"{old} to {new}"] for new in NAMES] for old in NAMES]


@pytest.mark.parametrize("change", [Change.FREQUENCY, Change.INVARIANT], ids=str)
def test_the_matrix_that_is_told_is_that_of_the_definition(change: Change) -> None:
    told = PostRandomization("3/5", change=change).told(staff())
    assert told["change"] == change.value
    step = " in the first step" if change is Change.INVARIANT else ""
    assert told[f"retention of job{step}"] == pytest.approx(0.6)
    expected = [[float(p) for p in row] for row in MATRICES[change]]
    assert np.allclose(read_matrix(str(told["matrix of job"])), expected, atol=1e-8)


def test_what_is_needed_to_right_counts_is_told() -> None:
    assert PostRandomization("3/5").told(staff()) == {
        "change": "uniform",
        "retention of job": pytest.approx(0.6),
        "values of job": 3.0,
    }
    rare = as_table({"job": ["cook"] * 3 + [None]}, quasi="job", taxonomies={"job": JOBS})
    told = PostRandomization(change="frequency").told(rare)
    assert told["matrix of job"] == "cook to cook: 1"


def test_large_matrices_and_those_of_strata_are_not_told() -> None:
    many = as_table({"job": [f"j{i}" for i in range(21)], "sex": ["f"] * 21}, quasi=["job", "sex"])
    told = PostRandomization(change="invariant", columns="job").told(many)
    assert told["matrix of job"] == "not told: 21 values have 441 probabilities"
    told = PostRandomization(change="frequency", columns="job", within="sex").told(many)
    assert "another one in every stratum" in str(told["matrix of job"])
