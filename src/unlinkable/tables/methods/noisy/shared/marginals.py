r"""Marginals: counts by some of the attributes, and what makes them agree.

A marginal over attributes :math:`A` is an array with one axis for each of them. Marginals of the
same records agree: what two of them tell about attributes that both have is the same. Noise breaks
that, and it is put right without any cost to privacy.

Every array over :math:`A` is a sum of parts, one for each set :math:`S \subseteq A`: what :math:`S`
tells that no smaller set does (its *interaction*), spread evenly over the other attributes. Parts
of different :math:`S` are orthogonal. Hence the marginals that agree and are nearest to noisy ones
are found set by set: the interaction of :math:`S` is the mean of what all marginals with
:math:`S` tell of it, each weighted by the inverse of its variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from math import prod

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = [
    "Axes",
    "Workload",
    "agreeing",
    "closure",
    "count_marginal",
    "interaction",
    "nearest_counts",
]

Axes = tuple[int, ...]
"""Some of the attributes, by their positions, rising."""

_MOST_ROUNDS = 300
_TOLERANCE = 1e-4
"""Counts this near to each other, and to where they were, are taken to have met."""
_NOTHING = 1e-9
"""What rounding makes of zero."""
_PULL = 10.0
"""How much more being near the other counts than being near the noisy ones. It sets the pace."""
_BEYOND = 1.7
"""How far to go for a step of one: more than one is faster, up to two."""


@define(eq=False, frozen=True, slots=False)
class Workload:
    """Which marginals are published, over attributes with so many cells each.

    Attributes
    ----------
    sizes
        Number of cells of every attribute.
    marginals
        The sets of attributes.

    Examples
    --------
    >>> workload = Workload((2, 3, 4), ((0, 1), (1, 2)))
    >>> workload.n_cells, workload.shape((1, 2)), workload.sets
    (18, (3, 4), ((), (0,), (1,), (2,), (0, 1), (1, 2)))
    """

    sizes: tuple[int, ...]
    marginals: tuple[Axes, ...]

    @property
    def n_cells(self) -> int:
        """Number of cells of all marginals."""
        return sum(self.width(axes) for axes in self.marginals)

    @property
    def n_joint(self) -> int:
        """Number of cells of the table over all attributes that any marginal has."""
        return self.width(self.all_axes)

    @property
    def all_axes(self) -> Axes:
        """All attributes that any marginal has."""
        return tuple(sorted({axis for axes in self.marginals for axis in axes}))

    @cached_property
    def sets(self) -> tuple[Axes, ...]:
        """All sets of attributes of which a marginal tells anything."""
        return closure(self.marginals)

    def shape(self, axes: Axes) -> tuple[int, ...]:
        """Give the shape of a marginal."""
        return tuple(self.sizes[axis] for axis in axes)

    def width(self, axes: Axes) -> int:
        """Give the number of cells of a marginal."""
        return prod(self.shape(axes))


def closure(marginals: Sequence[Axes]) -> tuple[Axes, ...]:
    """Give all subsets of some sets, the small ones first."""
    found = {s for axes in marginals for k in range(len(axes) + 1) for s in combinations(axes, k)}
    return tuple(sorted(found, key=lambda s: (len(s), s)))


def count_marginal(codes: Sequence[CodeArray], sizes: Sequence[int]) -> CountArray:
    """Count the records in each cell of the product of some attributes.

    Examples
    --------
    >>> count_marginal([np.array([0, 1, 1]), np.array([2, 0, 0])], (2, 3)).tolist()
    [[0, 0, 1], [2, 0, 0]]
    """
    flat = np.zeros(len(codes[0]) if codes else 0, np.int64)
    for of_records, size in zip(codes, sizes, strict=True):
        flat = flat * size + of_records
    return np.bincount(flat, minlength=prod(sizes)).reshape(tuple(sizes)).astype(np.int64)


def interaction(table: NDArray[np.float64], axes: Axes, wanted: Axes) -> FloatArray:
    """Give what some attributes tell together, in an array over more of them, that fewer do not.

    Examples
    --------
    >>> interaction(np.array([[3.0, 1.0], [1.0, 3.0]]), (0, 1), (0, 1)).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    >>> interaction(np.array([[3.0, 1.0], [1.0, 3.0]]), (0, 1), ()).tolist()
    8.0
    """
    part = table.sum(axis=tuple(i for i, axis in enumerate(axes) if axis not in wanted))
    for i in range(len(wanted)):
        part = part - part.mean(axis=i, keepdims=True)
    return np.asarray(part, np.float64)


def agreeing(
    workload: Workload, noisy: Sequence[FloatArray], weights: Sequence[float]
) -> list[FloatArray]:
    """Give the marginals that agree and are nearest to noisy ones in weighted squares. Exact.

    A weight is the inverse of the variance of the counts of a marginal. Counts may be negative.

    Examples
    --------
    >>> workload = Workload((2, 2), ((0,), (0, 1)))
    >>> first, both = agreeing(workload, [np.array([4.0, 4.0]), np.ones((2, 2))], [1, 1])
    >>> first.tolist(), both.tolist()
    ([3.3333333333333335, 3.3333333333333335], [[1.6666666666666667, 1.6666666666666667],
    [1.6666666666666667, 1.6666666666666667]])
    """
    told = {s: _mean_interaction(workload, noisy, weights, s) for s in workload.sets}
    return [_put_together(workload, axes, told) for axes in workload.marginals]


def _mean_interaction(
    workload: Workload, noisy: Sequence[FloatArray], weights: Sequence[float], wanted: Axes
) -> FloatArray:
    total, weight = np.zeros(workload.shape(wanted)), 0.0
    for axes, table, own in zip(workload.marginals, noisy, weights, strict=True):
        if set(wanted) <= set(axes):
            spread = workload.width(axes) / workload.width(wanted)
            total = total + interaction(table, axes, wanted) * (own / spread)
            weight += own / spread
    return np.asarray(total / weight, np.float64)


def _put_together(workload: Workload, axes: Axes, told: dict[Axes, FloatArray]) -> FloatArray:
    table = np.zeros(workload.shape(axes))
    for k in range(len(axes) + 1):
        for s in combinations(axes, k):
            spread = workload.width(axes) / workload.width(s)
            shape = tuple(workload.sizes[a] if a in s else 1 for a in axes)
            table += told[s].reshape(shape) / spread
    return table


def nearest_counts(
    workload: Workload, noisy: Sequence[FloatArray], weights: Sequence[float]
) -> tuple[list[FloatArray], int]:
    r"""Give marginals that agree, have no negative count, and are nearest to noisy ones.

    The method of multipliers (ADMM): in turn the nearest marginals that agree, and the nearest
    without a negative count, each drawn towards the other. Where they have not met in the end, the
    rest is made up by a step towards a table with the same count everywhere, which agrees with
    itself and is positive. So the result agrees and is not negative, whenever it ends.

    Returns
    -------
    tuple
        The marginals, and the number of rounds.

    Examples
    --------
    >>> workload = Workload((2, 2), ((0,), (1,)))
    >>> (a, b), _ = nearest_counts(workload, [np.array([5.0, -1]), np.array([2.0, 2])], [1, 1])
    >>> a.round(2).tolist(), b.round(2).tolist()
    ([4.67, 0.0], [2.33, 2.33])
    """
    found = agreeing(workload, noisy, weights)
    if min(table.min() for table in found) >= -_NOTHING:
        return list(_lifted(found)), 0
    clipped = [np.maximum(table, 0.0) for table in found]
    owed = [np.zeros_like(table) for table in found]
    rounds, apart = 0, np.inf
    while rounds < _MOST_ROUNDS and apart > _TOLERANCE:
        aims = [
            (y + _PULL * (z - u)) / (1 + _PULL)
            for y, z, u in zip(noisy, clipped, owed, strict=True)
        ]
        found = agreeing(workload, aims, weights)
        moved = [
            _BEYOND * x + (1 - _BEYOND) * z + u
            for x, z, u in zip(found, clipped, owed, strict=True)
        ]
        before, clipped = clipped, [np.maximum(table, 0.0) for table in moved]
        owed = [a - b for a, b in zip(moved, clipped, strict=True)]
        apart = max(_furthest(before, clipped), _furthest(found, clipped))
        rounds += 1
    return list(_lifted(found)), rounds


def _furthest(tables: Sequence[FloatArray], others: Sequence[FloatArray]) -> float:
    return max(float(np.abs(a - b).max()) for a, b in zip(tables, others, strict=True))


def _lifted(found: Sequence[FloatArray]) -> Iterator[FloatArray]:
    total = float(found[0].sum())
    if total <= 0:
        yield from (np.zeros_like(table) for table in found)
        return
    step = 0.0
    for table in found:
        even, least = total / table.size, float(table.min())
        if least < 0:
            step = max(step, least / (least - even))
    for table in found:
        yield np.maximum((1 - step) * table + step * total / table.size, 0.0)
