"""Any others: how sure somebody can be who knows what a few others of a group have."""

from __future__ import annotations

import numpy as np

from unlinkable.kernels.counting import find_entries
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.data import codes_of
from unlinkable.tables.engines import Counted
from unlinkable.tables.groups import Histogram
from unlinkable.typing import BoolArray, CountArray

__all__ = ["count_people", "worst_others"]


def worst_others(hidden: Histogram, sizes: CountArray, n: int) -> tuple[CountArray, CountArray]:
    """Say for whoever has a value of a group how sure up to n others can make somebody.

    Returns two numbers for each entry of the histogram, whose quotient is the probability: see
    `unlinkable.tables.attacks.grouped.corruption`. Quotients are compared as products of counts of
    a group.

    Examples
    --------
    >>> codes, counts = np.arange(2, dtype=np.int32), np.array([2, 3])
    >>> hidden = Histogram(np.array([0, 2]), codes, counts, 2)
    >>> [amounts.tolist() for amounts in worst_others(hidden, np.array([5]), 2)]
    [[3, 3], [4, 3]]
    """
    m, own, top = sizes[hidden.row], hidden.counts, hidden.peak[hidden.row]
    left = m - np.minimum(n, m - 1)
    is_top = own == top
    n_top = hidden.reduce(np.add, is_top.astype(np.int64))[hidden.row]
    second = hidden.reduce(np.maximum, np.where(is_top, 0, own))[hidden.row]
    other = np.where(is_top & (n_top == 1), second, top)
    own = np.minimum(own, left)
    kept = np.maximum(left, other + 1)
    is_other = other * left > own * kept
    return np.where(is_other, other, own), np.where(is_other, kept, left)


def count_people(target: Target, counted: Counted, falls: dict[str, BoolArray]) -> int:
    """Count the people who have, in some column, a value with which they fall."""
    histograms = counted.finest.histograms
    if len(falls) == 1:
        return sum(int(histograms[name,].counts[mask].sum()) for name, mask in falls.items())
    rows = np.zeros(len(target), bool)
    for name, mask in falls.items():
        hidden = histograms[name,]
        assert hidden.taxonomy is not None
        codes = codes_of(target.frame, name, hidden.taxonomy.domain)
        rows |= mask[find_entries(hidden.indptr, hidden.values, counted.labels, codes)]
    return int(rows.sum())
