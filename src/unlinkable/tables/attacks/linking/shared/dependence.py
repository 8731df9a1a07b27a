"""Dependence: how much oftener people agree on several columns than chance would have it.

Who has the same profession is often of the same age. An adversary who takes agreement on both for
two independent pieces of evidence is too sure. How often people and records agree on a pair of
columns says by how much; several columns are held together by the strongest of their pairs (a tree,
as of Chow and Liu [1]_).

References
----------
.. [1] C. K. Chow, C. N. Liu. "Approximating discrete probability distributions with dependence
   trees." IEEE Transactions on Information Theory 14 (1968).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from unlinkable.kernels.counting import sum_by_label
from unlinkable.tables.attacks.linking.shared.agreement import AGREE, ColumnAgreement
from unlinkable.tables.attacks.shared.matching import Matching
from unlinkable.tables.attacks.shared.overlaps import Boxes, Overlaps, Ranges
from unlinkable.tables.groups import RowNumbers
from unlinkable.typing import CountArray, FloatArray

__all__ = ["excess", "joint_excess"]

_DOUBT = 10.0
"""So many pairs are taken to have agreed by chance, before any is counted."""

_OWN = 3
"""Where so many agree for each person of the list, hardly any of them are that person's own
records."""


def excess(matching: Matching, columns: Sequence[ColumnAgreement]) -> FloatArray:
    """Give for every two columns the logarithm of how much oftener anybody agrees on both.

    People and records are counted, or where nearly all that agree may be people and their own
    records, pairs of people of the list.

    Parameters
    ----------
    matching
        List and release.
    columns
        What decides on agreement.
    """
    d, n_people = len(columns), float(matching.kind_sizes.sum())
    found = np.zeros((d, d))
    for i, j in combinations(range(d), 2):
        both, by_chance = _with_records(matching, columns, i, j)
        if both > _OWN * n_people:
            both -= n_people / 2
        else:
            both, by_chance = _with_others(matching, columns, i, j)
        found[i, j] = found[j, i] = np.log((both + _DOUBT) / (by_chance + _DOUBT))
    return found


def joint_excess(pairwise: FloatArray) -> FloatArray:
    """Give for every set of columns the logarithm of how much oftener people agree on all.

    Sets are numbered by their bits: column j counts 2^j.
    """
    d = len(pairwise)
    found = np.zeros(1 << d)
    for number in range(1 << d):
        columns = [j for j in range(d) if number >> j & 1]
        found[number] = _heaviest_tree(pairwise, columns)
    return found


def _with_records(
    matching: Matching, columns: Sequence[ColumnAgreement], i: int, j: int
) -> tuple[float, float]:
    """Count the people and records that agree on two columns, and how many would by chance."""
    kinds, looks = matching.overlaps.first, matching.overlaps.second
    people, records = matching.kind_sizes.copy(), matching.look_sizes.copy()
    chance = np.ones(looks.n)
    for k in (i, j):
        column = columns[k]
        people[~column.listed_tells[column.listed[0]]] = 0
        records[~column.published_tells[column.published[0]]] = 0
        chance *= column.chance[column.published[0], AGREE]
    first, second = (
        _coarser([boxes.columns[k] for k in (i, j)], weights)
        for boxes, weights in ((kinds, people), (looks, records))
    )
    sizes = matching.overlaps.sizes[i], matching.overlaps.sizes[j]
    met = Overlaps(first[0], second[0], sizes).sums(first[1], second[1])[0]
    by_chance = float((records * chance).sum()) * float(people.sum())
    return float((met.astype(float) * first[1]).sum()), by_chance


def _with_others(
    matching: Matching, columns: Sequence[ColumnAgreement], i: int, j: int
) -> tuple[float, float]:
    """Count the pairs of people of the list that show the same, and how many would by chance."""
    ranges = [columns[k].listed for k in (i, j)]
    told = np.flatnonzero(
        columns[i].listed_tells[ranges[0][0]] & columns[j].listed_tells[ranges[1][0]]
    )
    people = matching.kind_sizes[told]
    kept = [(numbers[told], bounds) for numbers, bounds in ranges]
    n = float(people.sum())
    both, one, other = (_n_agreeing(part, people) for part in (kept, kept[:1], kept[1:]))
    return both, one * other / max(n * (n - 1), 1.0)


def _coarser(columns: Sequence[Ranges], weights: CountArray) -> tuple[Boxes, CountArray]:
    """Put boxes together that are equal on some columns, and add up their weights."""
    rows = RowNumbers(weights.size)
    for numbers, bounds in columns:
        rows.add(numbers, len(bounds))
    labels, first = rows.finish()
    kept = tuple((numbers[first], bounds) for numbers, bounds in columns)
    return Boxes(first.size, kept), sum_by_label(weights, labels, first.size)


def _n_agreeing(columns: Sequence[Ranges], people: CountArray) -> float:
    """Count the ordered pairs of different people who show the same."""
    rows = RowNumbers(people.size)
    for numbers, bounds in columns:
        rows.add(numbers, len(bounds))
    labels, first = rows.finish()
    sizes = np.bincount(labels, people, first.size)
    return float((sizes * (sizes - 1)).sum())


def _heaviest_tree(pairwise: FloatArray, columns: Sequence[int]) -> float:
    """Add up the edges of the heaviest tree over some columns, by Prim's method."""
    total, left = 0.0, list(columns[1:])
    best = {j: pairwise[columns[0], j] for j in left}
    while left:
        chosen = max(left, key=best.__getitem__)
        total += best[chosen]
        left.remove(chosen)
        best |= {j: max(best[j], pairwise[chosen, j]) for j in left}
    return float(total)
