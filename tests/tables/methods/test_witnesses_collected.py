"""What is told from noisy answers, against the witnesses that think through every outcome."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.witness import collected, noise_tests, private, swapping
from unlinkable.collection import (
    BayesReconstruction,
    RandomizedResponse,
    likeliest_shares,
    shares_before,
)
from unlinkable.noise import price, secure_generator

TRUTHS = [Fraction(3, 4), Fraction(3, 5), Fraction(9, 10)]
few_people = st.lists(st.integers(0, 3), min_size=2, max_size=3).filter(lambda n: sum(n) >= 2)


def asked(n_values: int, truth: Fraction, level: float = 0.95) -> RandomizedResponse:
    return RandomizedResponse([f"v{i}" for i in range(n_values)], truth=float(truth), level=level)


@given(st.lists(st.integers(0, 40), min_size=2, max_size=5), st.sampled_from(TRUTHS))
def test_estimates_are_those_of_the_formula(answers: list[int], truth: Fraction) -> None:
    if sum(answers) < 2:
        return
    found = asked(len(answers), truth).estimate_counts(answers)
    expected = collected.response_estimate(answers, truth)
    assert found.shares.tolist() == pytest.approx([float(share) for share in expected])


@given(few_people, st.sampled_from(TRUTHS))
def test_estimates_are_right_on_average_over_all_outcomes(
    counts: list[int], truth: Fraction
) -> None:
    how, n = asked(len(counts), truth), sum(counts)
    total = [0.0] * len(counts)
    for outcome, chance in collected.answer_counts(counts, truth).items():
        for i, share in enumerate(how.estimate_counts(outcome).shares.tolist()):
            total[i] += float(chance) * share
    assert total == pytest.approx([count / n for count in counts])


@pytest.mark.parametrize("counts", [[0, 6], [3, 5], [2, 2, 3]])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_intervals_cover_the_share_of_those_who_answered_as_often_as_stated(
    counts: list[int], level: float
) -> None:
    truth = Fraction(3, 4)
    how, n = asked(len(counts), truth, level), sum(counts)
    outcomes = collected.answer_counts(counts, truth)
    for i, count in enumerate(counts):
        covered = 0.0
        for outcome, chance in outcomes.items():
            found = how.estimate_counts(outcome)
            covered += float(chance) * (found.low[i] - 1e-9 <= count / n <= found.high[i] + 1e-9)
        assert covered >= level


@pytest.mark.parametrize("n_values", [2, 3, 7])
@pytest.mark.parametrize("truth", TRUTHS, ids=str)
def test_answers_cost_what_their_definition_says(n_values: int, truth: Fraction) -> None:
    how = asked(n_values, truth)
    told: list[dict[Hashable, Fraction]] = [
        {a: truth if a == true else (1 - truth) / (n_values - 1) for a in range(n_values)}
        for true in range(n_values)
    ]
    worst = max(private.epsilon_between(one, other) for one, other in pairwise(told))
    assert worst == pytest.approx(private.response_epsilon(truth, n_values))
    assert how.epsilon == pytest.approx(worst)
    assert price(how.ledger(times=2)).at(0) == pytest.approx(2 * worst)
    ledger: dict[str, Any] = how.ledger(times=2).to_json()
    assert private.price_of_ledger(ledger["events"]) == pytest.approx(2 * worst)


@pytest.mark.parametrize("true", [0, 1, 2])
def test_answers_are_drawn_with_their_probabilities(true: int) -> None:
    """False alarms below one in a million; a truth of 0.6 in place of 0.75 is seen as surely."""
    n, truth = 20_000, Fraction(3, 4)
    how = asked(3, truth)
    chances = [0.75 if i == true else 0.125 for i in range(3)]
    given_ = how.randomize([f"v{true}"] * n, secure_generator(true + 1))
    answers = [int(answer[1:]) for answer in given_]

    def cdf(x: float) -> float:
        return sum(chances[: math.floor(x) + 1])

    def before(x: float) -> float:
        return sum(chances[: math.ceil(x)])

    assert noise_tests.agrees(answers, cdf, 1e-6, before)
    assert noise_tests.power(n, 0.15 / 2, 1e-6) >= 1 - 1e-6
    assert set(Counter(answers)) == {0, 1, 2}


@given(
    st.lists(st.integers(-9, 49).map(lambda z: z / 10), min_size=1, max_size=12),
    st.integers(1, 5),
    st.sampled_from(["uniform", "gaussian", "laplace"]),
)
def test_rounds_of_bayesian_reconstruction_are_those_of_the_equations(
    seen: list[float], rounds: int, kind: str
) -> None:
    def density(y: float) -> float:
        match kind:
            case "uniform":
                return 1 / 3 if abs(y) <= 1.5 else 0.0
            case "gaussian":
                return math.exp(-((y / 1.5) ** 2) / 2) / 1.5 / math.sqrt(2 * math.pi)
            case _:
                return math.exp(-abs(y) / 1.5) / 3.0

    how = BayesReconstruction(
        scale=1.5,
        distribution=kind,
        bins=4,
        low=0,
        high=4,
        stop="change",
        tolerance=1e-300,
        rounds=rounds,
        resamples=0,
    )
    found = how.reconstruct(seen)
    intervals = [(float(i), i + 1.0) for i in range(4)]
    expected = collected.reconstructed(intervals, seen, density, found.rounds)
    if found.widened == (0, 0):
        assert found.probabilities.tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_em_is_as_likely_as_the_literal_rounds(kind: str) -> None:
    """Values are counted in cells first, which costs little likelihood."""
    rng = np.random.default_rng(3)
    true = np.concatenate([rng.uniform(0, 1, 150), rng.uniform(3, 4, 150)])
    how = BayesReconstruction(1, kind, algorithm="em", bins=4, low=0, high=4, resamples=0)
    seen = how.randomize(true, secure_generator(4)).tolist()
    found = how.reconstruct(seen)
    assert found.converged
    assert found.widened == (0, 0)

    def cdf(y: float) -> float:
        return private.gaussian_cdf(y, 1) if kind == "gaussian" else private.laplace_cdf(y, 1)

    intervals = [(float(i), i + 1.0) for i in range(4)]
    shares = [0.25] * 4
    for _ in range(400):
        shares = collected.em_round(shares, intervals, seen, cdf)
    best = collected.log_likelihood(shares, intervals, seen, cdf)
    reached = collected.log_likelihood(found.probabilities.tolist(), intervals, seen, cdf)
    assert best - 0.5 <= reached <= best + 1e-3
    assert found.probabilities.tolist() == pytest.approx(shares, abs=0.05)


@pytest.mark.parametrize(("kind", "n"), [("gaussian", 4000), ("laplace", 4000)])
@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_collected_noise_has_its_scale(kind: str, n: int, scale: float) -> None:
    """False alarms below one in a million; a scale 30 % off is seen as surely."""
    how = BayesReconstruction(scale=scale, distribution=kind, low=-1, high=1)
    noise = how.randomize(np.zeros(n), secure_generator(9)).tolist()
    assert noise_tests.has_scale(noise, scale, kind, 1e-6)
    for factor in (0.7, 1.3):
        assert noise_tests.scale_power(n, factor, kind, 1e-6) >= 1 - 1e-6
        assert not noise_tests.has_scale(noise, scale * factor, kind, 1e-6)


def test_uniform_noise_has_its_width() -> None:
    """False alarms below one in a million; a width 30 % off is seen as surely."""
    n = 8000
    noise = BayesReconstruction(scale=2, distribution="uniform", low=-1, high=1).randomize(
        np.zeros(n), secure_generator(9)
    )

    def cdf(x: float, width: float = 2.0) -> float:
        return min(max((x + width) / 2 / width, 0.0), 1.0)

    assert noise_tests.agrees(noise.tolist(), cdf, 1e-6)
    apart = min(
        max(abs(cdf(x / 10) - cdf(x / 10, 2 * factor)) for x in range(-40, 41))
        for factor in (0.7, 1.3)
    )
    assert noise_tests.power(n, apart, 1e-6) >= 1 - 1e-6


@st.composite
def replaced(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[int]]:
    """Draw a matrix whose rows mostly stay, and how often each category was handed in."""
    size = draw(st.integers(2, 4))
    rows = []
    for i in range(size):
        weights = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
        weights[i] += 2 * size + 1
        rows.append([Fraction(w, sum(weights)) for w in weights])
    return rows, draw(st.lists(st.integers(0, 50), min_size=size, max_size=size))


@given(replaced())
def test_shares_before_are_those_behind_the_expected_ones(
    case: tuple[list[list[Fraction]], list[int]],
) -> None:
    matrix, counts = case
    if sum(counts) < 2:
        return
    expected = swapping.unbiased_counts(matrix, counts)
    assert expected is not None
    transition = [[float(p) for p in row] for row in matrix]
    found = shares_before(counts, transition, [f"v{i}" for i in range(len(counts))])
    assert found.shares.tolist() == pytest.approx([float(n) / sum(counts) for n in expected])


@given(replaced())
def test_likeliest_shares_are_as_likely_as_any_that_were_tried(
    case: tuple[list[list[Fraction]], list[int]],
) -> None:
    matrix, counts = case
    if sum(counts) < 2:
        return
    transition = [[float(p) for p in row] for row in matrix]

    def likelihood(shares: list[float]) -> float:
        given_ = [
            sum(s * row[j] for s, row in zip(shares, transition, strict=True))
            for j in range(len(counts))
        ]
        return sum(n * math.log(max(p, 1e-300)) for n, p in zip(counts, given_, strict=True) if n)

    found, converged = likeliest_shares(counts, transition)
    assert converged
    assert min(found) >= 0
    assert sum(found) == pytest.approx(1)
    size = len(counts)
    corners = [[float(i == j) for j in range(size)] for i in range(size)]
    tried = [[1 / size] * size, *corners]
    tried += [[(a + b) / 2 for a, b in zip(corners[0], other, strict=True)] for other in corners]
    tried += [[0.9 * a + 0.1 * b for a, b in zip(found, other, strict=True)] for other in tried]
    assert likelihood(found.tolist()) >= max(map(likelihood, tried)) - 0.002
