"""Blocks: which classes of two releases may hold the same person.

If all records of a release are recoded alike, what it shows on a column are ranges that have
nothing in common; and if ranges of different releases are nested or have nothing in common, then on
every column the greatest ranges part both releases into *blocks* within which all classes of the
one are comparable to all of the other, and to no others (lemma 10.3) [1]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, J. Pei. "Anonymity for continuous data publishing." EDBT
   2008. Section 10.2 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing."
   2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import count, sum_by_label
from unlinkable.tables.attacks.series.shared.classes import Classes
from unlinkable.tables.groups import number_rows
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["MOST_PAIRS", "block_pairs", "blocks", "crossing", "new_since"]

MOST_PAIRS = 4_000_000
"""So many pairs of classes are compared at most."""


def crossing(releases: Sequence[Classes], names: Columns) -> str | None:
    """Name a column on which ranges overlap and are not nested; None if there is none.

    Within a release they must be equal or have nothing in common.
    """
    for j, name in enumerate(names):
        cuts = [_cut(release, j) for release in releases]
        if any((lo[1:] < hi[:-1]).any() for lo, hi in cuts):
            return name
        for (lo, hi), (lo2, hi2) in combinations(cuts, 2):
            if _crosses(lo, hi, lo2, hi2) or _crosses(lo2, hi2, lo, hi):
                return name
    return None


def _cut(release: Classes, j: int) -> tuple[CodeArray, CodeArray]:
    """List the ranges that a release shows on a column, by where they begin."""
    pairs = np.unique(np.column_stack([release.lo[:, j], release.hi[:, j]]), axis=0)
    return pairs[:, 0], pairs[:, 1]


def _crosses(lo: CodeArray, hi: CodeArray, lo2: CodeArray, hi2: CodeArray) -> bool:
    """Tell whether a range of the first cut begins within one of the second and ends beyond it."""
    at = np.searchsorted(lo2, lo, "right") - 1
    there = at >= 0
    at = at[there]
    is_inside = (lo2[at] < lo[there]) & (lo[there] < hi2[at])
    return bool((is_inside & (hi[there] > hi2[at])).any())


def blocks(a: Classes, b: Classes) -> tuple[CodeArray, CodeArray, int]:
    """Number the blocks that make classes of two releases comparable, and tell each class its own.

    On every column a class belongs to the greater of the two ranges that hold it.
    """
    keys = np.empty((len(a) + len(b), a.lo.shape[1]), np.int32)
    for j in range(keys.shape[1]):
        cuts = _cut(a, j), _cut(b, j)
        keys[: len(a), j] = _covered(a.lo[:, j], a.hi[:, j], *cuts[1])
        keys[len(a) :, j] = _covered(b.lo[:, j], b.hi[:, j], *cuts[0])
    labels, first = number_rows(keys)
    return labels[: len(a)], labels[len(a) :], first.size


def _covered(lo: CodeArray, hi: CodeArray, lo2: CodeArray, hi2: CodeArray) -> CodeArray:
    """Tell where the range begins that covers each, itself if none of the others does."""
    if not lo2.size:
        return lo
    at = np.searchsorted(lo2, lo, "right") - 1
    is_covered = (at >= 0) & (hi2[at] >= hi)
    return np.where(is_covered, lo2[at], lo)


def block_pairs(a: CodeArray, b: CodeArray, n: int) -> tuple[CodeArray, CodeArray]:
    """List all pairs of members of the same block.

    Raises
    ------
    UnsupportedError
        If there are too many.

    Examples
    --------
    >>> first, second = block_pairs(np.array([0, 1]), np.array([1, 0, 1]), 2)
    >>> first.tolist(), second.tolist()
    ([0, 1, 1], [1, 0, 2])
    """
    n_there = count(b, n)
    n_met = n_there[a]
    total = int(n_met.sum())
    if total > MOST_PAIRS:
        raise UnsupportedError(
            f"more than {MOST_PAIRS:,} kinds of people could be in these releases: look only at "
            "those who are, with targets=actual"
        )
    order = np.argsort(b, kind="stable").astype(np.int32)
    starts = np.cumsum(n_there) - n_there
    first = np.repeat(np.arange(a.size, dtype=np.int32), n_met)
    before = np.cumsum(n_met) - n_met
    return first, order[starts[a][first] + np.arange(total) - before[first]]


def new_since(earlier: Classes, later: Classes, n_values: int) -> CountArray:
    """Count for every group of a release the records of its block that are no earlier one's.

    Its own new records are at most so many.

    Raises
    ------
    UnsupportedError
        If the earlier release has more records of a block with some value than the later one:
        then records have gone, or changed.
    """
    then, now, _ = blocks(earlier, later)
    before = then[earlier.row].astype(np.int64) * n_values + earlier.values
    after = now[later.row].astype(np.int64) * n_values + later.values
    keys, place = np.unique(np.concatenate([before, after]), return_inverse=True)
    amounts = np.concatenate([-earlier.counts, later.counts])
    new = sum_by_label(amounts, place.astype(np.int32), keys.size)
    if (new[place[: before.size]] < 0).any():
        raise UnsupportedError(
            "some records of an earlier release have no record in a later one that they could be: "
            "people have left, or what is published of them has changed. It follows records in a "
            "table that only grows: use difference, intersection or critical-absence"
        )
    return new[place[before.size :]]
