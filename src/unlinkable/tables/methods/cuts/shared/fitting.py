"""Fitting: whether every column of a proposal was recoded as required."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import evolve

from unlinkable.tables.methods.cuts.shared.column_refinement import (
    AlongTree,
    ByValues,
    ColumnRefinement,
)
from unlinkable.tables.operations import SubtreeGeneralization, ValueSuppression
from unlinkable.tables.operations.base import Recoding
from unlinkable.tables.taxonomies import Taxonomy

__all__ = ["misfits_by_column"]


def misfits_by_column(
    recoding: Recoding, refinement_of: Callable[[Taxonomy], type[ColumnRefinement]]
) -> list[str]:
    """List the columns that were not recoded as their taxonomies require.

    Trees are cut; intervals are disjoint and contain no missing beside other values; and suppressed
    values are published nowhere.
    """
    refinements = [refinement_of(taxonomy) for taxonomy in recoding.taxonomies]
    trees, values = (
        [j for j, w in enumerate(refinements) if w is kind] for kind in (AlongTree, ByValues)
    )
    found = SubtreeGeneralization.flaws(_only(recoding, trees))
    found += ValueSuppression.flaws(_only(recoding, values))
    for j in sorted({*range(len(refinements))} - {*trees, *values}):
        found += _not_intervals(recoding, j)
    return found


def _only(recoding: Recoding, columns: Sequence[int]) -> Recoding:
    at = list(columns)
    return evolve(
        recoding,
        columns=tuple(recoding.columns[j] for j in at),
        taxonomies=tuple(recoding.taxonomies[j] for j in at),
        codes=recoding.codes[:, at],
        lo=recoding.lo[:, at],
        hi=recoding.hi[:, at],
    )


def _not_intervals(recoding: Recoding, j: int) -> list[str]:
    name, (lo, hi) = recoding.columns[j], recoding.ranges(j)
    found = []
    order = np.argsort(lo)
    if (lo[order][1:] < hi[order][:-1]).any():
        found.append(f"{name!r} shows intervals that overlap")
    mixed = recoding.taxonomies[j].mixes_missing(lo, hi)
    if (mixed & (lo > 0)).any():
        found.append(f"{name!r} shows intervals with missing values")
    if not recoding.is_function_of_value(j):
        found.append(f"records with the same value of {name!r} show different ones")
    if not _only(recoding, [j]).is_truthful:
        found.append(f"{name!r} shows intervals that do not hold its values")
    return found
