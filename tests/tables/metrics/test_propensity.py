"""Propensity: the thesis's numbers, the saturated model by hand, and what is expected by chance."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.metrics.drawn import Drawn, releases
from tests.tables.metrics.people import at_levels, people
from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.metrics import Classifier, Propensity
from unlinkable.tables.metrics.base import Bucketized, Perturbed
from unlinkable.tables.metrics.propensity import mean_square
from unlinkable.tables.taxonomies.builders import Intervals

RATIO = "ratio to expected"
SHARE = "share of released records (c)"


def by_definition(before: dict[str, int], after: dict[str, int]) -> float:
    """U_P if the probability of each value is known: the share of released among its records."""
    total = sum(before.values()) + sum(after.values())
    c = sum(after.values()) / total
    return sum(
        (before[v] + after[v]) * (after[v] / (before[v] + after[v]) - c) ** 2 / total
        for v in before
    )


def test_the_bounds_of_the_thesis() -> None:
    case = cases.load("babu-propensity-bound")
    found = [mean_square(np.array(c["p"], float), c["c"]) for c in case["input"]["cases"]]
    assert found == pytest.approx(case["expected"]["U_P"])
    greatest = case["expected"]["maximum_for_c_half"]
    assert max(found) == greatest
    # What Table 5.7 prints cannot be this number.
    assert case["input"]["table_5_7"]["(n,t)-closeness"] > greatest


counts = st.dictionaries(st.sampled_from("abc"), st.integers(30, 300), min_size=3, max_size=3)


@given(counts, counts)
def test_says_what_the_definition_says(before: dict[str, int], after: dict[str, int]) -> None:
    table, release = (
        as_table({"v": [v for v in sorted(n) for _ in range(n[v])]}, quasi="v")
        for n in (before, after)
    )
    found = Propensity().measure(Perturbed(table, release.frame, None)).value
    assert found == pytest.approx(by_definition(before, after), abs=1e-4)


@pytest.mark.parametrize("classifier", list(Classifier), ids=str)
def test_a_release_that_is_the_original_cannot_be_told_from_it(classifier: Classifier) -> None:
    table = people()
    asked = Propensity(classifier=classifier)
    assert asked.measure(at_levels(table, [0, 0])).value == pytest.approx(0, abs=1e-12)
    upside_down = Perturbed(table, table.frame.reverse(), None)
    assert asked.measure(upside_down).value == pytest.approx(0, abs=1e-12)


def far_off(n: int) -> tuple[Table, Perturbed]:
    table = people()
    frame = table.frame.with_columns(age=pl.col("age") + 100.0).head(n)
    return table, Perturbed(table, frame.with_columns(pl.col("age").fill_null(130.0)), None)


@pytest.mark.parametrize("classifier", list(Classifier), ids=str)
@pytest.mark.parametrize("n", [240, 80])
def test_a_release_that_is_something_else_is_told_apart(classifier: Classifier, n: int) -> None:
    table, released = far_off(n)
    c = n / (n + len(table))
    found = Propensity(classifier=classifier).measure(released)
    assert found.details[SHARE] == c
    # Naive Bayes never is quite sure: one is added to all counts.
    off = 0.2 if classifier is Classifier.NAIVE_BAYES else 0.03
    assert found.value == pytest.approx(c * (1 - c), rel=off)


@given(releases(min_records=4, weighted=False))
def test_is_never_more_than_if_all_are_told_apart(drawn: Drawn) -> None:
    released = drawn.generalized()
    if not released.n_records:
        with pytest.raises(UnsupportedError, match="the release is empty"):
            Propensity().measure(released)
        return
    for classifier in ("logistic-regression", "decision-tree"):
        found = Propensity(classifier=classifier).measure(released)
        c = found.details[SHARE]
        assert c == released.n_records / (released.n_records + len(drawn.rows))
        assert -1e-12 <= found.value <= c * (1 - c) + 1e-6


@pytest.mark.statistical
@pytest.mark.parametrize("n_released", [300, 900])
def test_a_random_sample_differs_as_much_as_expected(n_released: int) -> None:
    """The mean of 60 ratios, each chi-square of 6 over 6: within 5 standard deviations of 1.

    The seed is fixed; one in 1.7 million others would fail. Without the factor 1 - c, the mean
    would be a half or a quarter.
    """
    rng = np.random.default_rng(11)
    table = people(300)
    chosen = ("age", "job", "region")
    plain = as_table(table.frame.select(chosen).drop_nulls(), quasi=chosen)
    n = len(plain)
    ratios = [
        Propensity()
        .measure(Perturbed(plain, plain.frame[rng.integers(0, n, n_released)], None))
        .details[RATIO]
        for _ in range(60)
    ]
    k_less_1 = 1 + 3 + 2
    assert np.mean(ratios) == pytest.approx(1, abs=5 * (2 / k_less_1 / 60) ** 0.5)


def test_wider_ranges_of_a_skewed_column_are_further_off() -> None:
    incomes = [int(x) for x in np.random.default_rng(2).exponential(1000, 400)]
    table = as_table(
        {"income": incomes}, quasi="income", taxonomies={"income": Intervals(500, 4000)}
    )
    for classifier in ("logistic-regression", "decision-tree"):
        asked = Propensity(classifier=classifier)
        found = [asked.measure(at_levels(table, [level])).value for level in range(4)]
        assert found[0] == pytest.approx(0, abs=1e-12)
        assert found[1] < 0.01 < found[2] < found[3]


def test_lost_correlations_are_seen_by_a_tree_alone() -> None:
    both = ["x", "y"] * 200
    table = as_table({"a": both, "b": both}, quasi=["a", "b"])
    crossed = pl.DataFrame({"a": both, "b": ["x", "y", "y", "x"] * 100})
    released = Perturbed(table, crossed, None)
    assert Propensity().measure(released).value == pytest.approx(0, abs=1e-9)
    # Half of the released records are of a kind that the original does not have.
    tree = Propensity(classifier="decision-tree").measure(released).value
    assert tree == pytest.approx(
        by_definition({"same": 400, "other": 0}, {"same": 200, "other": 200})
    )


def test_columns_that_only_one_of_them_has_are_not_compared() -> None:
    table = people()
    frame = table.frame.drop("age").with_columns(shoe=pl.lit("large"))
    assert Propensity().measure(Perturbed(table, frame, None)).value == pytest.approx(0, abs=1e-12)


def test_columns_told_for_buckets_are_not_compared() -> None:
    table = as_table({"q": ["x", "y"] * 9, "ill": ["flu", "hiv"] * 9}, quasi="q", sensitive="ill")
    buckets = np.zeros(18, np.int32)
    shown = Bucketized(table, table.frame, np.arange(18), buckets, {"ill": None})  # type: ignore[dict-item]
    assert Propensity().measure(shown).value == 0
    nothing_else = Bucketized(table, table.frame.drop("q"), None, buckets, {"ill": None})  # type: ignore[dict-item]
    with pytest.raises(UnsupportedError, match="no column is told record by record"):
        Propensity().measure(nothing_else)


def test_records_count_by_the_people_that_they_stand_for() -> None:
    table = as_table({"q": ["x"] * 60 + ["y"] * 40}, quasi="q")
    noisy = pl.DataFrame({"q": ["x", "y", "y"]})
    released = Perturbed(table, noisy, None, np.array([60.0, 40.0, -3.0]))
    found = Propensity().measure(released)
    assert found.value == pytest.approx(0, abs=1e-6)
    assert found.details == {SHARE: 0.5}


def test_the_ratio_is_told_for_logistic_regression_only() -> None:
    release = at_levels(people(), [1, 1])
    assert set(Propensity().measure(release).details) == {
        SHARE,
        "expected for a random sample",
        RATIO,
    }
    assert set(Propensity(classifier="naive-bayes").measure(release).details) == {SHARE}


def test_a_column_of_one_value_tells_nothing() -> None:
    table = as_table({"q": ["x"] * 20}, quasi="q")
    found = Propensity().measure(at_levels(table, [0]))
    assert (found.value, found.details[RATIO]) == (0, 0)


def test_goes_by_its_seed() -> None:
    release = at_levels(people(), [2, 2])
    found = [Propensity(seed=seed).measure(release).value for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]


def test_tells_of_progress() -> None:
    told: list[float] = []
    Propensity().measure(at_levels(people(60), [1, 1]), lambda share, _: told.append(share))
    assert told == [1.0]


def test_refuses_an_empty_release() -> None:
    table = people(30)
    nobody = Perturbed(table, table.frame, None, np.full(30, -1.0))
    for released in (at_levels(table, [0, 0], lambda groups: groups.sizes > 0), nobody):
        with pytest.raises(UnsupportedError, match="no records to compare: the release is empty"):
            Propensity().measure(released)


def test_refuses_a_classifier_that_nobody_knows() -> None:
    with pytest.raises(ParameterError, match="no classifier 'probit' among 5"):
        Propensity(classifier="probit")
