"""Giveaways: what makes it needless to attack a series, because everybody can link its records.

Whoever publishes a number of the case with each record, or the records in the order in which he
keeps them, tells which record of one release is which of the next [1]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 10.5; section 10.2.2 on the order of records.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from unlinkable.kernels.counting import count
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.blocks import blocks
from unlinkable.tables.attacks.series.shared.classes import Classes
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray

__all__ = ["case_ids", "in_order"]

_CHANCE = 1e-9
"""What happens more rarely by chance is none."""


def case_ids(series: Series, columns: Columns) -> Columns:
    """Name the columns that tell every record of each release from all others."""
    return tuple(
        name
        for name in columns
        if all(codes.size > 1 and _is_distinct(codes) for codes in series.values(name))
    )


def _is_distinct(codes: CodeArray) -> bool:
    return bool(np.unique(codes).size == codes.size)


def in_order(earlier: Classes, later: Classes, then: CodeArray, now: CodeArray) -> bool:
    """Tell whether the records of a release come first in a later one, in the same order.

    It is said to be so if record by record both can be the same, and that would hardly be by
    chance if records were in any order.

    Parameters
    ----------
    earlier, later
        The classes of both releases.
    then, now
        The value of every record in each.
    """
    a, b, _ = blocks(earlier, later)
    n_values = int(max(then.max(initial=0), now.max(initial=0))) + 1
    first = a[earlier.labels].astype(np.int64) * n_values + then
    second = b[later.labels].astype(np.int64) * n_values + now
    if first.size > second.size or not np.array_equal(first, second[: first.size]):
        return False
    kinds, place = np.unique(second, return_inverse=True)
    place = place.astype(np.int32)
    n_second, n_first = count(place, kinds.size), count(place[: first.size], kinds.size)
    ways = _log_ways(n_second, n_first).sum()
    chance = ways - _log_ways(np.array([second.size]), np.array([first.size])).sum()
    return bool(chance < np.log(_CHANCE))


def _log_ways(n: CountArray, k: CountArray) -> FloatArray:
    """Count in how many ways k of n can stand in a row, as a logarithm."""
    ways: FloatArray = gammaln(n + 1) - gammaln(n - k + 1)
    return ways
