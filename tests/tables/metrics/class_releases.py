"""Releases of tables with a class, from the classes of their distinct records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log2

import numpy as np
from hypothesis import strategies as st

from tests.tables.groups.plain import groups_of
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.taxonomies import Attribute, observe
from unlinkable.tables.taxonomies.builders import Flat

__all__ = ["Drawn", "entropy_of", "releases_with_classes"]


@dataclass(frozen=True)
class Drawn:
    """The class counts of distinct records, and the group of each; -1 if it is left out."""

    rows: list[list[int]]
    labels: list[int]

    @property
    def shown(self) -> Shown:
        """What the metrics see: one attribute, which may show any value or any at all."""
        finest = groups_of(self.rows, column="y")
        names = [f"v{i:02}" for i in range(len(self.rows))]
        attribute = Attribute("q", Flat().build(observe("q", names)))
        n_groups = max(self.labels, default=-1) + 1
        tight = Partition.tight(finest, np.array(self.labels, np.int32), n_groups)
        return Shown.of(tight, (attribute,))

    @property
    def groups(self) -> list[list[int]]:
        """The class counts of each group."""
        return [self.classes(g) for g in sorted(set(self.labels) - {-1})]

    @property
    def whole(self) -> list[int]:
        """The class counts of all records."""
        return [sum(column) for column in zip(*self.rows, strict=True)]

    def classes(self, label: int) -> list[int]:
        """Count the classes of the records with a label."""
        chosen = [row for row, g in zip(self.rows, self.labels, strict=True) if g == label]
        return [sum(row[c] for row in chosen) for c in range(len(self.rows[0]))]

    def relabelled(self, labels: list[int]) -> Drawn:
        """Put the same records into other groups, numbered without gaps."""
        used = sorted(set(labels) - {-1})
        return replace(self, labels=[-1 if g < 0 else used.index(g) for g in labels])

    def merged(self, a: int, b: int) -> Drawn:
        """Put two groups together."""
        return self.relabelled([a if g == b else g for g in self.labels])

    def left_out(self, a: int) -> Drawn:
        """Leave a group out."""
        return self.relabelled([-1 if g == a else g for g in self.labels])

    def raw(self) -> Drawn:
        """Publish all records as they are."""
        return self.relabelled(list(range(len(self.rows))))


def entropy_of(counts: list[int]) -> float:
    """E = - sum p log2 p."""
    return -sum(c / sum(counts) * log2(c / sum(counts)) for c in counts if c)


@st.composite
def releases_with_classes(draw: st.DrawFn, *, all_published: bool = False) -> Drawn:
    """Draw up to six distinct records of up to three classes, in up to four groups."""
    n_classes = draw(st.integers(1, 3))
    row = st.lists(st.integers(0, 4), min_size=n_classes, max_size=n_classes).filter(any)
    rows = draw(st.lists(row, min_size=1, max_size=6))
    label = st.integers(0 if all_published else -1, 3)
    labels = draw(st.lists(label, min_size=len(rows), max_size=len(rows)))
    return Drawn(rows, labels).relabelled(labels)
