"""Lower bounds on the records that a group loses until its shares are near those of the table."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from unlinkable.tables.groups import Groups, Histogram
from unlinkable.typing import CountArray, FloatArray

__all__ = ["suppressed_to_a_share", "suppressed_to_shares", "suppressed_to_values"]

_CLOSE = 0.01
"""A bound on a number of records is lowered by this before it is rounded up."""

_TINY = 1e-4
"""A share that comes this close to 1 bounds nothing: floats are not good enough to divide by."""


def suppressed_to_shares(
    hidden: Histogram, groups: Groups, whole: CountArray, bound: Fraction, limit: int
) -> CountArray:
    """Count what groups must lose where no set of values may gain more than ``bound``.

    Let c of the n records of a group have a value that it has too much of, and C of all N. With x
    records gone, at least c - x of n - x have one, which must be at most the bound more than the
    share of the rest of the table, itself at most C / (N - limit).
    """
    n_left = int(whole.sum()) - limit
    if n_left <= 0:
        return np.zeros(len(groups), np.int64)
    there = whole[hidden.values]
    # Which values are too many only decides how good the bound is: floats will do.
    is_much = hidden.counts * (whole.sum() / groups.sizes)[hidden.row] > there
    here = hidden.reduce(np.add, np.where(is_much, hidden.counts, 0))
    share = hidden.reduce(np.add, np.where(is_much, there, 0)) / n_left + float(bound)
    return suppressed_to_a_share(here, share, groups.sizes)


def suppressed_to_values(
    hidden: Histogram, groups: Groups, whole: CountArray, times: float, limit: int
) -> CountArray:
    """Count what groups must lose where no value may be more than ``times`` as frequent as in all.

    With C records of a value in all N, its share of what is left of the table is at most
    C / (N - limit).
    """
    n_left = int(whole.sum()) - limit
    if n_left <= 0:
        return np.zeros(len(groups), np.int64)
    share = (times / n_left * whole.astype(float))[hidden.values]
    lost = suppressed_to_a_share(hidden.counts, share, groups.sizes[hidden.row])
    return hidden.reduce(np.maximum, lost)


def suppressed_to_a_share(here: CountArray, share: FloatArray, sizes: CountArray) -> CountArray:
    """Count what groups of n records must lose until c of them are at most a share q of the rest.

    With x of the c records gone, c - x are at most q (n - x): x is at least (c - q n) / (1 - q).

    Examples
    --------
    >>> suppressed_to_a_share(np.array([3, 1]), np.array([0.5, 0.5]), np.array([4, 4])).tolist()
    [2, 0]
    """
    must = (here - share * sizes) / np.maximum(1 - share, _TINY)
    lost = np.where(1 - share > _TINY, np.ceil(must - _CLOSE), 0.0)
    return np.clip(lost, 0, sizes).astype(np.int64)
