"""Refining: groups are split by one more column.

Elements that look alike are kept as groups, one after the other: the elements of group ``g`` are
``elements[starts[g]:starts[g + 1]]``. Elements that cannot change any more are left out, so that
the work shrinks with every column that is added.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["are_minimal", "mark", "refine", "single_out"]

_SEVERAL = -1
"""The owner of what belongs to several people."""


@njit(cache=True, nogil=True)
def refine(
    elements: CodeArray, amounts: CountArray, starts: CountArray, codes: CodeArray, n_codes: int
) -> tuple[CodeArray, CountArray, CountArray, CountArray, CountArray]:
    """Split groups by the codes of their elements; elements that end up alone are left out.

    ``amounts`` are those of the elements, in the same order. Returns the groups of at least two
    elements, with their amounts and the sum of these in each group, and the amounts of the elements
    that are alone from now on. O(m) for m elements.
    """
    m = elements.size
    counts, places, slots = _scratch(n_codes)
    met, held = np.empty(min(m, n_codes), np.int32), np.empty(m, np.int32)
    out, out_amounts = np.empty(m, np.int32), np.empty(m, np.int64)
    ends, sums = np.empty(m // 2 + 1, np.int64), np.zeros(m // 2, np.int64)
    alone = np.empty(m, np.int64)
    n_out, n_groups, n_alone = 0, 0, 0
    ends[0] = 0
    for g in range(starts.size - 1):
        n_met = 0
        # The codes of a group are kept: looking them up again would miss the cache.
        for i in range(starts[g], starts[g + 1]):
            code = codes[elements[i]]
            held[i] = code
            if counts[code] == 0:
                met[n_met] = code
                n_met += 1
            counts[code] += 1
        for k in range(n_met):
            code = met[k]
            # -1 means that the element is alone; other places advance as the elements of a code
            # arrive.
            places[code] = -1
            if counts[code] > 1:
                places[code] = n_out
                slots[code] = n_groups
                n_out += counts[code]
                n_groups += 1
                ends[n_groups] = n_out
            counts[code] = 0
        for i in range(starts[g], starts[g + 1]):
            code = held[i]
            place = places[code]
            if place < 0:
                alone[n_alone] = amounts[i]
                n_alone += 1
            else:
                out[place] = elements[i]
                out_amounts[place] = amounts[i]
                places[code] = place + 1
                sums[slots[code]] += amounts[i]
    return out[:n_out], out_amounts[:n_out], ends[: n_groups + 1], sums[:n_groups], alone[:n_alone]


@njit(cache=True, nogil=True)
def single_out(
    elements: CodeArray,
    owners: CodeArray,
    starts: CountArray,
    codes: CodeArray,
    n_codes: int,
    is_last: bool,
) -> tuple[CodeArray, CodeArray, CountArray, CodeArray]:
    """Split groups by the codes of their elements, and find those that belong to one person.

    ``owners`` names the owner of each element, in the same order, -1 if it belongs to several
    people. Returns the groups of several people that have an element of one, with their owners, and
    the elements of all groups of one person. If ``is_last``, no groups are returned, because they
    are not needed any more. O(m) for m elements.
    """
    m = elements.size
    counts, places, whose = _scratch(n_codes)
    candidates = np.zeros(n_codes, np.int32)
    met, held = np.empty(min(m, n_codes), np.int32), np.empty(m, np.int32)
    n_kept = 0 if is_last else m
    out, out_owners = np.empty(n_kept, np.int32), np.empty(n_kept, np.int32)
    ends, found = np.empty(n_kept + 1, np.int64), np.empty(m, np.int32)
    n_out, n_groups, n_found = 0, 0, 0
    ends[0] = 0
    for g in range(starts.size - 1):
        n_met, n_ones = 0, 0
        for i in range(starts[g], starts[g + 1]):
            code, owner = codes[elements[i]], owners[i]
            held[i] = code
            if counts[code] == 0:
                met[n_met] = code
                n_met += 1
                whose[code] = owner
            elif whose[code] != owner:
                whose[code] = _SEVERAL
            counts[code] += 1
            candidates[code] += owner >= 0
        for k in range(n_met):
            code = met[k]
            # -1 drops the element: no part of its group can be about one person. -2 singles its
            # owner out.
            places[code] = -1
            if whose[code] >= 0:
                places[code] = -2
                n_ones += 1
            # A group without an element of a single person never becomes one of a single person.
            elif candidates[code] > 0 and not is_last:
                places[code] = n_out
                n_out += counts[code]
                n_groups += 1
                ends[n_groups] = n_out
            counts[code] = 0
            candidates[code] = 0
        if is_last and n_ones == 0:
            continue
        for i in range(starts[g], starts[g + 1]):
            code = held[i]
            place = places[code]
            if place >= 0:
                out[place] = elements[i]
                out_owners[place] = owners[i]
                places[code] = place + 1
            elif place == -2:
                found[n_found] = elements[i]
                n_found += 1
    return out[:n_out], out_owners[:n_out], ends[: n_groups + 1], found[:n_found]


@njit(cache=True, nogil=True)
def _scratch(n_codes: int) -> tuple[CodeArray, CodeArray, CodeArray]:
    return np.zeros(n_codes, np.int32), np.empty(n_codes, np.int32), np.empty(n_codes, np.int32)


@njit(cache=True, nogil=True)
def mark(bits: NDArray[np.uint64], elements: CodeArray) -> None:
    """Set the bits of elements. O(m)."""
    for element in elements:
        bits[element >> 6] |= np.uint64(1) << np.uint64(element & 63)


@njit(cache=True, nogil=True)
def are_minimal(elements: CodeArray, bits: NDArray[np.uint64], parts: CountArray) -> BoolArray:
    """Tell which elements are marked in none of these rows of bits. O(m p)."""
    out = np.ones(elements.size, np.bool_)
    for i in range(elements.size):
        word, bit = elements[i] >> 6, np.uint64(1) << np.uint64(elements[i] & 63)
        for part in parts:
            if bits[part, word] & bit:
                out[i] = False
                break
    return out
