"""Uniqueness: the promise that says the same, the formulas, simulated populations, the refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.risk.drawn import taken
from tests.witness import risks
from unlinkable.errors import ParameterError
from unlinkable.tables.data import as_table
from unlinkable.tables.models import PopulationUniqueness
from unlinkable.tables.models.shared.uniqueness import Estimator
from unlinkable.tables.publishing import check
from unlinkable.tables.risk import Uniqueness
from unlinkable.tables.risk.base import Basis
from unlinkable.tables.risk.shared.adversary_view import adversary_view
from unlinkable.tables.risk.uniqueness import match_chance

FRACTIONS = st.sampled_from([0.01, 0.1, 0.3, 1.0])


@given(tables(min_records=1), FRACTIONS, st.sampled_from(list(Estimator)))
def test_the_promise_says_the_same(
    random: RandomTable, fraction: float, estimator: Estimator
) -> None:
    table = taken(random)
    found = Uniqueness(fraction=fraction, estimator=estimator).measure(table)
    promise = PopulationUniqueness(1, fraction=fraction, estimator=estimator)
    level = promise.verdict(adversary_view(table).groups).level
    assert (np.inf if found.share is None else found.share) == pytest.approx(level)
    assert (found.share is None) == (found.basis is Basis.BOUND)
    by_name = {e.estimator: e.share for e in found.estimates}
    assert by_name[estimator] == found.share


@given(tables(min_records=1))
def test_sample_uniques_are_those_of_the_definition(random: RandomTable) -> None:
    found = Uniqueness().measure(taken(random))
    n = range(len(random.rows))
    expected = [risks.people_like(random.rows, random.qid, i, random.owner) == 1 for i in n]
    assert found.is_unique.tolist() == expected
    assert found.sample_share == pytest.approx(sum(expected) / len(expected))
    assert found.share == (None if any(expected) else 0.0)
    assert found.basis is (Basis.BOUND if any(expected) else Basis.SETTLED)


looks = st.lists(st.integers(0, 5), min_size=1, max_size=10)


@given(looks, looks)
def test_population_uniques_are_counted(rows: list[int], more: list[int]) -> None:
    town = {"look": rows + more}
    table = as_table({"look": rows}, quasi="look")
    found = Uniqueness(population="town").measure(table, {"town": town})
    expected = sum(town["look"].count(row) == 1 for row in rows) / len(rows)
    assert found.share == pytest.approx(expected)
    assert found.basis is Basis.COUNTED
    promise = PopulationUniqueness(1, population="town")
    assert check(table, promise, side={"town": town}).verdicts[0].level == pytest.approx(expected)


@given(tables(min_records=1, owner=False), FRACTIONS)
def test_the_chance_of_a_match_is_that_of_the_definition(
    random: RandomTable, fraction: float
) -> None:
    people = adversary_view(taken(random)).people
    expected = risks.dis(random.rows, random.qid, fraction)
    assert match_chance(people, fraction) == pytest.approx(expected)


def pitman_population(n: int, theta: float, alpha: float, rng: np.random.Generator) -> np.ndarray:
    """Let people come one by one; the next one looks new with the chance of Pitman's formula."""
    looks, sizes = [0], [1]
    for i in range(1, n):
        if rng.random() < (theta + alpha * len(sizes)) / (theta + i):
            looks.append(len(sizes))
            sizes.append(1)
            continue
        look = looks[rng.integers(i)]
        while rng.random() < alpha / sizes[look]:
            look = looks[rng.integers(i)]
        looks.append(look)
        sizes[look] += 1
    return np.array(looks)


@pytest.mark.parametrize("fraction", [0.05, 0.3])
def test_finds_the_uniques_of_a_simulated_population(fraction: float) -> None:
    rng = np.random.default_rng(11)
    town = pitman_population(20_000, 100, 0.4, rng)
    truth = (np.bincount(town) == 1).sum() / town.size
    sample = rng.choice(town, int(fraction * town.size), replace=False)
    found = Uniqueness(size=town.size).measure(as_table({"look": sample}, quasi="look"))
    assert found.share is not None
    assert found.share == pytest.approx(truth, rel=0.3)
    assert found.share < found.sample_share / 2
    fit = {e.estimator.value: e.is_fit for e in found.estimates}
    is_small = fraction <= 0.1
    assert fit == {"pitman": is_small, "zayatz": not is_small, "snb": not is_small, "dankar": True}


def test_an_estimate_is_as_good_as_its_model() -> None:
    # Looks that fall as a power and end after 20,000 are no Pitman population: at 5 % the rule of
    # Dankar finds more than twice as many uniques as there are. It errs on the careful side here.
    rng = np.random.default_rng(11)
    weights = np.arange(1, 20_001) ** -0.8
    town = rng.choice(20_000, 40_000, p=weights / weights.sum())
    truth = (np.bincount(town) == 1).sum() / town.size
    sample = rng.choice(town, 2_000, replace=False)
    found = Uniqueness(size=town.size).measure(as_table({"look": sample}, quasi="look"))
    assert found.share is not None
    assert 2 * truth < found.share < 3 * truth


def test_a_match_to_a_unique_record_is_right_as_often_as_expected() -> None:
    rng = np.random.default_rng(8)
    town = np.repeat(np.arange(30_000), rng.integers(1, 6, 30_000))
    right = matches = 0.0
    expected = []
    sizes = np.bincount(town)
    for _ in range(5):
        sample = rng.choice(town, town.size // 10, replace=False)
        in_sample = np.bincount(sample, minlength=sizes.size)
        # Of all people who match a unique record, one is its owner.
        right += int((in_sample == 1).sum())
        matches += int(sizes[in_sample == 1].sum())
        expected.append(match_chance(in_sample[in_sample > 0], 0.1))
    assert np.mean(expected) == pytest.approx(right / matches, rel=0.05)


def test_an_estimator_without_estimate_says_why() -> None:
    table = as_table({"age": [1, 2, 3, 3, 3]}, quasi="age")
    found = Uniqueness(fraction=0.5, estimator="snb").measure(table)
    assert found.share is None
    assert found.basis is Basis.BOUND
    (snb,) = (e for e in found.estimates if e.estimator is Estimator.SNB)
    assert (snb.share, snb.is_fit) == (None, False)
    assert "needs groups of two" in snb.note
    # The rule of Dankar falls back on Zayatz.
    zayatz, dankar = (
        next(e.share for e in found.estimates if e.estimator is estimator)
        for estimator in (Estimator.ZAYATZ, Estimator.DANKAR)
    )
    assert zayatz == dankar is not None


def test_weights_say_how_large_the_population_is() -> None:
    columns = {"age": [1, 2, 3, 3], "w": [10.0, 20.0, 5.0, 5.0]}
    found = Uniqueness().measure(as_table(columns, quasi="age", weight="w"))
    assert found.fraction == 0.1
    again = Uniqueness(fraction=0.1).measure(as_table({"age": [1, 2, 3, 3]}, quasi="age"))
    assert found.share == again.share


def test_figures_are_told_as_plain_values() -> None:
    table = as_table({"age": [1, 2, 3, 3]}, quasi="age")
    told = Uniqueness(fraction=0.1).measure(table).to_json()
    assert told["sample"] == {"records": 2, "share": 0.5}
    population = told["population"]
    assert isinstance(population, dict)
    assert population["basis"] == "fraction"
    assert [e["estimator"] for e in population["estimates"]] == [
        "pitman",
        "zayatz",
        "snb",
        "dankar",
    ]


def test_an_empty_table_has_no_uniques() -> None:
    found = Uniqueness(fraction=0.1).measure(as_table({"a": []}, quasi="a"))
    assert (found.n_sample, found.share, found.dis) == (0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"fraction": 2}, r"fraction must lie in \(0, 1\]"),
        ({"size": 0}, "size must be at least 1"),
        ({"estimator": "pittman"}, "did you mean 'pitman'"),
        ({"size": 5, "population": "town"}, "uniqueness takes the fraction of the population"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Uniqueness(**parameters)  # type: ignore[arg-type]


def test_refuses_a_population_that_is_smaller_than_the_table() -> None:
    with pytest.raises(ParameterError, match="has 1 people, and the table has 2"):
        Uniqueness(size=1).measure(as_table({"job": ["cook", "clerk"]}, quasi="job"))
