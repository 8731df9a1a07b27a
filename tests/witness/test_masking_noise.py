"""The witnesses of noise: probabilities, marginals, answers and the tests of noise themselves."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import load
from tests.witness import collected, marginals, noise_tests, private
from tests.witness.test_worked import exact

ratios = st.integers(1, 9).map(lambda n: Fraction(n, 10))


def test_epsilon_of_the_discrete_mechanism_and_of_laplace_noise() -> None:
    case = load("book-ch02-differential-privacy-ratio")
    two = case["input"]["discrete"]
    found = private.epsilon_between(two["F(T1)"], two["F(T2)"])
    assert found == pytest.approx(case["expected"]["discrete_epsilon"])
    for scale, epsilon in (
        (case["expected"]["laplace_scale_correct"], case["input"]["laplace"]["epsilon"]),
        (
            case["expected"]["laplace_scale_by_printed_formula"],
            case["expected"]["epsilon_actually_given_by_printed_scale"],
        ),
    ):
        event = {"mechanism": "laplace", "sensitivity": 1, "scale": scale}
        assert private.price_of(event) == epsilon


@given(ratios, st.integers(0, 5))
def test_neighbouring_counts_with_geometric_noise_differ_by_its_ratio(
    ratio: Fraction, count: int
) -> None:
    one, other = (private.noisy_counts(n, ratio, -3, 9) for n in (count, count + 1))
    assert sum(one.values()) == sum(other.values()) == 1
    assert private.epsilon_between(one, other) == pytest.approx(-math.log(ratio))
    assert private.least_delta(one, other, -math.log(ratio)) == pytest.approx(0, abs=1e-12)


@given(ratios)
def test_the_cdf_of_geometric_noise_adds_up_its_chances(ratio: Fraction) -> None:
    for x in range(-4, 5):
        step = private.geometric_cdf(x, ratio) - private.geometric_cdf(x - 1, ratio)
        assert step == private.geometric_chance(x, ratio)


@given(
    st.lists(st.integers(0, 4), min_size=2, max_size=4),
    st.lists(st.integers(-1, 1), min_size=4, max_size=4),
    st.sampled_from([0.1, 0.5, 1.0]),
)
def test_a_choice_costs_no_more_than_its_epsilon(
    scores: list[int], changes: list[int], epsilon: float
) -> None:
    near = [s + c for s, c in zip(scores, changes, strict=False)]
    one, other = (
        private.choice_chances(dict(enumerate(map(float, found))), epsilon)
        for found in (scores, near)
    )
    assert private.epsilon_between(one, other) <= epsilon + 1e-12


def test_two_independent_answers_cost_the_sum() -> None:
    a = [private.noisy_counts(n, Fraction(1, 2), 0, 3) for n in (1, 2)]
    b = [private.noisy_counts(n, Fraction(1, 3), 0, 3) for n in (1, 2)]
    both = [private.composed(x, y) for x, y in zip(a, b, strict=True)]
    assert private.epsilon_between(*both) == pytest.approx(math.log(2) + math.log(3))


def test_a_ledger_is_priced_by_hand() -> None:
    events: list[dict[str, object]] = [
        {"mechanism": "laplace", "sensitivity": 2, "scale": 8, "what": "sum"},
        {"mechanism": "pure", "epsilon": 0.125},
        {"mechanism": "randomized-response", "truth": 0.75, "categories": 2},
        {"mechanism": "geometric", "sensitivity": 1, "scale": 4, "partition": "p", "cell": "a"},
        {"mechanism": "geometric", "sensitivity": 1, "scale": 2, "partition": "p", "cell": "b"},
        {"mechanism": "geometric", "sensitivity": 1, "scale": 4, "partition": "q", "cell": "a"},
    ]
    alone = 0.25 + 0.125 + math.log(3)
    assert private.price_of_ledger(events) == pytest.approx(alone + 0.5 + 0.25)
    assert private.price_of_ledger(events, "replace") == pytest.approx(alone + 0.75 + 0.25)
    gaussian: dict[str, object] = {"mechanism": "gaussian", "sensitivity": 1, "scale": 9}
    assert private.price_of_ledger([*events, gaussian]) == math.inf
    assert private.price_of_ledger([]) == 0


tables = st.lists(st.integers(0, 5), min_size=8, max_size=8).map(
    lambda n: dict(zip(marginals.cells_of([2, 2, 2]), map(Fraction, n), strict=True))
)


@given(tables, st.sampled_from([(), (0,), (2,), (0, 1), (1, 2), (0, 1, 2)]))
def test_coefficients_give_the_marginal_back(
    table: dict[tuple[int, ...], Fraction], query: tuple[int, ...]
) -> None:
    subsets = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    known = {s: marginals.coefficient(table, s) for s in subsets}
    assert marginals.from_coefficients(known, query) == marginals.marginal_of(table, query)


@settings(max_examples=5)
@given(tables)
def test_true_marginals_have_a_table(table: dict[tuple[int, ...], Fraction]) -> None:
    told: marginals.Told = {
        query: marginals.marginal_of(table, query) for query in ((0, 1), (1, 2))
    }
    assert marginals.has_table([2, 2, 2], told)


small = st.lists(st.integers(-3, 6).map(Fraction), min_size=2, max_size=2).map(
    lambda n: {(0,): n[0], (1,): n[1]}
)


@settings(max_examples=8)
@given(small, small, st.lists(st.integers(0, 6).map(Fraction), min_size=4, max_size=4))
def test_no_table_is_nearer_than_the_least_squares(
    rows: dict[tuple[int, ...], Fraction],
    columns: dict[tuple[int, ...], Fraction],
    other: list[Fraction],
) -> None:
    told: marginals.Told = {(0,): rows, (1,): columns}
    best = marginals.least_squares([2, 2], told)
    assert min(best.values()) >= 0
    rival = dict(zip(marginals.cells_of([2, 2]), other, strict=True))
    assert marginals.fits(best, told) <= marginals.fits(rival, told)
    assert marginals.largest_misfit(best, told) ** 2 <= marginals.fits(best, told)
    least = marginals.least_misfit([2, 2], told)
    assert least <= marginals.largest_misfit(best, told)
    assert least <= marginals.largest_misfit(rival, told)
    assert (least == 0) is marginals.has_table([2, 2], told)


@given(tables)
def test_a_tree_keeps_the_marginals_of_its_edges(table: dict[tuple[int, ...], Fraction]) -> None:
    if not any(table.values()):
        return
    score, tree = marginals.best_tree(table, 3)
    queries = [*tree, (0,), (1,), (2,)]
    told: marginals.Told = {query: marginals.marginal_of(table, query) for query in queries}
    joint = marginals.tree_joint([2, 2, 2], tree, told)
    for edge in tree:
        assert marginals.marginal_of(joint, edge) == marginals.marginal_of(table, edge)
    assert all(
        score >= sum(marginals.mutual_information(table, e) for e in other) - 1e-12
        for other in marginals.spanning_trees(3)
    )


def test_a_chain_is_rebuilt_by_its_tree() -> None:
    pair = {0: Fraction(3, 4), 1: Fraction(1, 4)}
    table = {x: pair[x[0] ^ x[1]] * pair[x[1] ^ x[2]] * 32 for x in marginals.cells_of([2, 2, 2])}
    _, tree = marginals.best_tree(table, 3)
    assert tree == [(0, 1), (1, 2)]
    told: marginals.Told = {
        q: marginals.marginal_of(table, q) for q in ((0, 1), (1, 2), (0,), (1,), (2,))
    }
    assert marginals.tree_joint([2, 2, 2], tree, told) == table


@given(st.lists(st.integers(0, 3), min_size=2, max_size=3), st.sampled_from([3, 4, 9]))
def test_the_estimate_is_right_on_average(counts: list[int], odds: int) -> None:
    if not sum(counts):
        return
    truth = Fraction(odds, odds + 1)
    found = collected.expected_estimate(counts, truth)
    assert found == [Fraction(n, sum(counts)) for n in counts]
    n, lie = sum(counts), (1 - truth) / (len(counts) - 1)
    for i, count in enumerate(counts):
        spread = count * truth * (1 - truth) + (n - count) * lie * (1 - lie)
        assert collected.response_variance(counts, truth, i) == spread / (n * (truth - lie)) ** 2


def test_shares_behind_kept_values() -> None:
    case = load("book-ch03-perturbation-reconstruction")
    observed = {v: exact(share) for v, share in case["input"]["observed"].items()}
    found = collected.reconstructed_kept(observed, exact(case["input"]["p"]))
    assert {v: float(p) for v, p in found.items()} == case["expected"]["reconstructed"]


def test_first_rounds_of_bayesian_reconstruction() -> None:
    case = load("aggarwal-reconstruction-steps")
    given_, expected = case["input"], case["expected"]["density_by_iteration"]
    intervals = [(lo, hi) for lo, hi in given_["intervals"]]

    def noise(y: float) -> float:
        return 0.5 if -1 <= y <= 1 else 0.0

    for rounds, density in enumerate(expected):
        found = collected.reconstructed(intervals, given_["z"], noise, rounds)
        assert found == pytest.approx(density)
    assert collected.reconstructed(intervals, given_["z"], noise, 60) == pytest.approx([0, 1])


def test_an_observation_that_nothing_explains_is_left_out() -> None:
    def noise(y: float) -> float:
        return 0.5 if -1 <= y <= 1 else 0.0

    seen, intervals = [0.2, 1.8], [(-0.5, 0.5), (0.5, 1.5)]
    with_stranger = collected.bayes_round([0.5, 0.5], intervals, [*seen, 40.0], noise)
    assert with_stranger == collected.bayes_round([0.5, 0.5], intervals, seen, noise)


@given(st.lists(st.floats(-1.5, 4.5), min_size=1, max_size=8))
def test_no_round_of_em_lets_the_likelihood_fall(seen: list[float]) -> None:
    def cdf(y: float) -> float:
        return private.gaussian_cdf(y, 1.0)

    intervals = [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]
    shares, before = [1 / 3] * 3, -math.inf
    for _ in range(6):
        now = collected.log_likelihood(shares, intervals, seen, cdf)
        assert now >= before - 1e-9
        assert sum(shares) == pytest.approx(1)
        shares, before = collected.em_round(shares, intervals, seen, cdf), now


def laplace(x: float) -> float:
    return private.laplace_cdf(x, 1.0)


def gaussian(x: float) -> float:
    return private.gaussian_cdf(x, 1.0)


GRID = [i / 50 for i in range(-300, 301)]


@pytest.mark.parametrize("cdf", [laplace, gaussian], ids=["laplace", "gaussian"])
@pytest.mark.parametrize("factor", [0.7, 1.3])
def test_cdfs_see_a_scale_thirty_percent_off(cdf: Callable[[float], float], factor: float) -> None:
    """By calculation: 16,000 samples keep both errors below one in a million."""
    apart = noise_tests.distance_of_scales(cdf, factor, GRID)
    assert noise_tests.samples_needed(apart, 1e-6, 1e-6) <= 16_000
    assert noise_tests.power(16_000, apart, 1e-6) >= 1 - 1e-6
    assert noise_tests.power(100, apart, 1e-6) < 0.5


@pytest.mark.parametrize(("kind", "n"), [("laplace", 2000), ("gaussian", 1000)])
@pytest.mark.parametrize("factor", [0.7, 1.3])
def test_exact_tests_see_a_scale_thirty_percent_off(kind: str, n: int, factor: float) -> None:
    """By calculation: so few samples keep both errors below one in a million."""
    assert noise_tests.scale_power(n, factor, kind, 1e-6) >= 1 - 1e-6
    assert noise_tests.scale_power(n, 1.0, kind, 1e-6) == pytest.approx(1e-6, rel=1e-3)
    assert noise_tests.scale_power(40, factor, kind, 1e-6) < 0.5


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_right_noise_passes_and_noise_thirty_percent_off_does_not(kind: str) -> None:
    """By simulation with a fixed seed, and with the rates that were calculated above."""
    rng = random.Random(11)

    def draw(scale: float, n: int) -> list[float]:
        if kind == "gaussian":
            return [rng.gauss(0, scale) for _ in range(n)]
        return [rng.expovariate(1 / scale) * rng.choice((-1, 1)) for _ in range(n)]

    cdf = laplace if kind == "laplace" else gaussian
    for scale in (0.7, 1.0, 1.3):
        assert noise_tests.has_scale(draw(scale, 2000), 1.0, kind, 1e-6) is (scale == 1.0)
        assert noise_tests.agrees(draw(scale, 16_000), cdf, 1e-6) is (scale == 1.0)


def test_false_alarms_are_as_often_as_stated() -> None:
    """1000 runs at a rate of 1/5: the exact test gives 200 false alarms or so, the other fewer."""
    rng = random.Random(5)
    exact_alarms = other_alarms = 0
    for _ in range(1000):
        seen = [rng.expovariate(1) * rng.choice((-1, 1)) for _ in range(40)]
        exact_alarms += not noise_tests.has_scale(seen, 1.0, "laplace", 0.2)
        other_alarms += not noise_tests.agrees(seen, laplace, 0.2)
    assert 140 <= exact_alarms <= 260
    assert other_alarms <= 260


@pytest.mark.parametrize("factor", [0.7, 1.0, 1.3])
def test_geometric_noise_is_compared_at_whole_numbers(factor: float) -> None:
    """20,000 samples of scale 2: false alarms and misses both below one in a million."""
    rng, scale = random.Random(2), 2.0

    def made(ratio: float) -> int:
        return int(math.log(1 - rng.random()) / math.log(ratio)) - int(
            math.log(1 - rng.random()) / math.log(ratio)
        )

    def cdf(x: float) -> float:
        return float(private.geometric_cdf(math.floor(x), math.exp(-1 / scale)))

    def before(x: float) -> float:
        return float(private.geometric_cdf(math.ceil(x) - 1, math.exp(-1 / scale)))

    other = math.exp(-1 / scale / factor)
    apart = max(abs(cdf(x) - float(private.geometric_cdf(x, other))) for x in range(-20, 21))
    seen = [made(other) for _ in range(20_000)]
    assert noise_tests.agrees(seen, cdf, 1e-6, before) is (factor == 1.0)
    if factor != 1.0:
        assert noise_tests.power(20_000, apart, 1e-6) >= 1 - 1e-6


def test_chi_square_needs_even_degrees_and_a_known_kind() -> None:
    with pytest.raises(ValueError, match="even number"):
        noise_tests.chi_square_above(1.0, 3)
    with pytest.raises(ValueError, match="no test of the scale of cauchy"):
        noise_tests.has_scale([1.0], 1.0, "cauchy", 0.1)
    assert noise_tests.chi_square_above(0.0, 2) == 1
