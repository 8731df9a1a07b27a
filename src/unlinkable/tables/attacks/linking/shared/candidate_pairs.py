"""Candidates: the pairs of people and records that are worth weighing.

A million people and a million records make a million million pairs, nearly all of which agree on
nothing. Pairs are weighed that agree on all columns but two, or where these are too many, on all
but one, or on all (blocking, in several passes). Where hardly anybody agrees so far, as after
numbers were changed a little, near agreement is enough.

Pairs of people and records, and how far they agree on every column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from unlinkable.kernels.counting import drop_repeated, expand_stretches, sort_rows
from unlinkable.kernels.linkage import mark_levels
from unlinkable.tables.attacks.linking.shared.agreement import AGREE, ColumnAgreement
from unlinkable.tables.attacks.linking.shared.dependence import excess, joint_excess
from unlinkable.tables.attacks.shared.matching import Matching
from unlinkable.tables.attacks.shared.overlaps import Boxes, Overlaps
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Pairs", "candidates", "near_candidates"]

_PER_SIDE = 8
"""So many pairs for every kind and every look are weighed at most."""

_LEAST = 1 << 20
"""So many pairs are always allowed."""

_MOST_PASSES = 30
"""So many sets of columns are tried at most."""


def candidates(matching: Matching) -> tuple[CountArray, CodeArray, int]:
    """List for every kind the looks to weigh, and say how many sets of columns were joined on.

    Sets are tried from the shortest on; one that holds a shorter one adds nothing, and one that
    would give too many pairs is left out.
    """
    return _listed(matching.overlaps)


def near_candidates(
    matching: Matching,
    near: Sequence[CodeArray],
    listed: tuple[CountArray, CodeArray, int],
) -> tuple[CountArray, CodeArray, int]:
    """List more looks to weigh, as `candidates` does, but take what is near for agreement.

    Parameters
    ----------
    matching
        List and release.
    near
        For each column the ranges of the list, widened to what is close.
    listed
        What `candidates` lists.
    """
    first = matching.overlaps.first
    wide = zip(first.columns, near, strict=True)
    widened = Boxes(first.n, tuple((numbers, bounds) for (numbers, _), bounds in wide))
    more = _listed(Overlaps(widened, matching.overlaps.second, matching.overlaps.sizes))
    return *_united([listed[:2], more[:2]], first.n), listed[2] + more[2]


def _listed(overlaps: Overlaps) -> tuple[CountArray, CodeArray, int]:
    left = _PER_SIDE * (overlaps.first.n + overlaps.second.n) + _LEAST
    found: list[tuple[CountArray, CodeArray]] = []
    taken: list[set[int]] = []
    shares = [_share(overlaps, j) for j in range(len(overlaps.sizes))]
    n_all = overlaps.first.n * overlaps.second.n
    for columns in _sets(len(overlaps.sizes)):
        is_new = not any(shorter <= {*columns} for shorter in taken)
        if not is_new or n_all * np.prod([shares[j] for j in columns]) > left:
            continue
        part = _on(overlaps, columns)
        ones = np.ones(overlaps.first.n, np.int64), np.ones(overlaps.second.n, np.int64)
        n_met = part.sums(*ones)[2]
        if (n := int(n_met.sum())) <= left:
            found.append(part.pairs(n_met))
            taken.append({*columns})
            left -= n
        if len(taken) == _MOST_PASSES:
            break
    return *_united(found, overlaps.first.n), len(taken)


def _sets(n_columns: int) -> Iterator[tuple[int, ...]]:
    least = n_columns - 2 if n_columns > 3 else max(n_columns - 1, 1)
    for length in range(least, n_columns + 1):
        yield from combinations(range(n_columns), length)


def _share(overlaps: Overlaps, column: int) -> float:
    """Give the share of all pairs that overlap on a column."""
    ones = np.ones(overlaps.first.n, np.int64), np.ones(overlaps.second.n, np.int64)
    (a, a_bounds), (b, b_bounds) = (
        overlaps.first.columns[column],
        overlaps.second.columns[column],
    )
    weights = [
        np.bincount(x, minlength=len(bounds)) for x, bounds in ((a, a_bounds), (b, b_bounds))
    ]
    size = overlaps.sizes[column]
    begun = np.cumsum(np.bincount(a_bounds[:, 0], weights[0], size + 1))
    ended = np.cumsum(np.bincount(a_bounds[:, 1], weights[0], size + 1))
    met = begun[np.maximum(b_bounds[:, 1] - 1, 0)] - ended[b_bounds[:, 0]]
    n_all = max(ones[0].size * ones[1].size, 1)
    return float((met * weights[1]).sum()) / n_all


def _on(overlaps: Overlaps, columns: tuple[int, ...]) -> Overlaps:
    """Look at some columns only, of the same boxes."""
    first, second = (
        Boxes(boxes.n, tuple(boxes.columns[j] for j in columns))
        for boxes in (overlaps.first, overlaps.second)
    )
    return Overlaps(first, second, tuple(overlaps.sizes[j] for j in columns))


def _united(found: list[tuple[CountArray, CodeArray]], n: int) -> tuple[CountArray, CodeArray]:
    """Put lists of looks together, kind by kind, and leave out those that come again."""
    if len(found) == 1:
        return found[0]
    indptr = np.zeros(n + 1, np.int64)
    for starts, _ in found:
        indptr += starts
    looks = np.empty(int(indptr[-1]), np.int32)
    free = indptr[:-1].copy()
    for starts, more in found:
        width = np.diff(starts)
        looks[expand_stretches(free, width)[1]] = more
        free += width
    sort_rows(indptr, looks)
    return drop_repeated(indptr, looks)


_MOST_TOGETHER = 14
"""Of more columns, agreement is taken to be independent."""


@define(eq=False, frozen=True)
class Pairs:
    """Pairs of kinds and looks, and how far they agree.

    Attributes
    ----------
    indptr, looks
        The looks that are weighed for every kind.
    levels
        A row per column: the level of agreement of each pair.
    weights
        Minus the logarithm of the chance that anybody agrees so far.
    people, sizes
        Number of people of each kind, and of records with each look.
    blurred
        For each column the share of records that show a generalized value there.
    most_present
        The share of the list that can have a record at most: no record is two people's.
    """

    indptr: CountArray
    looks: CodeArray
    levels: NDArray[np.uint8]
    weights: NDArray[np.float32]
    people: FloatArray
    sizes: CountArray
    blurred: FloatArray
    most_present: float = 1.0

    @classmethod
    def of(
        cls,
        matching: Matching,
        columns: list[ColumnAgreement],
        indptr: CountArray,
        looks: CodeArray,
    ) -> Pairs:
        """Find the levels of pairs."""
        levels = np.zeros((len(columns), looks.size), np.uint8)
        weights = np.zeros(looks.size, np.float32)
        for j, column in enumerate(columns):
            mark_levels(
                indptr, looks,
                *column.listed, column.near, column.listed_tells,
                *column.published, column.published_tells,
                column.close_indptr, column.close, -np.log(column.chance), levels[j], weights,
            )  # fmt: skip
        if 1 < len(columns) <= _MOST_TOGETHER:
            pairwise = excess(matching, columns)
            agreed = np.zeros(looks.size, np.int32)
            for j in range(len(columns)):
                agreed |= (levels[j] == AGREE).astype(np.int32) << j
            weights -= joint_excess(pairwise)[agreed].astype(np.float32)
        people = matching.kind_sizes.astype(float)
        records = matching.look_sizes
        blurred = np.array([_blurred(column, records) for column in columns])
        most = min(1.0, float(records.sum() / max(people.sum(), 1.0)))
        return cls(indptr, looks, levels, weights, people, records, blurred, most)

    def take(self, kinds: CountArray) -> Pairs:
        """Keep the pairs of some kinds."""
        width = np.diff(self.indptr)[kinds]
        indptr = np.append(0, np.cumsum(width)).astype(np.int64)
        at = np.repeat(self.indptr[kinds] - indptr[:-1], width) + np.arange(int(indptr[-1]))
        return evolve(
            self,
            indptr=indptr,
            looks=self.looks[at],
            levels=np.ascontiguousarray(self.levels[:, at]),
            weights=self.weights[at],
            people=self.people[kinds],
        )


def _blurred(column: ColumnAgreement, records: CountArray) -> float:
    """Give the share of the records that tell something which is not a single value."""
    numbers, bounds = column.published
    is_wide = column.published_tells & (bounds[:, 1] - bounds[:, 0] > 1)
    return float(records[is_wide[numbers]].sum()) / max(int(records.sum()), 1)
