"""Re-identification: the definitions, models that promise the same, the claims, the refusals.

Figures that sum up the risk of many records.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.risk.drawn import taken
from tests.witness import risks
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.models import AverageRisk, KAnonymity, KMap
from unlinkable.tables.publishing import check
from unlinkable.tables.risk import ReIdentification, individual_risk
from unlinkable.tables.risk.base import Basis
from unlinkable.tables.risk.re_identification import Risk, group_sizes

THRESHOLDS = st.sampled_from([Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(1), 0])


def test_an_example_of_a_prosecutor_and_a_marketer() -> None:
    # Ten records in groups of 5, 3, 1 and 1: four groups out of ten records.
    jobs = ["a"] * 5 + ["b"] * 3 + ["c", "d"]
    found = ReIdentification(threshold=0.2).measure(as_table({"job": jobs}, quasi="job"))
    assert found.prosecutor.highest == 1
    assert found.prosecutor.average == 0.4
    assert found.prosecutor.n_above == 5
    assert found.prosecutor.n_highest == 2
    assert found.marketer == 0.4
    assert found.basis is Basis.BOUND


@given(tables(min_records=1), THRESHOLDS)
def test_the_prosecutor_is_that_of_the_definition(random: RandomTable, threshold: Fraction) -> None:
    found = ReIdentification(threshold=threshold).measure(taken(random))
    expected = risks.prosecutor(random.rows, random.qid, random.owner)
    assert found.risks.tolist() == pytest.approx([float(r) for r in expected])
    assert found.prosecutor.highest == float(max(expected))
    assert found.prosecutor.average == pytest.approx(float(sum(expected) / len(expected)))
    assert found.prosecutor.n_above == sum(risk > threshold for risk in expected)
    assert found.prosecutor.n_highest == expected.count(max(expected))
    assert sum(size.records for size in found.group_sizes) == len(random.rows)


@given(tables(min_records=1))
def test_promises_say_the_same(random: RandomTable) -> None:
    table = taken(random)
    found, groups = ReIdentification().measure(table), count(table).finest
    assert found.prosecutor.average == pytest.approx(AverageRisk(1).level(groups)[0])
    assert found.prosecutor.highest == 1 / float(KAnonymity(1).level(groups).min())


people = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab")), min_size=1, max_size=10)


@given(people, people)
def test_the_journalist_counts_in_the_population(
    rows: list[tuple[int, str]], more: list[tuple[int, str]]
) -> None:
    town = rows + more
    table, side = _columns(rows), _columns(town)
    records = as_table(table, quasi=["n", "s"])
    found = ReIdentification(population="town").measure(records, {"town": side})
    expected = [1 / town.count(row) for row in rows]
    mean = sum(expected) / len(rows)
    met = sum(person in rows for person in town)
    assert found.basis is Basis.COUNTED
    assert found.journalist_risks.tolist() == pytest.approx(expected)
    assert found.journalist.highest == pytest.approx(max(expected))
    assert found.marketer == pytest.approx(mean)
    assert found.journalist.average == pytest.approx(max(mean, len(set(rows)) / met))
    assert (found.journalist_risks <= found.risks).all()
    kept = check(records, KMap(1, population="town"), side={"town": side}).verdicts[0]
    assert found.journalist.highest == pytest.approx(1 / kept.achieved["k"])  # type: ignore[operator]


def test_whom_the_population_does_not_know_is_found() -> None:
    records = as_table({"job": ["cook", "spy"]}, quasi="job")
    found = ReIdentification(population="town").measure(records, {"town": {"job": ["cook"] * 4}})
    assert found.journalist_risks.tolist() == [0.25, 1.0]


def test_weights_say_how_many_look_alike() -> None:
    table = as_table(
        {"job": ["cook", "cook", "clerk"], "w": [10.0, 30.0, 8.0]}, quasi="job", weight="w"
    )
    found = ReIdentification().measure(table)
    expected = individual_risk(np.array([2, 1]), np.array([40.0, 8.0]))
    assert found.basis is Basis.WEIGHTS
    assert found.journalist_risks.tolist() == pytest.approx([*[expected[0]] * 2, expected[1]])
    assert found.marketer == pytest.approx((2 * expected[0] + expected[1]) / 3)


def test_a_person_of_several_records_weighs_as_one() -> None:
    columns = {"job": ["cook", "cook"], "who": ["x", "x"], "w": [10.0, 30.0]}
    found = ReIdentification().measure(as_table(columns, quasi="job", owner="who", weight="w"))
    assert found.prosecutor.highest == 1
    assert found.journalist.highest == individual_risk(np.array([1]), np.array([20.0]))[0]


@given(tables(min_records=1, owner=False), st.integers(1, 50))
def test_a_fraction_is_one_weight_for_all(random: RandomTable, times: int) -> None:
    table, n = taken(random), len(random.rows)
    by_fraction = ReIdentification(fraction=Fraction(1, times)).measure(table)
    by_size = ReIdentification(size=n * times).measure(table)
    weighted = as_table(
        table.frame.with_columns(w=np.full(n, float(times))), quasi=random.qid, weight="w"
    )
    by_weights = ReIdentification().measure(weighted)
    assert by_fraction.basis is Basis.FRACTION
    for other in (by_size, by_weights):
        assert other.journalist_risks.tolist() == pytest.approx(by_fraction.journalist_risks)
    assert (by_fraction.journalist_risks <= by_fraction.risks + 1e-12).all()


def test_estimates_find_the_marketer_in_a_simulated_population() -> None:
    rng = np.random.default_rng(3)
    weights = 1 / np.arange(1, 3001)
    town = rng.choice(3000, 50_000, p=weights / weights.sum())
    sample = rng.choice(town, 5_000, replace=False)
    records = as_table({"look": sample}, quasi="look")
    truth = ReIdentification(population="town").measure(records, {"town": {"look": town}})
    guess = ReIdentification(fraction=0.1).measure(records)
    assert guess.marketer == pytest.approx(truth.marketer, rel=0.25)


def test_sizes_are_told_from_small_to_large() -> None:
    looks = ["a"] + ["b"] * 7 + ["c"] * 1200
    found = ReIdentification().measure(as_table({"look": looks}, quasi="look"))
    assert [(c.text, c.groups, c.records) for c in found.group_sizes] == [
        ("1", 1, 1), ("5 to 9", 1, 7), ("1,000 or more", 1, 1200),
    ]  # fmt: skip


def test_an_empty_table_has_no_risk() -> None:
    found = ReIdentification().measure(as_table({"a": []}, quasi="a"))
    assert found.prosecutor.highest == found.prosecutor.average == found.marketer == 0
    assert found.to_json()["sizes"] == []


def test_is_written_as_it_is_read() -> None:
    assert str(ReIdentification(threshold="1/3", fraction=0.1)) == (
        're-identification(threshold="1/3", fraction=0.1)'
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"threshold": 2}, "threshold must be at most 1"),
        ({"threshold": -1}, "threshold must be at least 0"),
        ({"fraction": 0}, r"fraction must lie in \(0, 1\]"),
        ({"size": 0}, "size must be at least 1"),
        ({"fraction": 0.1, "size": 100}, "give one of them"),
        ({"fraction": 0.1, "population": "town"}, "give one of them"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ReIdentification(**parameters)  # type: ignore[arg-type]


def test_refuses_a_population_that_is_smaller_than_the_table() -> None:
    records = as_table({"job": ["cook", "clerk"]}, quasi="job")
    with pytest.raises(ParameterError, match="has 1 people, and the table has 2"):
        ReIdentification(size=1).measure(records)


def test_refuses_a_table_without_quasi_identifier() -> None:
    with pytest.raises(SchemaError, match="no column is a quasi-identifier"):
        ReIdentification().measure(as_table({"job": ["cook"]}, insensitive="job"))


def test_refuses_a_population_without_the_columns() -> None:
    records = as_table({"job": ["cook"]}, quasi="job")
    with pytest.raises(SchemaError, match="no column 'job' among 1"):
        ReIdentification(population="town").measure(records, {"town": {"age": [3]}})


def _columns(rows: list[tuple[int, str]]) -> dict[str, list[object]]:
    return {"n": [n for n, _ in rows], "s": [s for _, s in rows]}


sizes = st.lists(st.integers(1, 1500), max_size=8)


@given(sizes, st.integers(1, 12))
def test_records_at_the_threshold_are_not_above_it(found: list[int], k: int) -> None:
    people = np.array(found, np.int64)
    risk = Risk.of(1 / people, people, 0.0, Fraction(1, k))
    assert risk.n_above == sum(n for n in found if Fraction(1, n) > Fraction(1, k))
    assert risk.highest == (1 / min(found) if found else 0)
    assert risk.n_highest == sum(n for n in found if n == min(found, default=0))


@given(sizes)
def test_every_group_is_in_one_size(found: list[int]) -> None:
    people = np.array(found, np.int64)
    sizes = group_sizes(people, 2 * people)
    told = Counter({size.least: size.groups for size in sizes})
    for n in found:
        (bin_of,) = (c for c in sizes if c.least <= n and (c.most is None or n <= c.most))
        told[bin_of.least] -= 1
    assert not any(told.values())
    assert sum(size.records for size in sizes) == 2 * sum(found)
    assert [c.least for c in sizes] == sorted(c.least for c in sizes)
