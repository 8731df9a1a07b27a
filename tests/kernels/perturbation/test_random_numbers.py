"""Drawing: SplitMix64 in whole numbers, and what shuffling must satisfy."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.perturbation.random_numbers import draw, shuffle

MASK = (1 << 64) - 1


def splitmix(state: int) -> tuple[int, int]:
    state = (state + 0x9E3779B97F4A7C15) & MASK
    word = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return state, word ^ (word >> 31)


def test_the_first_word_of_the_published_sequence() -> None:
    """The reference implementation gives this for the state 0."""
    assert splitmix(0)[1] == 0xE220A8397B1DCDAF


@given(st.integers(0, MASK))
def test_numbers_are_the_upper_bits_of_the_words(seed: int) -> None:
    state, expected = np.array([seed], np.uint64), seed
    for _ in range(5):
        expected, word = splitmix(expected)
        assert draw(state) == (word >> 11) / 2**53
        assert int(state[0]) == expected


def test_every_order_is_as_likely() -> None:
    """Of 6,000 shuffles each order comes 1,000 times, give or take five standard deviations."""
    state, seen = np.array([3], np.uint64), Counter[tuple[int, ...]]()
    for _ in range(6000):
        items = np.arange(4, dtype=np.int32)
        shuffle(items, 3, state)
        assert items[3] == 3
        seen[tuple(items.tolist())] += 1
    assert len(seen) == 6
    assert all(abs(n - 1000) < 5 * 29 for n in seen.values())
