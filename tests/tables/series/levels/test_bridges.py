"""Bridges: versions between two others, against all chains of small columns."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.noise import secure_generator
from unlinkable.tables.series.levels.bridges import between_categories, between_numbers, bridge

LEVELS = st.lists(
    st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20),
    min_size=1,
    max_size=3,
    unique=True,
)


def kernel(p: Fraction, n: int, x: int, y: int) -> Fraction:
    """Uniform randomization: keep with probability p, else any value."""
    return p * (x == y) + (1 - p) / n


def joint(levels: list[Fraction], n: int, x: int) -> dict[tuple[int, ...], Fraction]:
    """Give the distribution of versions that were asked for in this order, of one value."""
    found: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for i, p in enumerate(levels):
        before = levels[:i]
        above = [j for j in range(i) if before[j] >= p]
        below = [j for j in range(i) if before[j] <= p]
        up = min(above, key=lambda j: before[j], default=None)
        down = max(below, key=lambda j: before[j], default=None)
        new: dict[tuple[int, ...], Fraction] = {}
        for versions, chance in found.items():
            more = x if up is None else versions[up]
            less = more if down is None else versions[down]
            first, second = bridge(
                p,
                above=Fraction(1) if up is None else before[up],
                below=Fraction(0) if down is None else before[down],
                is_same=more == less,
                n=n,
            )
            for m in range(n):
                q = first * (m == more) + second * (m == less) + (1 - first - second) / n
                if q:
                    new[*versions, m] = new.get((*versions, m), Fraction(0)) + chance * q
        found = new
    return found


@given(LEVELS, st.integers(2, 3))
def test_each_version_alone_is_uniform_randomization(levels: list[Fraction], n: int) -> None:
    for x in range(n):
        law = joint(levels, n, x)
        for i, p in enumerate(levels):
            for y in range(n):
                alone = sum(chance for v, chance in law.items() if v[i] == y)
                assert alone == kernel(p, n, x, y)


@given(LEVELS, st.integers(2, 3), st.data())
def test_all_versions_tell_no_more_than_the_most_trusted(
    levels: list[Fraction], n: int, data: st.DataObject
) -> None:
    prior = data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))
    laws = [joint(levels, n, x) for x in range(n)]
    best = max(range(len(levels)), key=lambda i: levels[i])
    for versions in product(range(n), repeat=len(levels)):
        together = [prior[x] * laws[x].get(versions, Fraction(0)) for x in range(n)]
        alone = [prior[x] * kernel(levels[best], n, x, versions[best]) for x in range(n)]
        if sum(together):
            assert [t / sum(together) for t in together] == [a / sum(alone) for a in alone]


def test_the_order_of_requests_does_not_matter() -> None:
    levels = [Fraction(4, 5), Fraction(1, 2), Fraction(1, 5)]
    sorted_law = joint(levels, 3, 0)
    for order in permutations(range(3)):
        law = joint([levels[i] for i in order], 3, 0)
        assert {tuple(v[order.index(i)] for i in range(3)): p for v, p in law.items()} == sorted_law


def test_versions_drawn_one_by_one_would_tell_more() -> None:
    """The twin is able to object: independent versions are no chain."""
    p, n = Fraction(1, 2), 2
    together = [kernel(p, n, x, 0) ** 2 for x in range(n)]
    assert together[0] / sum(together) > kernel(p, n, 0, 0)


def test_the_same_level_is_the_same_version() -> None:
    p, again = Fraction(1, 3), (Fraction(1), Fraction(0))
    for is_same in (True, False):
        assert bridge(p, above=p, below=Fraction(1, 9), is_same=is_same, n=4) == again
    assert bridge(p, above=p, below=p, is_same=True, n=4) == again


@pytest.mark.parametrize(("more", "less"), [(0, 0), (0, 1)])
def test_categories_are_drawn_by_the_bridge(more: int, less: int) -> None:
    """Three shares of 200,000 draws within 5 deviations: a false alarm in about 600,000 runs."""
    n, size = 3, 200_000
    levels = {"above": Fraction(4, 5), "below": Fraction(1, 5)}
    drawn = between_categories(
        Fraction(1, 2), **levels, more=np.full(size, more, np.int32),
        less=np.full(size, less, np.int32), n=n, rng=secure_generator(5),
    )  # fmt: skip
    first, second = bridge(Fraction(1, 2), **levels, is_same=more == less, n=n)
    for m in range(n):
        share = float(first * (m == more) + second * (m == less) + (1 - first - second) / n)
        deviation = np.sqrt(share * (1 - share) / size)
        assert abs((drawn == m).mean() - share) < 5 * deviation


@pytest.mark.parametrize("order", [(1.0, 4.0, 2.0), (4.0, 1.0, 2.0), (2.0, 1.0, 4.0)])
def test_noise_of_numbers_is_a_chain_in_any_order(order: tuple[float, ...]) -> None:
    """Covariances of noise are the smaller variance of the two.

    Six of them within 5 deviations of 200,000 draws: a false alarm in about 300,000 runs.
    """
    size, rng = 200_000, secure_generator(11)
    truth = np.zeros(size)
    made: dict[float, np.ndarray] = {}
    for variance in order:
        above = max((v for v in made if v <= variance), default=0.0)
        below = min((v for v in made if v >= variance), default=np.inf)
        more = made.get(above, truth)
        made[variance] = between_numbers(
            variance, above=above, below=below, more=more, less=made.get(below, more), rng=rng
        )
    for a, b in [(1.0, 1.0), (2.0, 2.0), (4.0, 4.0), (1.0, 2.0), (1.0, 4.0), (2.0, 4.0)]:
        found = float((made[a] * made[b]).mean())
        expected = min(a, b)
        assert abs(found - expected) < 5 * np.sqrt((a * b + expected**2) / size)


def test_the_same_noise_is_shown_again() -> None:
    shown = np.array([1.5, 2.5])
    again = between_numbers(
        4.0, above=4.0, below=4.0, more=shown, less=shown, rng=secure_generator(1)
    )
    assert again.tolist() == shown.tolist()
