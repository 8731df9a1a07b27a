"""Small codes: what members show on the columns that tell them apart, a byte for each."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.kernels.bitmaps import Codes
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Lines", "narrow", "read_columns", "read_rows", "rows_by_value"]

Lines: TypeAlias = NDArray[np.uint16]

_WIDEST, _LONGEST = 256, (1 << 16) - 1
"""Codes that a byte can tell apart, and the largest key that two bytes can hold."""

_BLOCK = 1024
"""Lines that are written at once."""


@njit(cache=True, nogil=True)
def read_rows(keys: CodeArray, members: CountArray) -> tuple[CountArray, CountArray, Lines]:
    """Read what members show, from keys that lie row by row.

    Members lie far apart: they are read once, and the rest is done on what was read.

    Returns
    -------
    columns, places, lines
        The columns on which members differ, where they are in the lines, and the lines by member.
        No lines if a key is too large for them.
    """
    n_columns = keys.shape[1]
    lowest, highest = np.empty(n_columns, np.int32), np.empty(n_columns, np.int32)
    for j in range(n_columns):
        lowest[j] = highest[j] = keys[members[0], j]
    lines = np.empty((members.size, n_columns), np.uint16)
    for m in range(members.size):
        source, line = keys[members[m]], lines[m]
        for j in range(n_columns):
            lowest[j], highest[j] = min(lowest[j], source[j]), max(highest[j], source[j])
            line[j] = source[j]
    columns, is_short = _varying(lowest, highest)
    return columns, columns, lines if is_short else lines[:0]


@njit(cache=True, nogil=True)
def read_columns(keys: CodeArray, members: CountArray) -> tuple[CountArray, CountArray, Lines]:
    """Do the same with keys that lie column by column: ``keys[j]`` is a column."""
    n_columns = len(keys)
    lowest, highest = np.empty(n_columns, np.int32), np.empty(n_columns, np.int32)
    for j in range(n_columns):
        column = keys[j]
        low = high = column[members[0]]
        for member in members:
            low, high = min(low, column[member]), max(high, column[member])
        lowest[j], highest[j] = low, high
    columns, is_short = _varying(lowest, highest)
    lines = np.empty((members.size if is_short else 0, columns.size), np.uint16)
    # A block of lines stays near the processor until all its columns are written.
    for first in range(0, len(lines), _BLOCK):
        last = min(first + _BLOCK, len(lines))
        for i in range(columns.size):
            column = keys[columns[i]]
            for m in range(first, last):
                lines[m, i] = column[members[m]]
    return columns, np.arange(columns.size), lines


@njit(cache=True, nogil=True)
def _varying(lowest: CodeArray, highest: CodeArray) -> tuple[CountArray, bool]:
    """Give the columns with several keys, and tell whether all of theirs are short."""
    columns, n_varying, widest = np.empty(lowest.size, np.int64), 0, 0
    for j in range(lowest.size):
        if highest[j] > lowest[j]:
            columns[n_varying] = j
            n_varying += 1
            widest = max(widest, highest[j])
    return columns[:n_varying], widest <= _LONGEST


@njit(cache=True, nogil=True)
def narrow(lines: Lines, places: CountArray) -> tuple[CountArray, CountArray, Codes]:
    """Number the keys of every column, those of few members first.

    Columns are sorted by how few members have their rarest key. O(members x columns).

    Returns
    -------
    order, n_codes, codes
        The order of the columns, the number of keys of each, and the new codes by member and
        column. No codes if a column has more keys than a byte can tell apart.
    """
    n_columns, widest = places.size, 0
    for m in range(len(lines)):
        for i in range(n_columns):
            widest = max(widest, lines[m, places[i]])
    counts = np.zeros((n_columns, widest + 1), np.int64)
    for m in range(len(lines)):
        for i in range(n_columns):
            counts[i, lines[m, places[i]]] += 1
    n_codes, rarest, most = np.empty(n_columns, np.int64), np.empty(n_columns, np.int64), 0
    for i in range(n_columns):
        n_codes[i], rarest[i] = _rank(counts[i])
        most = max(most, n_codes[i])
    order = np.argsort(rarest, kind="mergesort")
    codes = np.empty((len(lines) if most <= _WIDEST else 0, n_columns), np.uint8)
    for m in range(len(codes)):
        for i in range(n_columns):
            codes[m, i] = counts[order[i], lines[m, places[order[i]]]]
    return order, n_codes[order], codes


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
