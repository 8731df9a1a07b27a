"""Comparing counts with a multiple of other counts, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unlinkable.typing import BoolArray

__all__ = ["is_within"]

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
