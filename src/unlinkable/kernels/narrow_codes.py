"""Small codes: what members show on the columns that tell them apart, a byte for each."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.bitmaps import Codes
from unlinkable.typing import CodeArray, CountArray

__all__ = ["narrow", "rows_by_value"]

_WIDEST = 256
"""Codes that a byte can tell apart."""


@njit(cache=True, nogil=True)
def narrow(keys: CodeArray, members: CountArray) -> tuple[CountArray, CountArray, Codes]:
    """Number the codes of members on every column that has several, those of few members first.

    Columns are sorted by how few members have their rarest code. O(members x columns).

    Returns
    -------
    columns, n_codes, codes
        The columns, the number of codes of each, and the new codes by member and column. Where a
        column has more codes than a byte can tell apart, there are no codes.
    """
    n_columns = keys.shape[1]
    lowest, highest = np.empty(n_columns, np.int32), np.empty(n_columns, np.int32)
    for j in range(n_columns):
        lowest[j] = highest[j] = keys[members[0], j]
    # Members lie far apart: they are read once, and the rest is done on what was read.
    lines = np.empty((members.size, n_columns), np.uint16)
    for m in range(members.size):
        line, short = keys[members[m]], lines[m]
        for j in range(n_columns):
            lowest[j], highest[j] = min(lowest[j], line[j]), max(highest[j], line[j])
            short[j] = line[j]
    varying, n_varying, widest = np.empty(n_columns, np.int64), 0, 0
    for j in range(n_columns):
        if highest[j] > lowest[j]:
            varying[n_varying] = j
            n_varying += 1
            widest = max(widest, highest[j])
    varying = varying[:n_varying]
    if widest > np.iinfo(np.uint16).max:
        return varying, np.zeros(n_varying, np.int64), np.empty((0, n_varying), np.uint8)
    counts = np.zeros((n_varying, widest + 1), np.int64)
    for m in range(members.size):
        for i in range(n_varying):
            counts[i, lines[m, varying[i]]] += 1
    n_codes, rarest = np.empty(n_varying, np.int64), np.empty(n_varying, np.int64)
    for i in range(n_varying):
        n_codes[i], rarest[i] = _rank(counts[i])
        if n_codes[i] > _WIDEST:
            return varying, n_codes, np.empty((0, n_varying), np.uint8)
    order = np.argsort(rarest, kind="mergesort")
    codes = np.empty((members.size, n_varying), np.uint8)
    columns = varying[order]
    for m in range(members.size):
        for i in range(n_varying):
            codes[m, i] = counts[order[i], lines[m, columns[i]]]
    return columns, n_codes[order], codes


@njit(cache=True, nogil=True)
def _rank(counts: CountArray) -> tuple[int, int]:
    """Put for every count its rank among those that are not 0; give their number and the least."""
    order = np.argsort(counts, kind="mergesort")
    rank, least = 0, 0
    for i in order:
        if counts[i] > 0:
            if rank == 0:
                least = counts[i]
            counts[i] = rank
            rank += 1
    return rank, least


@njit(cache=True, nogil=True)
def rows_by_value(
    members: CountArray,
    sizes: CountArray,
    hidden: tuple[CountArray, CodeArray, CountArray],
    number: CodeArray,
) -> tuple[CodeArray, CountArray, CodeArray]:
    """Take members apart by hidden values; those with the number 0 stay together. O(entries).

    ``hidden`` are the histograms of all groups, empty if nothing is hidden. Returns the member, the
    records and the number of every row.
    """
    indptr, values, counts = hidden
    n = members.size
    if indptr.size > 0:
        for group in members:
            for e in range(indptr[group], indptr[group + 1]):
                n += number[values[e]] > 0
    member_of, records, numbers = (
        np.empty(n, np.int32),
        np.empty(n, np.int64),
        np.empty(n, np.int32),
    )
    at = 0
    for m in range(members.size):
        group = members[m]
        left = sizes[group]
        if indptr.size > 0:
            for e in range(indptr[group], indptr[group + 1]):
                if number[values[e]] > 0:
                    member_of[at], records[at], numbers[at] = m, counts[e], number[values[e]]
                    left -= counts[e]
                    at += 1
        if left > 0:
            member_of[at], records[at], numbers[at] = m, left, 0
            at += 1
    return member_of[:at], records[:at], numbers[:at]
