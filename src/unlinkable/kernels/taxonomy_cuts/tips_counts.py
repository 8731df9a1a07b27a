"""Refinement counts: what leaf partitions would become if any of their values were refined.

For every value that could be refined, over all leaves that show it: the size of the smallest part
(``least``), the squared sizes of the leaves (``before``), and by how much these squares would fall
(``fall``). They are kept up to date leaf by leaf, so no step of a search reads other records than
its own. See `unlinkable.kernels.taxonomy_cuts.tips` for how leaves are laid out.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["tally_parts"]


@njit(cache=True, nogil=True)
def tally_parts(
    order: CodeArray,
    rows: CodeArray,
    sizes: CountArray,
    start: CountArray,
    end: CountArray,
    records: CountArray,
    leaves: CodeArray,
    columns: CodeArray,
    plan: CountArray,
    value: CodeArray,
    branch: CodeArray,
    is_open: BoolArray,
    sign: int,
    least: CountArray,
    before: CountArray,
    fall: CountArray,
    counts: CountArray,
) -> None:
    """Add leaves to the counts of values that could be refined, or take them away again.

    ``rows[i, j]`` is the code of row i on column j. ``plan[j]`` has the place of the first code of
    column j among all codes, that of its first value among all values, and the value that stands
    for suppressed codes, or -1. ``value`` maps every code to the value that is published for it,
    and ``branch`` to the part it would go to. A suppressed code is disclosed on its own, and its
    counts are kept by code.

    Leaves of one row are skipped: their squares never fall, and no part of them is smaller than
    they are. ``sign`` is 1 or -1; the least size only ever falls. ``counts`` is scratch memory with
    an entry for every code of all columns, all zero before and after. O(n d) for n rows and d
    columns, each row once.
    """
    active = np.empty(columns.size, np.int32)
    refined = np.empty(columns.size, np.int32)
    squares = np.empty(columns.size, np.int64)
    met = np.empty(counts.size, np.int32)
    met_on = np.empty(counts.size, np.int32)
    for g in range(leaves.size):
        s, e, size = start[leaves[g]], end[leaves[g]], records[leaves[g]]
        if e - s == 1:
            continue
        n_active = 0
        for c in range(columns.size):
            j = columns[c]
            # All rows of a leaf are published alike, so its first row shows the value of every
            # column.
            x = value[plan[j, 0] + rows[order[s], j]]
            if is_open[x] and (plan[j, 2] < 0 or x == plan[j, 2]):
                active[n_active], refined[n_active], squares[n_active] = j, x, 0
                n_active += 1
        n_met = 0
        for i in range(s, e):
            row = order[i]
            if sizes[row] == 0:
                continue
            for a in range(n_active):
                j = active[a]
                at = plan[j, 0]
                t = at + rows[row, j]
                if plan[j, 2] < 0:
                    t = at + branch[t]
                # Codes met are listed, so that counts are cleared without a pass over all codes.
                if counts[t] == 0:
                    met[n_met], met_on[n_met] = t, a
                    n_met += 1
                counts[t] += sizes[row]
        for m in range(n_met):
            t, a = met[m], met_on[m]
            n = counts[t]
            counts[t] = 0
            squares[a] += n * n
            j = active[a]
            if plan[j, 2] < 0:
                least[refined[a]] = min(least[refined[a]], n)
            else:
                v = plan[j, 1] + t - plan[j, 0]
                least[v] = min(least[v], n)
                # Disclosing a code splits the leaf in two, those who have it and the rest. If
                # everybody has it there is no second part.
                if n < size:
                    least[v] = min(least[v], size - n)
                # n records leave a leaf of ``size``: size^2 - n^2 - (size - n)^2 = 2 n (size - n).
                fall[v] += sign * 2 * n * (size - n)
        for a in range(n_active):
            before[refined[a]] += sign * size * size
            if plan[active[a], 2] < 0:
                fall[refined[a]] += sign * (size * size - squares[a])
