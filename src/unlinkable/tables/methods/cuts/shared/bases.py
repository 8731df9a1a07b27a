"""Bases: sums of records that none of the next chromosomes will distinguish.

The chromosomes of a population become more and more similar. Records that none of them
distinguishes are merged once, and not again for each of them.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from attrs import evolve

from unlinkable.kernels.taxonomy_cuts import BitArray
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.cuts.shared.genome import Genome
from unlinkable.tables.methods.cuts.shared.rows import Rows
from unlinkable.typing import Columns

__all__ = ["Bases"]

_OFTEN = 8
"""Rows are merged for chromosomes that were requested this often."""

_WORTH_IT = 0.75
"""They are used if no more than this share of them is left."""

_NOWHERE = -1
"""In place of a column: a chromosome splits nothing more on any of them."""


class Bases:
    """The rows to start from, for every chromosome.

    Attributes
    ----------
    finest
        The distinct records.
    """

    def __init__(self, finest: Groups, genome: Genome, needs: frozenset[Columns]) -> None:
        self.finest = Rows(finest, [c.gene_of.size for c in genome.columns])
        self._genome = genome
        hidden = {c: h for c, h in finest.histograms.items() if c in needs}
        self._counted = evolve(finest, histograms=hidden)
        self._bounds = np.ones(genome.size, np.uint8)
        self._asked: Counter[int] = Counter()
        self._bases: dict[int, Rows] = {}

    def bound(self, bits: BitArray) -> None:
        """Expect chromosomes that split nothing beyond these bits, or that on one column only."""
        if not np.array_equal(bits, self._bounds):
            self._bounds = bits.copy()
            self._asked.clear()
            self._bases.clear()

    def rows(self, bits: BitArray) -> Rows:
        """Return the smallest set of rows at hand that distinguishes all that a chromosome does."""
        column = self._column_beyond(bits)
        if column is None:
            return self.finest
        if column not in self._bases:
            self._asked[column] += 1
            # Merging costs as much as grouping the finest rows once, so it only pays for a column
            # that is requested often.
            if self._asked[column] < _OFTEN:
                return self.finest
            self._bases[column] = self._added_up(column)
        return self._bases[column]

    def _column_beyond(self, bits: BitArray) -> int | None:
        """Find the only column on which more is split than expected; None if there are several."""
        beyond = np.flatnonzero(bits > self._bounds)
        if not beyond.size:
            return _NOWHERE
        first, last = self._genome.column_of[beyond[[0, -1]]].tolist()
        return int(first) if first == last else None

    def _added_up(self, column: int) -> Rows:
        """Merge the records that the bounds, with all values of a column, do not distinguish."""
        # With all genes of the column set, these rows are fine enough for every chromosome that
        # goes beyond the bounds on this column only.
        bits = np.where(self._genome.column_of == column, 1, self._bounds).astype(np.uint8)
        grouped = self.finest.group(self._genome.cuts(bits))
        if len(grouped) > _WORTH_IT * len(self.finest):
            return self.finest
        counted, n = self._counted, len(grouped)
        keys = counted.keys[grouped.first]
        merged = counted.merge(grouped.labels, n, counted.columns, keys)
        return Rows(merged, np.diff(self.finest.firsts).tolist())
