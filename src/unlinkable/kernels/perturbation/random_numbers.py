"""Random numbers within kernels: they follow from a state, the same on every machine."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray

__all__ = ["State", "draw", "shuffle"]

State: TypeAlias = NDArray[np.uint64]
"""One word that changes with every number drawn."""

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_UNIT = 2.0**-53


@njit(cache=True, nogil=True)
def draw(state: State) -> float:
    """Draw a number from 0 up to, not including, 1.

    This is SplitMix64: good enough to decide what a search tries next, and for nothing else.

    Examples
    --------
    >>> state = np.array([7], np.uint64)
    >>> [round(draw(state), 4) for _ in range(3)]
    [0.3898, 0.0168, 0.9008]
    """
    state[0] += _STEP
    # These are the multipliers and shifts of SplitMix64; unsigned products wrap around modulo 2^64.
    word = state[0]
    word = (word ^ (word >> np.uint64(30))) * _FIRST
    word = (word ^ (word >> np.uint64(27))) * _SECOND
    word = word ^ (word >> np.uint64(31))
    # The 53 highest bits fill the mantissa of a float, so the result is always below 1.
    return float(word >> np.uint64(11)) * _UNIT


@njit(cache=True, nogil=True)
def shuffle(items: CodeArray, n: int, state: State) -> None:
    """Put the first ``n`` items into a uniformly random order (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = int(draw(state) * (i + 1))
        items[i], items[j] = items[j], items[i]
