"""Comparing counts with a multiple of other counts, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unlinkable.typing import BoolArray

__all__ = ["is_within", "largest_below"]

_WIDEST = 1 << 63
"""No product of 64-bit integers may reach this."""


def is_within(
    parts: NDArray[Any], ratio: Fraction, wholes: NDArray[Any], *, strict: bool = False
) -> BoolArray:
    """Decide ``part <= ratio * whole`` (or ``<``) without leaving the integers.

    With a ratio p/q the products are part * q and whole * p. Where one of them might not fit into
    64 bits, Python's own integers are used.

    Examples
    --------
    >>> is_within(np.array([2, 3]), Fraction(1, 2), np.array([4, 4])).tolist()
    [True, False]
    """
    p, q = ratio.numerator, ratio.denominator
    most = max(int(parts.max(initial=1)) * q, int(wholes.max(initial=1)) * abs(p))
    if most >= _WIDEST:
        parts, wholes = parts.astype(object), wholes.astype(object)
    left, right = parts * q, wholes * p
    return np.asarray(left < right if strict else left <= right, bool)


def largest_below(ratio: Fraction, most: int) -> Fraction:
    """Give the largest fraction up to a ratio whose denominator is at most so much.

    Shares of at most this many records are within the one if and only if they are within the other,
    and products with it fit into 64 bits. The two fractions next to the ratio are convergents of
    its continued fraction, or lie between two of them.

    Examples
    --------
    >>> largest_below(Fraction(5, 7), 3), largest_below(Fraction(2, 3), 3)
    (Fraction(2, 3), Fraction(2, 3))
    """
    if ratio.denominator <= most:
        return ratio
    (p, q), (next_p, next_q) = (0, 1), (1, 0)
    n, d = ratio.as_integer_ratio()
    while q + (n // d) * next_q <= most:
        p, q, next_p, next_q = next_p, next_q, p + (n // d) * next_p, q + (n // d) * next_q
        n, d = d, n % d
    steps = (most - q) // next_q
    either = Fraction(p + steps * next_p, q + steps * next_q), Fraction(next_p, next_q)
    return max(x for x in either if x <= ratio)
