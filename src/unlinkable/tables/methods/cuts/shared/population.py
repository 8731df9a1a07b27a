"""Population: chromosomes in the order of their fitness, and how new ones come of them.

As in GENITOR [1]_ one chromosome is born at a time and takes the place of the last, if it is
better. Parents are drawn by their place in the order and not by how much better they are: no
scale of the loss is needed, and the best is never lost.

References
----------
.. [1] D. Whitley. "The GENITOR algorithm and selection pressure: why rank-based allocation of
   reproductive trials is best." ICGA 1989.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable

import numpy as np

from unlinkable.kernels.taxonomy_cuts import BitArray, breed, close, flip
from unlinkable.tables.methods.cuts.shared.fitness import Fitness, Rank
from unlinkable.tables.methods.cuts.shared.genome import Genome

__all__ = ["Population"]

_BIAS = 1.5
"""How many times as often as the middle one the first is drawn."""

_MOST_FLIPS = 8
"""No chromosome gets more flips than this at a time."""


class Population:
    """The best chromosomes so far, each of them once.

    Attributes
    ----------
    n_founded
        How many chromosomes were drawn at random, equal ones included.
    n_repeated
        How many chromosomes were made that had been looked at before.
    """

    def __init__(
        self, genome: Genome, fitness: Fitness, size: int, mutation: float, rng: np.random.Generator
    ) -> None:
        self.n_founded = 0
        self.n_repeated = 0
        self._genome = genome
        self._fitness = fitness
        self._size = size
        self._mutation = mutation
        self._rng = rng
        self._ranks: list[Rank] = []
        self._members: list[BitArray] = []

    @property
    def best(self) -> Rank:
        """The rank of the best chromosome."""
        return self._ranks[0]

    @property
    def fittest(self) -> BitArray:
        """The best chromosome."""
        return self._members[0]

    @property
    def union(self) -> BitArray:
        """All that any of the chromosomes splits."""
        split: BitArray = np.bitwise_or.reduce(self._members)
        return split

    def found(self, bits: BitArray) -> None:
        """Take in a chromosome that was drawn at random."""
        self.n_founded += 1
        self._admit(bits, self._rank(bits))

    def settle(self, is_over: Callable[[], bool]) -> None:
        """Add a random chromosome that cannot be refined much further in its own order.

        The nodes are put into a random order. They are split one after the other, those whose
        parents are split, as long as that gives a release. How far that goes is found by bisection,
        which ends when the time is up.
        """
        order = self._rng.random(self._genome.size)
        places = np.sort(order)
        bits, low, high = self._genome.top(), 0, places.size
        while low < high and not is_over():
            middle = (low + high + 1) // 2
            # The first ``middle`` nodes of the order are split; closing undoes those whose parents
            # are not.
            finer = (order <= places[middle - 1]).astype(np.uint8)
            close(finer, self._genome.parent)
            if self._rank(finer).n_too_many:
                high = middle - 1
            else:
                bits, low = finer, middle
        self.found(bits)

    def bear(self) -> None:
        """Draw two parents, cross them, flip some genes, and take the child in if it is good."""
        genome, chance = self._genome, self._rng.random(7 + 2 * _MOST_FLIPS)
        one, other = (self._members[self._drawn(u)] for u in chance[:2])
        child = breed(one, other, genome.parent, genome.starts, chance[2:6])
        n_flips = _n_flips(float(chance[6]), self._mutation)
        for column, gene in chance[7:].reshape(-1, 2):
            # A child that is known already is flipped on until it is new: no release is judged
            # twice.
            if n_flips <= 0 and self._fitness.recall(child) is None:
                break
            flip(child, genome.parent, genome.starts, column, gene)
            n_flips -= 1
        self._admit(child, self._rank(child))

    def _rank(self, bits: BitArray) -> Rank:
        known = self._fitness.recall(bits)
        if known is None:
            return self._fitness.rank(bits)
        self.n_repeated += 1
        return known

    def _admit(self, bits: BitArray, rank: Rank) -> None:
        if len(self._members) == self._size and rank >= self._ranks[-1]:
            return
        # Of equals the older one stays ahead; the same chromosome is not taken in twice.
        place = bisect_right(self._ranks, rank)
        equals = self._members[bisect_left(self._ranks, rank) : place]
        if any(np.array_equal(bits, member) for member in equals):
            return
        self._ranks.insert(place, rank)
        self._members.insert(place, bits)
        del self._ranks[self._size :], self._members[self._size :]

    def _drawn(self, chance: float) -> int:
        """Draw a place in the order, the first most often and the last least."""
        # This inverts the linear rank distribution of the reference: uniform numbers become places.
        root = np.sqrt(_BIAS * _BIAS - 4 * (_BIAS - 1) * chance)
        return int(len(self._members) * (_BIAS - root) / (2 * (_BIAS - 1)))


def _n_flips(chance: float, mutation: float) -> int:
    """Draw how many genes are flipped: one more with a probability of ``mutation`` each time."""
    n = 0
    while n < _MOST_FLIPS and chance < mutation ** (n + 1):
        n += 1
    return n
