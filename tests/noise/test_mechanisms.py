"""Noise is what it says: distributions, exact probabilities, refusals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy import stats

from tests.noise import distributions
from tests.noise.distributions import FALSE_ALARM, chosen_by_flips, chosen_by_weight, fit
from unlinkable.errors import ParameterError
from unlinkable.noise import (
    Event,
    Ledger,
    add_noise,
    choose,
    exponential,
    gaussian,
    geometric,
    laplace,
    price,
)
from unlinkable.noise.mechanisms import KEY_BITS, secure_generator
from unlinkable.typing import CountArray, FloatArray

Probabilities = Callable[[Sequence[float], float], FloatArray]

NOTHING: CountArray = np.zeros(20_000, np.int64)

OFF = (1.0, 0.7, 1.3)
"""The true scale, and scales that are 30 % off."""

ONLY_THE_TRUE_ONE = [True, False, False]


@pytest.mark.statistical
@pytest.mark.parametrize("scale", [0.6, 3.0, 40.0])
def test_geometric_noise_fits_its_scale_and_no_other(scale: float) -> None:
    # Fails by chance once in a million runs.
    noisy, _ = geometric(NOTHING, sensitivity=1, scale=scale)
    fits = [fit(noisy, partial(distributions.geometric, scale=off * scale)) for off in OFF]
    assert [p > FALSE_ALARM for p in fits] == ONLY_THE_TRUE_ONE


@pytest.mark.statistical
@pytest.mark.parametrize("scale", [1.0, 3.0, 40.0])
def test_gaussian_noise_on_whole_numbers_fits_its_scale_and_no_other(scale: float) -> None:
    # Fails by chance once in a million runs.
    noisy, _ = gaussian(NOTHING, sensitivity=1, scale=scale)
    fits = [fit(noisy, partial(distributions.gaussian, scale=off * scale)) for off in OFF]
    assert [p > FALSE_ALARM for p in fits] == ONLY_THE_TRUE_ONE


@pytest.mark.statistical
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_noise_on_fractions_fits_its_scale_and_no_other(mechanism: str) -> None:
    # Fails by chance once in a million runs: the test of Kolmogorov and Smirnov.
    event = Event(mechanism, {"sensitivity": 1, "scale": 2.5})
    noise = add_noise(event, np.full(8000, 0.25)) - 0.25
    family = stats.laplace if mechanism == "laplace" else stats.norm
    fits = [stats.kstest(noise, family(scale=off * 2.5).cdf).pvalue for off in OFF]
    assert [p > FALSE_ALARM for p in fits] == ONLY_THE_TRUE_ONE


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("event", "probabilities"),
    [
        (Event("pure", {"epsilon": 1.0}), chosen_by_flips),
        (Event("concentrated", {"rho": 0.125}), chosen_by_weight),
    ],
    ids=["pure", "concentrated"],
)
@pytest.mark.parametrize("kind", ["int64", "float64"])
def test_choices_have_the_probabilities_of_the_mechanism(
    event: Event, probabilities: Probabilities, kind: str
) -> None:
    # Fails by chance once in a million runs. Both costs are those of a scale of 2.
    scores = np.array([0, 8, 2, 5]).astype(kind)
    chosen = np.array([choose(event, scores, sensitivity=1) for _ in range(6000)])
    expected = [probabilities(scores.tolist(), off * 2) for off in OFF]
    fits = [fit(chosen, partial(np.take, p)) for p in expected]
    assert [p > FALSE_ALARM for p in fits] == ONLY_THE_TRUE_ONE


def test_no_outcome_of_a_noisy_histogram_tells_neighbours_apart_by_more_than_epsilon() -> None:
    epsilon = 0.7
    outcomes = np.arange(-60, 61)

    def likely(counts: tuple[int, ...]) -> FloatArray:
        parts = [distributions.geometric(outcomes - c, 1 / epsilon) for c in counts]
        return np.multiply.outer(*parts)

    for counts in product(range(3), repeat=2):
        for more in [(1, 0), (0, 1)]:
            other = tuple(a + b for a, b in zip(counts, more, strict=True))
            ratio = np.abs(np.log(likely(counts)) - np.log(likely(other)))
            assert ratio.max() == pytest.approx(epsilon)
            _, event = geometric(np.array(counts), sensitivity=1, scale=1 / epsilon)
            assert ratio.max() <= price(Ledger([event])).at(0) * (1 + 1e-9)


@pytest.mark.parametrize("probabilities", [chosen_by_flips, chosen_by_weight])
def test_no_choice_tells_neighbours_apart_by_more_than_epsilon(
    probabilities: Probabilities,
) -> None:
    epsilon, worst = 0.8, 0.0
    for scores in product(range(3), repeat=3):
        for change in product((-1, 0, 1), repeat=3):
            other = [a + b for a, b in zip(scores, change, strict=True)]
            p, q = (probabilities(s, 2 / epsilon) for s in (scores, other))
            worst = max(worst, float(np.abs(np.log(p) - np.log(q)).max()))
    assert 0.5 * epsilon < worst <= epsilon * (1 + 1e-12)


def test_permute_and_flip_is_never_worse_than_the_exponential_mechanism() -> None:
    for scores in product(range(5), repeat=3):
        flips, weight = (
            f(scores, 2.0) @ np.array(scores) for f in (chosen_by_flips, chosen_by_weight)
        )
        assert flips >= weight - 1e-12


def test_events_say_what_was_drawn() -> None:
    _, event = laplace(np.array([1.0]), sensitivity=2, scale=4, what="a mean")
    assert (event.parameters, event.what) == ({"sensitivity": 2, "scale": 4}, "a mean")
    best, event = exponential(np.array([0.0, 1e6]), sensitivity=1, epsilon=0.5, what="a split")
    assert (best, event.what, price(Ledger([event])).at(0)) == (1, "a split", 0.5)
    noisy, event = gaussian(np.array([[1, 2], [3, 4]]), sensitivity=1, scale=0.01)
    assert noisy.tolist() == [[1, 2], [3, 4]]
    assert price(Ledger([event])).rho == pytest.approx(5000)
    assert geometric(np.array([5]), sensitivity=1, scale=0.01)[0].tolist() == [5]


@pytest.mark.parametrize(
    ("event", "values", "message"),
    [
        (Event("geometric", {"sensitivity": 1, "scale": 1}), [0.5], "take laplace"),
        (Event("laplace", {"sensitivity": 1, "scale": 1}), [1], "take geometric"),
        (Event("laplace", {"sensitivity": 1, "scale": 1}), [math.nan], "missing or infinite"),
        (Event("pure", {"epsilon": 1}), [1], "pure adds no noise to numbers"),
    ],
)
def test_what_is_no_noise_on_numbers_is_refused(
    event: Event, values: list[float], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        add_noise(event, np.array(values))


@pytest.mark.parametrize(
    ("event", "scores", "message"),
    [
        (Event("pure", {"epsilon": 1}), [], "nothing to choose from"),
        (Event("pure", {"epsilon": 1}), [math.inf], "missing or infinite"),
        (Event("laplace", {"sensitivity": 1, "scale": 1}), [1.0], "a pure or a concentrated event"),
    ],
)
def test_what_is_no_choice_is_refused(event: Event, scores: list[float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        choose(event, np.array(scores), sensitivity=1)


def test_a_key_makes_numbers_repeatable_and_no_key_does_not() -> None:
    assert secure_generator(3).random(5).tolist() == secure_generator(3).random(5).tolist()
    assert secure_generator(3).random() != secure_generator(4).random()
    assert secure_generator().random() != secure_generator().random()


def test_the_whole_key_counts() -> None:
    large = secure_generator(1 << (KEY_BITS - 1))
    assert large.random() != secure_generator(0).random()
    with pytest.raises((ValueError, OverflowError)):
        secure_generator(1 << KEY_BITS)


def test_the_numbers_are_the_key_stream_of_chacha20() -> None:
    # RFC 8439 sets other words for nonce and counter; with all of them 0 the streams are the same.
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

    stream = Cipher(algorithms.ChaCha20(bytes(32), bytes(16)), None).encryptor()
    expected = np.frombuffer(stream.update(bytes(64)), "<u8")
    drawn = secure_generator(0).integers(0, 1 << 64, size=8, dtype=np.uint64)
    assert drawn.tolist() == expected.tolist()
