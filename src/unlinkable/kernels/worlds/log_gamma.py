"""The logarithm of the gamma function, for arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import FloatArray

__all__ = ["log_gamma"]


def log_gamma(values: NDArray[Any]) -> FloatArray:
    """Give the logarithm of the gamma function: of n + 1 it is that of n factorial.

    Parameters
    ----------
    values
        Numbers above 0, in an array of any shape.

    Examples
    --------
    >>> log_gamma(np.array([1.0, 2.0, 5.0])).round(4).tolist()
    [0.0, 0.0, 3.1781]
    """
    flat = np.ascontiguousarray(values, np.float64).ravel()
    return _of_each(flat).reshape(np.shape(values))


@njit(cache=True, nogil=True)
def _of_each(values: FloatArray) -> FloatArray:
    out = np.empty(values.size, np.float64)
    for i in range(values.size):
        out[i] = math.lgamma(values[i])
    return out
