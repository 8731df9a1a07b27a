"""Workload cuts: how well the halves of cuts predict a target, a class or a number.

Cuts are listed as in `unlinkable.kernels.splitting.cuts`: ``rows[starts[i]:starts[i + 1]]`` are the
rows of item ``i`` in their order, cut ``c`` of item ``item[c]`` puts the first ``below[c]`` of them
below, and the cuts of an item follow one another, with more and more rows below.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["cut_bits", "cut_gains"]


@njit(cache=True, nogil=True)
def cut_bits(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_values: int,
    rows: CodeArray,
    starts: CountArray,
    item: CountArray,
    below: CountArray,
    n_log_n: FloatArray,
    scale: float,
) -> FloatArray:
    """Compute the entropy of the class that remains when the half of each record is known.

    That is the sum of n log2 n - sum of c log2 c over both halves, for n records and c of a class,
    in whole steps: ``scale`` of them are a bit, and ``n_log_n[n]`` is n log2 n in steps for the
    first numbers. Below 2^53 steps the sums are exact, so that halves with the same counts are
    equally good. O(s) for the s entries of the rows.
    """
    out = np.zeros(item.size, np.float64)
    lower, upper = np.zeros(n_values, np.int64), np.zeros(n_values, np.int64)
    own, met = np.empty(n_values, np.int32), np.empty(n_values, np.int32)
    met_by = np.full(n_values, -1, np.int64)
    n_own = n_lower = n_upper = row = 0
    within = 0.0
    for c in range(item.size):
        i = item[c]
        # A new item begins with all records in the upper half.
        if c == 0 or item[c - 1] != i:
            for m in range(n_own):
                lower[own[m]] = 0
                upper[own[m]] = 0
            n_own, n_lower, n_upper, row, within = 0, 0, 0, starts[i], 0.0
            for k in range(starts[i], starts[i + 1]):
                for e in range(indptr[rows[k]], indptr[rows[k] + 1]):
                    if upper[values[e]] == 0:
                        own[n_own] = values[e]
                        n_own += 1
                    upper[values[e]] += counts[e]
                    n_upper += counts[e]
            for m in range(n_own):
                within += _steps(upper[own[m]], n_log_n, scale)
        n_met = 0
        # Cuts of an item only move rows down, so each row is moved once for all cuts together.
        while row < starts[i] + below[c]:
            for e in range(indptr[rows[row]], indptr[rows[row] + 1]):
                value, n = values[e], counts[e]
                # The terms of a class are taken out when it is first met, and put back once all
                # rows of this cut are moved.
                if met_by[value] != c:
                    met_by[value] = c
                    met[n_met] = value
                    n_met += 1
                    within -= _steps(lower[value], n_log_n, scale)
                    within -= _steps(upper[value], n_log_n, scale)
                lower[value] += n
                upper[value] -= n
                n_lower += n
                n_upper -= n
            row += 1
        for m in range(n_met):
            within += _steps(lower[met[m]], n_log_n, scale)
            within += _steps(upper[met[m]], n_log_n, scale)
        around = _steps(n_lower, n_log_n, scale) + _steps(n_upper, n_log_n, scale)
        out[c] = around - within
    return out


@njit(cache=True, nogil=True)
def _steps(n: int, n_log_n: FloatArray, scale: float) -> float:
    if n < n_log_n.size:
        steps: float = n_log_n[n]
        return steps
    return float(np.rint(n * np.log2(n) * scale))


@njit(cache=True, nogil=True)
def cut_gains(
    known: CountArray,
    totals: CountArray,
    rows: CodeArray,
    starts: CountArray,
    item: CountArray,
    below: CountArray,
) -> FloatArray:
    """Compute by how much the squared deviance of a number falls when a region is cut.

    Row ``r`` has ``known[r]`` records with a number, which add up to ``totals[r]``. The deviance
    falls by D^2 / (n a b), where D = A b - B a for halves of a and b records with the sums A and B,
    and n = a + b. Numbers are taken relative to one of the region, so that a region of equal
    numbers gains exactly nothing. Sums must fit into 64 bits. O(n) for the n rows of the items.
    """
    out = np.zeros(item.size, np.float64)
    n_lower = n_upper = lower = upper = base = row = 0
    for c in range(item.size):
        i = item[c]
        if c == 0 or item[c - 1] != i:
            n_lower, n_upper, lower, upper, row = 0, 0, 0, 0, starts[i]
            for k in range(starts[i], starts[i + 1]):
                r = rows[k]
                # Subtracting a base from all numbers changes no deviance, and keeps the sums small.
                if n_upper == 0 and known[r] > 0:
                    base = totals[r] // known[r]
                n_upper += known[r]
                upper += totals[r] - base * known[r]
        while row < starts[i] + below[c]:
            r = rows[row]
            here = totals[r] - base * known[r]
            n_lower += known[r]
            n_upper -= known[r]
            lower += here
            upper -= here
            row += 1
        # A half without any number says nothing about the target, and the cut gains nothing.
        if n_lower > 0 and n_upper > 0:
            apart = float(lower) * float(n_upper) - float(upper) * float(n_lower)
            out[c] = apart * apart / (float(n_lower) * float(n_upper)) / float(n_lower + n_upper)
    return out
