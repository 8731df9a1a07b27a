"""Partition: which of the finest groups are put together, and what they then show."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.kernels.counting import bounding_boxes, sum_by_label
from unlinkable.tables.groups.groups import Groups, number_rows
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Partition", "nameable"]


@define(eq=False, frozen=True, slots=False)
class Partition:
    """Labels over the finest groups, and the box of codes that each label shows.

    Full-domain, subtree, multidimensional and cell generalization differ only in the boxes they
    may form. A handle is never changed: every verb returns a new one.

    Attributes
    ----------
    finest
        The distinct records with their counts.
    labels
        The part of every finest group; -1 if its records are suppressed.
    lo, hi
        ``[lo[g, j], hi[g, j])`` is what part ``g`` shows on column ``j`` of ``finest.columns``.
    """

    finest: Groups
    labels: CodeArray
    lo: CodeArray
    hi: CodeArray

    @classmethod
    def whole(cls, finest: Groups) -> Self:
        """Put everything together, in the tightest box."""
        return cls.tight(finest, np.zeros(len(finest), np.int32), 1 if len(finest) else 0)

    @classmethod
    def tight(cls, finest: Groups, labels: CodeArray, n_parts: int) -> Self:
        """Give every part the smallest box around its records."""
        lo, hi = bounding_boxes(finest.keys, labels, n_parts)
        return cls(finest, labels, lo, hi)

    @classmethod
    def at_levels(
        cls, finest: Groups, attributes: Sequence[Attribute], levels: Sequence[int]
    ) -> Self:
        """Generalize every column to one level of its taxonomy."""
        chosen = [a.taxonomy.levels[i] for a, i in zip(attributes, levels, strict=True)]
        lo = np.column_stack([level.lo[finest.keys[:, j]] for j, level in enumerate(chosen)])
        hi = np.column_stack([level.hi[finest.keys[:, j]] for j, level in enumerate(chosen)])
        labels, first = number_rows(lo)
        return cls(finest, labels, lo[first], hi[first])

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return len(self.lo)

    @cached_property
    def sizes(self) -> CountArray:
        """Number of records in each part."""
        return sum_by_label(self.finest.sizes, self.labels, self.n_parts)

    @property
    def n_suppressed(self) -> int:
        """Number of records that are left out."""
        return int(self.finest.sizes[self.labels < 0].sum())

    def groups(self) -> Groups:
        """Add up the finest groups of each part. Keys number the distinct ranges of a column."""
        keys = np.empty((self.n_parts, len(self.finest.columns)), np.int32)
        for j in range(keys.shape[1]):
            ranges = np.column_stack([self.lo[:, j], self.hi[:, j]])
            keys[:, j], _ = number_rows(ranges)
        return self.finest.merge(self.labels, self.n_parts, self.finest.columns, keys)

    def suppress(self, parts: BoolArray) -> Self:
        """Leave out the records of the marked parts."""
        number = np.where(parts, -1, np.cumsum(~parts) - 1).astype(np.int32)
        # A label of -1 looks up the last entry.
        labels = np.append(number, np.int32(-1))[self.labels]
        return evolve(self, labels=labels, lo=self.lo[~parts], hi=self.hi[~parts])

    def inhabited(self) -> Self:
        """Forget the parts that hold no records: people of a population are not published."""
        return self if self.sizes.all() else self.suppress(self.sizes == 0)

    def shown_as(self, lo: CodeArray, hi: CodeArray) -> Self:
        """Show other boxes, and put the parts together that then look alike."""
        merged, first = number_rows(np.column_stack([lo, hi]))
        labels = np.append(merged, np.int32(-1))[self.labels]
        return evolve(self, labels=labels, lo=lo[first], hi=hi[first])

    def publishable(self, attributes: Sequence[Attribute], *, in_taxonomy: bool = False) -> Self:
        """Widen boxes to what has a name.

        A box that holds missing beside present values can only show the root; with
        ``in_taxonomy``, every box becomes the least node of the taxonomy that covers it.
        """
        return self.shown_as(*nameable(self.lo, self.hi, attributes, in_taxonomy=in_taxonomy))


def nameable(
    lo: CodeArray, hi: CodeArray, attributes: Sequence[Attribute], *, in_taxonomy: bool = False
) -> tuple[CodeArray, CodeArray]:
    """Widen boxes to what has a name, as `Partition.publishable` does."""
    lo, hi = lo.copy(), hi.copy()
    for j, attribute in enumerate(attributes):
        taxonomy = attribute.taxonomy
        if in_taxonomy:
            lo[:, j], hi[:, j] = taxonomy.widen(lo[:, j], hi[:, j])
        mixed = taxonomy.mixes_missing(lo[:, j], hi[:, j])
        lo[mixed, j], hi[mixed, j] = 0, taxonomy.n
    return lo, hi
