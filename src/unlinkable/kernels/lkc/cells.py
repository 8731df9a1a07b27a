"""Cells: rows that agree on some columns, divided into smaller ones and counted.

A row is a set of records that agree on all columns and have one hidden value: ``sizes`` of them,
``values`` 0 where the value does not matter. If people own several records, ``owners`` lists whose
they are, ``owner_ends`` where the list of each row ends; it is empty if records are people.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Rows", "Scratch", "is_odd", "is_worth", "scratch_for", "split", "weigh"]

Rows: TypeAlias = tuple[CountArray, CodeArray, CountArray, CodeArray]
"""``sizes``, ``values``, ``owner_ends`` and ``owners``."""

Scratch: TypeAlias = tuple[CountArray, CountArray, CountArray, CountArray, CountArray]
"""A count for every code, codes that were met, a count for every value, the last cell in which
each owner was met, and what a cell weighs: people, records, peak, and its number; at the end the
number of values."""

BETTER, SMALL, TELLING = 1, 2, 4
"""Why rows are of interest: they may be worse than the worst, too few, or disclose a value."""

_DENSE = 1 << 16
"""Up to this many codes times values are counted in one pass."""


@njit(cache=True, nogil=True)
def scratch_for(rows: Rows, n_codes: int) -> Scratch:
    """Allocate the scratch memory of the other functions, for codes below ``n_codes``."""
    _, values, _, owners = rows
    n_values, n_owners = 1, 0
    for value in values:
        n_values = max(n_values, value + 1)
    for owner in owners:
        n_owners = max(n_owners, owner + 1)
    weight = np.zeros(5, np.int64)
    weight[4] = n_values
    return (
        np.zeros(n_codes, np.int64),
        np.empty(n_codes, np.int64),
        np.zeros(max(n_values, _DENSE), np.int64),
        np.zeros(n_owners, np.int64),
        weight,
    )


@njit(cache=True, nogil=True)
def split(
    cell: CodeArray,
    codes: CodeArray,
    scratch: Scratch,
    out: CodeArray,
    cuts: CountArray,
) -> int:
    """Sort the rows of a cell by their codes into ``out``, and count the parts. O(n).

    ``cuts`` says where each part begins, and where the last one ends.
    """
    tally, met = scratch[0], scratch[1]
    n_parts = 0
    for row in cell:
        if tally[codes[row]] == 0:
            met[n_parts] = codes[row]
            n_parts += 1
        tally[codes[row]] += 1
    # From here on ``tally`` is where the next row of a code goes, and no longer a count.
    total = 0
    for p in range(n_parts):
        cuts[p] = total
        total += tally[met[p]]
        tally[met[p]] = cuts[p]
    cuts[n_parts] = total
    for row in cell:
        out[tally[codes[row]]] = row
        tally[codes[row]] += 1
    # Only the codes that were met are cleared, so a small cell costs little.
    for p in range(n_parts):
        tally[met[p]] = 0
    return n_parts


@njit(cache=True, nogil=True)
def weigh(cell: CodeArray, rows: Rows, scratch: Scratch) -> None:
    """Count people, records, and the most frequent value of a cell. O(n)."""
    sizes, values, owner_ends, owners = rows
    seen, met_in, weight = scratch[2], scratch[3], scratch[4]
    records, peak = 0, 0
    for row in cell:
        records += sizes[row]
        value = values[row]
        if value > 0:
            seen[value] += sizes[row]
            peak = max(peak, seen[value])
    if peak > 0:
        for row in cell:
            seen[values[row]] = 0
    people = records
    if owners.size > 0:
        people = 0
        # Every cell has a number, and an owner counts if they were not met in a cell of this number
        # yet: nothing has to be cleared between cells.
        weight[3] += 1
        for row in cell:
            for e in range(owner_ends[row], owner_ends[row + 1]):
                if met_in[owners[e]] != weight[3]:
                    met_in[owners[e]] = weight[3]
                    people += 1
    weight[0], weight[1], weight[2] = people, records, peak


@njit(cache=True, nogil=True)
def is_odd(
    cell: CodeArray,
    codes: CodeArray,
    n_codes: int,
    rows: Rows,
    scratch: Scratch,
    fewest: tuple[int, int],
    most: tuple[int, int, int, int],
) -> bool:
    """Whether a part of a cell may have too few records, or too large a share of a value.

    The parts are those that `split` would make. ``fewest`` are two bounds on records, ``most`` two
    bounds on shares, as numerators and denominators. Also true where it takes too long to decide.
    O(n), in one pass.
    """
    sizes, values, _, owners = rows
    seen, n_values = scratch[2], scratch[4][4]
    # Clearing a table much larger than the cell would cost more than splitting it.
    if owners.size > 0 or n_codes * n_values > min(_DENSE, 4 * cell.size):
        return True
    for row in cell:
        seen[codes[row] * n_values + values[row]] += sizes[row]
    found = False
    for code in range(n_codes):
        first = code * n_values
        # The first entry of a code counts the value 0, which does not matter: it is no peak.
        records, peak = seen[first], 0
        seen[first] = 0
        for at in range(first + 1, first + n_values):
            records += seen[at]
            peak = max(peak, seen[at])
            seen[at] = 0
        if records > 0:
            found |= records < fewest[0] or records < fewest[1]
            found |= peak * most[1] > most[0] * records or peak * most[3] > most[2] * records
    return found


@njit(cache=True, nogil=True)
def is_worth(cell: CodeArray, flags: NDArray[np.uint8], good: BoolArray) -> bool:
    """Whether something may be found in a cell, or something is left to mark.

    A cell that discloses a value contains rows that do; all of its rows are then marked.
    """
    is_telling, is_good = False, False
    for row in cell:
        flag = flags[row]
        if flag & BETTER or (flag & SMALL and good[row]):
            return True
        is_telling |= flag & TELLING != 0
        is_good |= good[row]
    return is_telling and is_good
