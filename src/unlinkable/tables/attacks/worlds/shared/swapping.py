"""Swapping: estimates of what is believed of groups with too many worlds to count.

People of a group meet in pairs, and of the two worlds in which they have what they have, or have
swapped it, each is taken as often as it weighs. In the long run every world is met as often as it
weighs [1]_.

References
----------
.. [1] D. Kifer. "Attacks on privacy and deFinetti's theorem." SIGMOD 2009, for the use of such
   chains against published buckets.
"""

from __future__ import annotations

import numpy as np

from unlinkable.kernels.worlds import balance_tables, row_starts, swap_values
from unlinkable.tables.attacks.shared.rates import student
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import CodedPrior
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["deal", "estimate"]

_CHAINS, _ROUNDS = 8, 400
"""Chains, and how often everybody meets somebody in each; the first quarter does not count."""


def estimate(
    seen: Histogram, hidden: Histogram, beliefs: CodedPrior, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Estimate how likely people have values, and how far off that may be.

    Where some values are impossible for some people, swaps may not lead to all worlds. Then weights
    are balanced instead, and anything up to the bound may be true.
    """
    crowd = _Crowd(seen, hidden, beliefs)
    means = np.array([crowd.chain(rng) for _ in range(_CHAINS)])
    error = student(_CHAINS - 1) * means.std(axis=0, ddof=1) / np.sqrt(_CHAINS)
    is_open = crowd.has_zeros[seen.row[crowd.kind_of_cell]]
    return np.where(is_open, crowd.balanced(), means.mean(axis=0)), np.where(is_open, 1.0, error)


def deal(hidden: Histogram, start: CountArray, rng: np.random.Generator) -> CodeArray:
    """Hand the values of every group to its people, in any order.

    People of group g are at ``start[g]:start[g + 1]``. Gives for each the number of his value among
    those of his group.
    """
    slot = np.arange(hidden.values.size) - hidden.indptr[:-1][hidden.row]
    held = np.repeat(slot, hidden.counts)
    group = np.repeat(np.arange(hidden.n_groups), np.diff(start))
    return held[np.lexsort((rng.random(held.size), group))].astype(np.int32)


class _Crowd:
    """The people of groups one by one, as kernels want them."""

    def __init__(self, seen: Histogram, hidden: Histogram, beliefs: CodedPrior) -> None:
        self._hidden, self._n = hidden, seen.reduce(np.add, seen.counts)
        self._start = np.append(0, np.cumsum(self._n))
        self._base = np.append(0, np.cumsum(self._n * hidden.distinct))
        starts = row_starts(seen.indptr, hidden.indptr)
        self.kind_of_cell = np.repeat(np.arange(seen.values.size), np.diff(starts))
        column = np.arange(starts[-1]) - starts[:-1][self.kind_of_cell]
        column += hidden.indptr[seen.row][self.kind_of_cell]
        row, place = beliefs.row[seen.values], beliefs.place[hidden.values]
        shares = beliefs.prior.shares[row[self.kind_of_cell], place[column]]
        self.has_zeros = np.zeros(hidden.n_groups, bool)
        self.has_zeros[seen.row[self.kind_of_cell[shares == 0]]] = True
        # Every person of a kind has the row of his kind.
        n_each = seen.counts
        width = np.repeat(np.diff(starts), n_each)
        first = np.repeat(starts[:-1], n_each)
        ends = np.cumsum(width)
        self._cells = np.arange(int(width.sum())) + np.repeat(first - (ends - width), width)
        with np.errstate(divide="ignore"):
            self._weights = np.maximum(np.log(shares), -700.0)[self._cells]
        self._n_cells = int(starts[-1])

    def chain(self, rng: np.random.Generator) -> FloatArray:
        """Let people swap values, and give how often people of each kind had which."""
        hidden, n = self._hidden, int(self._start[-1])
        held = deal(hidden, self._start, rng)
        credit = np.zeros(self._weights.size)
        for step in range(_ROUNDS):
            if step == _ROUNDS // 4:
                credit[:] = 0.0
            swap_values(
                self._start,
                hidden.indptr,
                self._base,
                self._weights,
                held,
                rng.random(2 * n),
                credit,
            )
        return self._by_kind(credit)

    def balanced(self) -> FloatArray:
        """Give what weights are when they are balanced."""
        out = np.empty_like(self._weights)
        hidden = self._hidden
        balance_tables(
            self._start, hidden.indptr, hidden.counts, self._base, self._weights, 100, out
        )
        return self._by_kind(out)

    def _by_kind(self, amounts: FloatArray) -> FloatArray:
        total = np.bincount(self._cells, amounts, self._n_cells)
        whole = np.bincount(self.kind_of_cell, total)
        shares: FloatArray = total / whole[self.kind_of_cell]
        return shares
