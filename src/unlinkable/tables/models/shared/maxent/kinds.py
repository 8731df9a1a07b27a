"""Kinds: people, or values, that no statement tells apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.counting import merge_tallies
from unlinkable.tables.groups import Histogram, number_rows
from unlinkable.tables.models.shared.maxent.statements import Condition
from unlinkable.tables.models.shared.original_values_model import columns_of
from unlinkable.tables.taxonomies import read_range
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["Kinds", "having", "meeting"]


@define(eq=False, frozen=True)
class Kinds:
    """Kinds of codes, by what they meet: ``meets[kind[code], k]`` for the k-th thing to meet."""

    kind: CodeArray
    meets: BoolArray

    @classmethod
    def of(cls, met: Sequence[BoolArray], n_codes: int) -> Self:
        """Put codes together that meet the same things."""
        each = np.column_stack(met) if met else np.zeros((n_codes, 0), bool)
        kind, first = number_rows(each.astype(np.int32))
        return cls(kind, each[first])

    def tally(self, counted: Histogram) -> tuple[CountArray, CodeArray, CountArray]:
        """Count the kinds in every group."""
        return merge_tallies(
            counted.indptr,
            self.kind[counted.values],
            counted.counts,
            np.arange(counted.n_groups, dtype=np.int32),
            counted.n_groups,
            len(self.meets),
        )


def meeting(people: Histogram, quasi: Columns, condition: Condition) -> BoolArray:
    """Mark the codes of people who meet a condition."""
    met = np.ones(people.n_values, bool)
    for name, text in condition:
        taxonomy, codes = columns_of(people)[quasi.index(name)]
        lo, hi = read_range(taxonomy, text, name)
        met &= (lo <= codes) & (codes < hi)
    return met


def having(hidden: Histogram, sensitive: str, value: str | None) -> BoolArray:
    """Mark the codes that a value, label, interval or set stands for."""
    assert hidden.taxonomy is not None
    lo, hi = read_range(hidden.taxonomy, value, sensitive)
    codes = np.arange(hidden.n_values)
    had: BoolArray = (lo <= codes) & (codes < hi)
    return had
