"""Noise on every number of a column, such that its price is what the ledger says."""

from __future__ import annotations

import numpy as np

from unlinkable.table.reading.extras import load_extra
from unlinkable.typing import FloatArray

__all__ = ["add_laplace"]


def add_laplace(numbers: FloatArray, scale: float) -> FloatArray:
    r"""Add Laplace noise to each number, by OpenDP's mechanism.

    Noise that is drawn as a float and added to a float gives itself away by the last digits of the
    sum. This one is drawn exactly, on a grid, and cannot be seeded. About 25 microseconds a number.

    Raises
    ------
    DataError
        If OpenDP is not installed.

    Examples
    --------
    >>> add_laplace(np.zeros(3), 1e-9).round(6).any().item()
    False
    """
    dp = load_extra("opendp.prelude", "dp", "noise with a price")
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)
    return np.asarray(dp.m.make_laplace(*space, scale=scale)(numbers.astype(float)), float)
