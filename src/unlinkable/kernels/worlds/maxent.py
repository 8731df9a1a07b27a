"""Maximum entropy within groups: people and values, each with known counts.

A group is a table of cells whose rows and columns have given sums. With multipliers ``beta`` for
its columns and ``lift`` for further knowledge, a row of m people has in cell j the share of m that
is proportional to exp(beta_j + lift_j): rows add up by themselves, and columns do at the minimum of
a convex function, the dual.

Cholesky's method: small linear systems, some of whose equations may be empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Layout", "curve", "fit", "solve_in_place"]

_STEPS = 200
"""The most Newton steps for a group."""

_FINE = 1e-12
"""A column adds up if its relative error is below this."""

_LONGEST = 8.0
"""No multiplier of a column moves by more in one step."""


class Layout(NamedTuple):
    """All groups one after the other.

    The rows of group g are ``rows[g]:rows[g + 1]``, its columns likewise; the cells of row i, one
    for each column, begin at ``first[i]``. Cells that are not ``free`` are empty. ``people`` and
    ``records`` are the sums of rows and columns. Cells of one ``sort`` contribute equally to
    equations: ``amounts[indptr[s]:indptr[s + 1]]`` to those at the same place in ``equations``.
    """

    rows: CountArray
    columns: CountArray
    first: CountArray
    free: BoolArray
    people: FloatArray
    records: FloatArray
    sort: CodeArray
    indptr: CountArray
    equations: CodeArray
    amounts: FloatArray


@njit(cache=True, nogil=True)
def fit(
    which: CountArray, layout: Layout, lift: FloatArray, beta: FloatArray, x: FloatArray
) -> float:
    """Fill the cells of some groups so that their columns add up, by Newton's method.

    ``lift`` is by sort. Starts from ``beta``, or if that fails from independence; changes it and
    the cells ``x`` in place, and returns the sum of the duals. A step takes O(c k + k^3) for c
    cells and k columns of a group.
    """
    total = 0.0
    for g in which:
        dual, is_balanced = _balance(g, layout, lift, beta, x)
        if not is_balanced:
            for j in range(layout.columns[g], layout.columns[g + 1]):
                beta[j] = np.log(max(layout.records[j], 1.0))
            dual, is_balanced = _balance(g, layout, lift, beta, x)
        total += dual
    return total


@njit(cache=True, nogil=True)
def _balance(
    g: int, layout: Layout, lift: FloatArray, beta: FloatArray, x: FloatArray
) -> tuple[float, bool]:
    """Fill the cells of a group; return the dual, and whether all columns add up."""
    c0, k = layout.columns[g], layout.columns[g + 1] - layout.columns[g]
    gap, old, step, hessian = np.empty(k), np.empty(k), np.empty((k, 1)), np.empty((k, k))
    dual = _share_out(g, layout, lift, beta, x, gap)
    for _ in range(_STEPS):
        is_balanced = True
        for j in range(k):
            is_balanced &= abs(gap[j]) <= _FINE * layout.records[c0 + j]
            old[j] = beta[c0 + j]
            step[j, 0] = -gap[j]
        if is_balanced:
            return dual, True
        _bend(g, layout, x, hessian)
        solve_in_place(hessian, step)
        slope = longest = 0.0
        for j in range(k):
            slope += gap[j] * step[j, 0]
            longest = max(longest, abs(step[j, 0]))
        if not longest > 0.0:
            break
        # The dual is convex, but far from the minimum a full Newton step may overshoot.
        size, before = min(1.0, _LONGEST / longest), dual
        for _ in range(30):
            for j in range(k):
                beta[c0 + j] = old[j] + size * step[j, 0]
            dual = _share_out(g, layout, lift, beta, x, gap)
            # Armijo's rule: the step is halved until the dual falls in proportion to the slope.
            if dual <= before + 1e-4 * size * slope + 1e-13 * abs(before):
                break
            size /= 2
    return dual, False


@njit(cache=True, nogil=True)
def _share_out(
    g: int, layout: Layout, lift: FloatArray, beta: FloatArray, x: FloatArray, gap: FloatArray
) -> float:
    """Fill the cells of a group; return the dual, and by column the excess."""
    c0, k = layout.columns[g], layout.columns[g + 1] - layout.columns[g]
    dual = 0.0
    for j in range(k):
        gap[j] = -layout.records[c0 + j]
        dual -= layout.records[c0 + j] * beta[c0 + j]
    for i in range(layout.rows[g], layout.rows[g + 1]):
        at, n = layout.first[i], layout.people[i]
        top = -np.inf
        for j in range(k):
            x[at + j] = 0.0
            if layout.free[at + j]:
                # The largest exponent is subtracted, so that no exponential overflows.
                top = max(top, beta[c0 + j] + lift[layout.sort[at + j]])
        if n <= 0.0:
            continue
        total = 0.0
        for j in range(k):
            if layout.free[at + j]:
                x[at + j] = np.exp(beta[c0 + j] + lift[layout.sort[at + j]] - top)
                total += x[at + j]
        for j in range(k):
            x[at + j] *= n / total
            gap[j] += x[at + j]
        dual += n * (top + np.log(total))
    return dual


@njit(cache=True, nogil=True)
def _bend(g: int, layout: Layout, x: FloatArray, hessian: FloatArray) -> None:
    """Compute the second derivatives of the dual of a group by its columns."""
    k = layout.columns[g + 1] - layout.columns[g]
    for j in range(k):
        for h in range(k):
            hessian[j, h] = 0.0
    for i in range(layout.rows[g], layout.rows[g + 1]):
        at = layout.first[i]
        for j in range(k):
            if x[at + j] > 0.0:
                hessian[j, j] += x[at + j]
                # Only the lower half is filled: that is all that the solver reads.
                for h in range(j + 1):
                    hessian[j, h] -= x[at + j] * x[at + h] / layout.people[i]


@njit(cache=True, nogil=True)
def curve(which: CountArray, layout: Layout, x: FloatArray, n_equations: int) -> FloatArray:
    """Compute the second derivatives by the multipliers of equations, columns kept in balance.

    O(c e^2 + k^3 + k^2 e + k e^2) for c cells, k columns and e equations of a group.
    """
    out = np.zeros((n_equations, n_equations))
    place, met = np.full(n_equations, -1), np.empty(n_equations, np.int64)
    for g in which:
        k = layout.columns[g + 1] - layout.columns[g]
        e = _find_equations(g, layout, x, place, met)
        mixed, moved, own = np.zeros((k, e)), np.empty((k, e)), np.zeros((e, e))
        _bend_by_equations(g, layout, x, place, mixed, own)
        # When multipliers of equations move, the columns are rebalanced. That subtracts M' H^-1 M
        # from the second derivatives: the Schur complement of the columns.
        for j in range(k):
            for a in range(e):
                moved[j, a] = mixed[j, a]
        hessian = np.empty((k, k))
        _bend(g, layout, x, hessian)
        solve_in_place(hessian, moved)
        for a in range(e):
            place[met[a]] = -1
            for b in range(e):
                out[met[a], met[b]] += own[a, b]
                for j in range(k):
                    out[met[a], met[b]] -= mixed[j, a] * moved[j, b]
    return out


@njit(cache=True, nogil=True)
def _find_equations(
    g: int, layout: Layout, x: FloatArray, place: CountArray, met: CountArray
) -> int:
    """List the equations that a group contributes to, number them, and count them."""
    e = 0
    for cell in range(layout.first[layout.rows[g]], layout.first[layout.rows[g + 1]]):
        s = layout.sort[cell]
        if x[cell] > 0.0:
            for p in range(layout.indptr[s], layout.indptr[s + 1]):
                if place[layout.equations[p]] < 0:
                    place[layout.equations[p]] = e
                    met[e] = layout.equations[p]
                    e += 1
    return e


@njit(cache=True, nogil=True)
def _bend_by_equations(
    g: int,
    layout: Layout,
    x: FloatArray,
    place: CountArray,
    mixed: FloatArray,
    own: FloatArray,
) -> None:
    """Compute second derivatives by column and equation, and by two equations."""
    k, e = mixed.shape
    mean = np.empty(e)
    for i in range(layout.rows[g], layout.rows[g + 1]):
        at = layout.first[i]
        for a in range(e):
            mean[a] = 0.0
        for j in range(k):
            n, s = x[at + j], layout.sort[at + j]
            if n > 0.0:
                for p in range(layout.indptr[s], layout.indptr[s + 1]):
                    a, more = place[layout.equations[p]], n * layout.amounts[p]
                    mean[a] += more
                    mixed[j, a] += more
                    for q in range(layout.indptr[s], layout.indptr[s + 1]):
                        own[a, place[layout.equations[q]]] += more * layout.amounts[q]
        for a in range(e):
            if mean[a] != 0.0:
                share = mean[a] / layout.people[i]
                for j in range(k):
                    mixed[j, a] -= x[at + j] * share
                for b in range(e):
                    own[a, b] -= mean[b] * share


_FLAT = 1e-13
"""A pivot below this share of the largest diagonal entry counts as zero curvature."""


@njit(cache=True, nogil=True)
def solve_in_place(matrix: FloatArray, right: FloatArray) -> None:
    """Solve for every column of ``right``, in place, by Cholesky's method.

    The matrix is positive semidefinite, and the right side has no part in its null space:
    directions without curvature are left at 0. Only the lower half is read; it is overwritten.
    O(k^3 + k^2 s) for k unknowns and s columns.
    """
    k = len(matrix)
    largest = 0.0
    for j in range(k):
        largest = max(largest, matrix[j, j])
    for j in range(k):
        for i in range(j, k):
            entry = matrix[i, j]
            for h in range(j):
                entry -= matrix[i, h] * matrix[j, h]
            if i == j:
                # An infinite pivot makes the rest of its column 0, here and in both substitutions
                # below, so a flat direction takes no part in the solution.
                matrix[j, j] = np.sqrt(entry) if entry > _FLAT * largest else np.inf
            else:
                matrix[i, j] = entry / matrix[j, j]
    # Forward substitution solves L y = b, the backward one below solves L' x = y.
    for s in range(right.shape[1]):
        for j in range(k):
            for h in range(j):
                right[j, s] -= matrix[j, h] * right[h, s]
            right[j, s] /= matrix[j, j]
        for j in range(k - 1, -1, -1):
            for h in range(j + 1, k):
                right[j, s] -= matrix[h, j] * right[h, s]
            right[j, s] /= matrix[j, j]
