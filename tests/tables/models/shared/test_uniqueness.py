"""Uniqueness in a population: the formulas of the literature, simulated populations, and edges."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.tables.models.shared.uniqueness import (
    Estimate,
    Estimator,
    Sample,
    estimate_uniqueness,
)
from unlinkable.tables.models.shared.uniqueness import estimate as estimate_module
from unlinkable.tables.models.shared.uniqueness import pitman as pitman_module
from unlinkable.tables.models.shared.uniqueness.euler_maclaurin import (
    sum_inverses,
    sum_logs,
    sum_squares,
)
from unlinkable.tables.models.shared.uniqueness.pitman import fit_pitman, pitman
from unlinkable.tables.models.shared.uniqueness.slide_negative_binomial import (
    fit_slide_negative_binomial,
    n_population_groups,
    slide_negative_binomial,
)
from unlinkable.tables.models.shared.uniqueness.zayatz import zayatz
from unlinkable.typing import CountArray

sizes = st.lists(st.integers(1, 9), min_size=1, max_size=12).map(lambda s: [1, *s])
fractions = st.sampled_from([0.01, 0.05, 0.1, 0.2, 0.5, 0.8])


def drawn_from(population: CountArray, fraction: float, rng: np.random.Generator) -> CountArray:
    """Draw a sample without putting anybody back."""
    n = round(int(population.sum()) * fraction)
    found = rng.multivariate_hypergeometric(population, n)
    return found[found > 0]


def pitman_population(theta: float, alpha: float, n: int, rng: np.random.Generator) -> CountArray:
    """Seat one person after the other, as Pitman's formula has it."""
    groups: list[int] = []
    seat = np.empty(n, np.int64)
    for i in range(n):
        if rng.random() * (theta + i) < theta + len(groups) * alpha:
            groups.append(0)
            seat[i] = len(groups) - 1
        else:
            at = seat[rng.integers(i)]
            while rng.random() * groups[at] > groups[at] - alpha:
                at = seat[rng.integers(i)]
            seat[i] = at
        groups[seat[i]] += 1
    return np.array(groups)


def share_of_uniques(population: CountArray) -> float:
    return float((population == 1).sum() / population.sum())


@pytest.mark.parametrize(("theta", "alpha"), [(50, 0.5), (200, 0.3), (5, 0.7)])
def test_pitman_is_right_on_average_on_its_own_populations(theta: float, alpha: float) -> None:
    rng = np.random.default_rng(7)
    found, truth = [], []
    for _ in range(12):
        population = pitman_population(theta, alpha, 10_000, rng)
        found.append(pitman(Sample.of(drawn_from(population, 0.1, rng), 0.1)))
        truth.append(share_of_uniques(population))
    # A mean of twelve estimates is off by 5 %, as a rule: 15 % are rare, and 30 % would be caught.
    assert np.mean(found) == pytest.approx(np.mean(truth), rel=0.15)


def test_pitman_finds_the_parameters_of_its_own_populations() -> None:
    population = pitman_population(50, 0.5, 20_000, np.random.default_rng(1))
    theta, alpha = fit_pitman(Sample.of(population, 1.0))
    assert alpha == pytest.approx(0.5, abs=0.05)
    assert theta == pytest.approx(50, rel=0.5)


def test_the_slide_negative_binomial_is_within_a_fifth_on_its_own_populations() -> None:
    rng = np.random.default_rng(3)
    population = 1 + rng.negative_binomial(0.5, 0.1, 8_000)
    for fraction in (0.3, 0.5, 0.8):
        sample = Sample.of(drawn_from(population, fraction, rng), fraction)
        assert slide_negative_binomial(sample) == pytest.approx(
            share_of_uniques(population), rel=0.2
        )
        assert n_population_groups(sample) == pytest.approx(8_000, rel=0.05)


def test_zayatz_is_within_a_tenth_for_large_samples_and_too_high_for_small_ones() -> None:
    rng = np.random.default_rng(5)
    shares = rng.lognormal(0, 1.5, 5_000)
    population = rng.multinomial(40_000, shares / shares.sum())
    truth = share_of_uniques(population)
    large = Sample.of(drawn_from(population, 0.7, rng), 0.7)
    small = Sample.of(drawn_from(population, 0.02, rng), 0.02)
    assert zayatz(large) == pytest.approx(truth, rel=0.1)
    assert zayatz(small) > 2 * truth


def test_the_rule_of_dankar_is_within_a_third_of_large_samples_of_any_population() -> None:
    rng = np.random.default_rng(11)
    shares = rng.lognormal(0, 2, 20_000)
    population = rng.multinomial(60_000, shares / shares.sum())
    truth = share_of_uniques(population)
    for fraction in (0.3, 0.5, 0.8):
        found = estimate_uniqueness(drawn_from(population, fraction, rng), fraction)
        assert found.share == pytest.approx(truth, rel=1 / 3)
    small = estimate_uniqueness(drawn_from(population, 0.05, rng), 0.05)
    assert truth / 2.5 < small.share < 2.5 * truth


@given(sizes, fractions)
def test_zayatz_is_what_bayes_says(groups: list[int], fraction: float) -> None:
    sample = Sample.of(np.array(groups), fraction)
    n, everybody = sample.n_people, sample.n_population

    def seen_once(size: int) -> Fraction:
        ways = size * math.comb(everybody - size, n - 1) if everybody - size >= n - 1 else 0
        return Fraction(ways, math.comb(everybody, n))

    once = groups.count(1)
    is_unique = once * seen_once(1) / sum((seen_once(size) for size in groups), Fraction(0))
    assert zayatz(sample) == pytest.approx(float(once * is_unique / n))


def log_likelihood(groups: list[int], theta: float, alpha: float) -> float:
    """Seat the people of a sample one after the other, group by group."""
    total, n = 0.0, 0
    for u, size in enumerate(groups):
        total += math.log(theta + u * alpha) if u else 0.0
        total -= math.log(theta + n) if n else 0.0
        n += 1
        for i in range(1, size):
            total += math.log(i - alpha) - math.log(theta + n)
            n += 1
    return total


@given(sizes, st.floats(0, 0.99), st.floats(1e-3, 1e3))
def test_no_other_parameters_of_pitman_are_likelier(
    groups: list[int], alpha: float, above: float
) -> None:
    assume(len(groups) < sum(groups))
    theta, best = fit_pitman(Sample.of(np.array(groups), 0.1))
    found = log_likelihood(groups, theta, best)
    assert found >= log_likelihood(groups, above - alpha, alpha) - 1e-6


@given(sizes, fractions)
def test_pitman_expects_as_many_uniques_as_its_formula(groups: list[int], fraction: float) -> None:
    assume(len(groups) < sum(groups))
    sample = Sample.of(np.array(groups), fraction)
    theta, alpha = fit_pitman(sample)
    i = np.arange(sample.n_population - 1)
    expected = float(np.prod((theta + alpha + i) / (theta + 1 + i)))
    assert pitman(sample) == pytest.approx(expected, rel=1e-6)


def test_pitman_is_sure_of_itself_where_gamma_functions_cancel() -> None:
    groups = np.ones(200_000, np.int64)
    groups[:3] = 2
    sample = Sample.of(groups, 0.5)
    theta, alpha = fit_pitman(sample)
    i = np.arange(sample.n_population - 1)
    expected = float(np.exp(np.log1p((alpha - 1) / (theta + 1 + i)).sum()))
    assert theta > 1e6
    assert pitman(sample) == pytest.approx(expected, rel=1e-6)


@given(sizes, st.sampled_from([0.05, 0.2, 0.5, 0.8]))
def test_the_slide_negative_binomial_expects_what_was_found(
    groups: list[int], fraction: float
) -> None:
    sample = Sample.of(np.array(groups), fraction)
    try:
        n_groups, alpha, beta = fit_slide_negative_binomial(sample)
    except UnsupportedError:
        return
    assume(alpha * (1 - beta) / beta < 300)
    size = np.arange(1, 20_000)
    x = size[1:] - 1
    log_choose = np.cumsum(np.log((alpha + x - 1) / x))
    chance = np.append(1.0, np.exp(log_choose + x * math.log1p(-beta))) * beta**alpha
    once = n_groups * (chance * size * fraction * (1 - fraction) ** (size - 1.0)).sum()
    pairs = size * (size - 1) / 2 * fraction**2 * (1 - fraction) ** (size - 2.0)
    assert once == pytest.approx(groups.count(1), rel=1e-6)
    assert n_groups * (chance * pairs).sum() == pytest.approx(groups.count(2), rel=1e-6)
    assert slide_negative_binomial(sample) == pytest.approx(
        n_groups * chance[0] / sample.n_population
    )


@given(sizes, st.sampled_from([0.05, 0.2, 0.5, 0.8]))
def test_the_number_of_groups_is_that_of_haas_and_stokes(groups: list[int], q: float) -> None:
    f = Counter(groups)
    twice = sum(i * q**2 * (1 - q**2) ** (i - 1) * n for i, n in f.items())
    some = sum((1 - q) ** i * ((1 + q) ** i - 1) * n for i, n in f.items())
    none = sum((1 - q) ** i * n for i, n in f.items())
    once = sum(i * q * (1 - q) ** (i - 1) * n for i, n in f.items())
    expected = len(groups) + f[1] * (twice / some) * (none / once) ** 2
    assert n_population_groups(Sample.of(np.array(groups), q)) == pytest.approx(expected)


@given(st.floats(-0.99, 1e6), st.lists(st.integers(1, 500), min_size=1, max_size=5))
def test_long_sums_are_what_their_terms_add_up_to(x: float, counts: list[int]) -> None:
    n = np.array(counts)
    for found, term in (
        (sum_inverses(x, n), lambda v: 1 / v),
        (sum_squares(x, n), lambda v: v**-2),
        (sum_logs(x, n), math.log),
    ):
        expected = [math.fsum(term(x + i) for i in range(1, k)) for k in counts]
        assert found.tolist() == pytest.approx(expected, rel=1e-11, abs=1e-10)


@pytest.mark.parametrize("estimator", Estimator)
def test_where_nobody_is_unique_in_the_table_nobody_is(estimator: Estimator) -> None:
    for groups in ([], [2, 3, 4], [0, 5]):
        found = estimate_uniqueness(np.array(groups, np.int64), 0.1, estimator)
        assert found == Estimate(0.0, None)


@pytest.mark.parametrize("estimator", Estimator)
def test_a_table_of_everybody_is_counted(estimator: Estimator) -> None:
    assert estimate_uniqueness(np.array([1, 1, 2]), 1.0, estimator) == Estimate(0.5, None)
    assert estimate_uniqueness(np.array([1, 1, 2]), 0.99, estimator) == Estimate(0.5, None)


def test_where_everybody_is_unique_in_the_table_everybody_may_be() -> None:
    alone = np.ones(50, np.int64)
    for estimator in (Estimator.PITMAN, Estimator.ZAYATZ, Estimator.DANKAR):
        assert estimate_uniqueness(alone, 0.1, estimator).share == 1


@given(sizes, fractions)
def test_no_estimate_is_higher_than_what_the_table_shows(
    groups: list[int], fraction: float
) -> None:
    for estimator in Estimator:
        try:
            found = estimate_uniqueness(np.array(groups), fraction, estimator)
        except UnsupportedError:
            assert estimator is Estimator.SNB
            continue
        assert 0 <= found.share <= groups.count(1) / sum(groups)


def test_the_rule_of_dankar_chooses_by_fraction_and_by_estimate() -> None:
    groups = np.array([1] * 8 + [2, 3, 12])
    named = {e: estimate_uniqueness(groups, 0.5, e).share for e in Estimator}
    assert estimate_uniqueness(groups, 0.1).estimator is Estimator.PITMAN
    assert named[Estimator.ZAYATZ] < named[Estimator.SNB]
    assert estimate_uniqueness(groups, 0.5) == Estimate(named[Estimator.ZAYATZ], Estimator.ZAYATZ)
    rng = np.random.default_rng(3)
    found = drawn_from(1 + rng.negative_binomial(0.5, 0.1, 2_000), 0.2, rng)
    assert estimate_uniqueness(found, 0.2).estimator is Estimator.SNB


def test_the_rule_of_dankar_falls_back_on_zayatz(monkeypatch: pytest.MonkeyPatch) -> None:
    no_pairs = np.array([1, 1, 3])
    assert estimate_uniqueness(no_pairs, 0.5).estimator is Estimator.ZAYATZ

    def fails(sample: Sample) -> float:
        raise UnsupportedError("no")

    monkeypatch.setattr(estimate_module, "pitman", fails)
    assert estimate_uniqueness(no_pairs, 0.1).estimator is Estimator.ZAYATZ


def test_says_that_there_is_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsupportedError, match="needs groups of two, and the table has none"):
        estimate_uniqueness(np.array([1, 1, 3]), 0.5, Estimator.SNB)
    with pytest.raises(UnsupportedError, match="has as many groups of one and of two as the table"):
        estimate_uniqueness(np.array([1] + [2] * 50), 0.9, Estimator.SNB)
    monkeypatch.setattr(pitman_module, "_ROUNDS", 0)
    with pytest.raises(UnsupportedError, match="likelihood of the Pitman model was not found"):
        estimate_uniqueness(np.array([1] * 8 + [2, 3, 12]), 0.1, Estimator.PITMAN)


def test_refuses_a_fraction_that_is_none() -> None:
    for fraction in (0.0, -1.0, 1.5):
        with pytest.raises(ParameterError, match=r"fraction must lie in \(0, 1\], got"):
            estimate_uniqueness(np.array([1]), fraction)
