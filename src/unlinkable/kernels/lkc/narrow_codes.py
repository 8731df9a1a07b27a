"""Narrow codes: the columns on which members differ are recoded to one byte each."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.kernels.lkc.bitmaps import Codes
from unlinkable.typing import CodeArray, CountArray

__all__ = ["LONGEST", "Lines", "narrow", "read_columns", "read_rows", "rows_by_value"]

Lines: TypeAlias = NDArray[np.uint16]

_WIDEST, LONGEST = 256, (1 << 16) - 1
"""Codes that a byte can tell apart, and the largest key that two bytes can hold."""

_BLOCK = 1024
"""Number of members whose codes are written at once."""

_BESIDE = 72
"""Number of unused entries at the end of a line."""


@njit(cache=True, nogil=True)
def read_rows(keys: CodeArray, members: CountArray) -> tuple[CountArray, int, Lines]:
    """Read the keys of members, from keys that lie row by row.

    Members are scattered in memory: they are read once, and the rest works on the copy.

    Returns
    -------
    columns, widest, lines
        The columns on which members differ, the largest key on these, and the keys on all columns,
        by column and member. Keys above `LONGEST` do not fit into lines.
    """
    n_columns = keys.shape[1]
    lowest, highest = np.empty(n_columns, np.int32), np.empty(n_columns, np.int32)
    for j in range(n_columns):
        lowest[j] = highest[j] = keys[members[0], j]
    lines = _room(n_columns, members.size)
    for m in range(members.size):
        source = keys[members[m]]
        for j in range(n_columns):
            lowest[j], highest[j] = min(lowest[j], source[j]), max(highest[j], source[j])
        for j in range(n_columns):
            lines[j, m] = source[j]
    columns, widest = _varying(lowest, highest)
    return columns, widest, lines


@njit(cache=True, nogil=True)
def read_columns(keys: CodeArray, members: CountArray) -> tuple[CountArray, int, Lines]:
    """Do the same with keys that lie column by column: ``keys[j]`` is a column."""
    n_columns = len(keys)
    lowest, highest = np.empty(n_columns, np.int32), np.empty(n_columns, np.int32)
    lines = _room(n_columns, members.size)
    for j in range(n_columns):
        source, line = keys[j], lines[j]
        low = high = source[members[0]]
        for m in range(members.size):
            key = source[members[m]]
            low, high, line[m] = min(low, key), max(high, key), key
        lowest[j], highest[j] = low, high
    columns, widest = _varying(lowest, highest)
    return columns, widest, lines


@njit(cache=True, nogil=True)
def _room(n_columns: int, n_members: int) -> Lines:
    """Allocate lines of a length that does not map all their beginnings to one cache set."""
    return np.empty((n_columns, n_members + _BESIDE), np.uint16)


@njit(cache=True, nogil=True)
def _varying(lowest: CodeArray, highest: CodeArray) -> tuple[CountArray, int]:
    """Return the columns with several keys, and the largest key on these."""
    columns, n_varying, widest = np.empty(lowest.size, np.int64), 0, 0
    for j in range(lowest.size):
        if highest[j] > lowest[j]:
            columns[n_varying] = j
            n_varying += 1
            widest = max(widest, highest[j])
    return columns[:n_varying], widest


@njit(cache=True, nogil=True)
def narrow(
    columns: CountArray, widest: int, lines: Lines, n_members: int
) -> tuple[CountArray, CountArray, Codes]:
    """Number the keys of every column, those with few members first.

    O(members x columns).

    Returns
    -------
    columns, n_codes, codes
        The columns, sorted by how few members have their rarest key; the number of keys of each;
        and the new codes by member and column. No codes if a column has more keys than a byte can
        distinguish.
    """
    n_columns, most = columns.size, 0
    ranks = np.empty((n_columns, widest + 1), np.uint8)
    n_codes, rarest = np.empty(n_columns, np.int64), np.empty(n_columns, np.int64)
    counts = np.zeros((4, widest + 1), np.int64)
    for i in range(n_columns):
        line = lines[columns[i]]
        # Four counters take turns: adding to the one just written would wait for that write.
        for m in range(n_members):
            counts[m & 3, line[m]] += 1
        n_codes[i], rarest[i] = _rank(counts, ranks[i])
        most = max(most, n_codes[i])
    order = np.argsort(rarest, kind="mergesort")
    codes = np.empty((n_members if most <= _WIDEST else 0, n_columns), np.uint8)
    # A block of codes stays in the cache until all its columns are written.
    for first in range(0, len(codes), _BLOCK):
        last = min(first + _BLOCK, n_members)
        for i in range(n_columns):
            line, rank = lines[columns[order[i]]], ranks[order[i]]
            for m in range(first, last):
                codes[m, i] = rank[line[m]]
    return columns[order], n_codes[order], codes


@njit(cache=True, nogil=True)
def _rank(counts: CountArray, ranks: Codes) -> tuple[int, int]:
    """Rank keys by their counts, and clear these; return the number of keys and the least count."""
    total = np.zeros(ranks.size, np.int64)
    for key in range(ranks.size):
        for turn in range(4):
            total[key] += counts[turn, key]
            counts[turn, key] = 0
    rank, least = 0, 0
    for key in np.argsort(total, kind="mergesort"):
        if total[key] > 0:
            if rank == 0:
                least = total[key]
            ranks[key] = rank
            rank += 1
    return rank, least


@njit(cache=True, nogil=True)
def rows_by_value(
    members: CountArray,
    sizes: CountArray,
    hidden: tuple[CountArray, CodeArray, CountArray],
    number: CodeArray,
) -> tuple[CodeArray, CountArray, CodeArray]:
    """Divide members by hidden value; values with the number 0 stay together. O(entries).

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
        # Records whose value does not matter make one row, which is missing if there are none.
        if left > 0:
            member_of[at], records[at], numbers[at] = m, left, 0
            at += 1
    return member_of[:at], records[:at], numbers[:at]
