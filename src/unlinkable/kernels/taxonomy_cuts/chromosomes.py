"""Chromosomes: bits that say which nodes of a tree are split, and how they are inherited.

``bits[g]`` says whether the values under node ``g`` are kept apart. A node can be split only if its
parent is: ``parent[g]``, which comes before it, or -1. Bits that obey this are *closed*. Random
numbers in [0, 1) come in as arguments.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["BitArray", "breed", "close", "flip"]

BitArray = NDArray[np.uint8]


@njit(cache=True, nogil=True)
def close(bits: BitArray, parent: CodeArray) -> None:
    """Undo every split below a node that is not split, in place. O(genes)."""
    # Parents come before their children, so one pass carries an undone split down the whole tree.
    for g in range(bits.size):
        if parent[g] >= 0 and bits[parent[g]] == 0:
            bits[g] = 0


@njit(cache=True, nogil=True)
def breed(
    one: BitArray, other: BitArray, parent: CodeArray, starts: CountArray, chance: FloatArray
) -> BitArray:
    """Cross two chromosomes: a stretch of the genes of one, and the rest of the other.

    The stretch begins at one of two genes and ends before the other one. Each is drawn from a
    column that is drawn first; the genes of column ``j`` are ``starts[j]:starts[j + 1]``, never
    none. It takes four numbers of ``chance``. Where a child has a node split under one that is not,
    that split is undone. O(genes).
    """
    begin = _drawn(starts, chance[0], chance[1])
    end = _drawn(starts, chance[2], chance[3])
    child = other.copy()
    if begin <= end:
        child[begin:end] = one[begin:end]
    else:
        # A stretch that begins after its end wraps around the end of the chromosome.
        child[begin:] = one[begin:]
        child[:end] = one[:end]
    close(child, parent)
    return child


@njit(cache=True, nogil=True)
def flip(bits: BitArray, parent: CodeArray, starts: CountArray, column: float, gene: float) -> None:
    """Split a node that is not split, or merge all under one that is, in place.

    Only a node whose parent is split, or that has none, can be drawn: first a column, then one of
    these nodes of it. O(genes of the column).
    """
    j = int(column * (starts.size - 1))
    n_open = 0
    for g in range(starts[j], starts[j + 1]):
        n_open += parent[g] < 0 or bits[parent[g]] == 1
    left = int(gene * n_open)
    at = starts[j]
    for g in range(starts[j], starts[j + 1]):
        if parent[g] < 0 or bits[parent[g]] == 1:
            at = g
            # ``left`` counts down to the drawn node among the eligible ones.
            if left == 0:
                break
            left -= 1
    bits[at] = 1 - bits[at]
    # Only nodes after the flipped one can lie below it, and all of them are in its column.
    for g in range(at + 1, starts[j + 1]):
        if parent[g] >= 0 and bits[parent[g]] == 0:
            bits[g] = 0


@njit(cache=True, nogil=True, inline="always")
def _drawn(starts: CountArray, column: float, gene: float) -> int:
    j = int(column * (starts.size - 1))
    first: int = starts[j]
    return first + int(gene * (starts[j + 1] - first))
