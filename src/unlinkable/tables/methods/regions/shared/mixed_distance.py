"""Mixed distance: how far apart records of numbers and categories are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.local_recoding import MISSING, Points, Priced
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.regions.shared.prices import list_prices, mean_prices
from unlinkable.tables.taxonomies import Attribute, Domain, Kind, Taxonomy
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["MixedDistance"]


@define(eq=False, frozen=True)
class MixedDistance:
    """Rows as points, and what it takes to measure how far they are from clusters of others.

    Numbers and dates are as far apart as their difference, out of the length of the column.
    Categories are as far apart as the level of the least node over them is high, out of the height
    of the taxonomy; a missing value is as far as can be from all others. Each column counts as much
    as it is important.

    Attributes
    ----------
    points
        The rows.
    priced
        How far apart the categories of a range are.
    """

    points: Points
    priced: Priced

    @classmethod
    def of(cls, finest: Groups, attributes: Sequence[Attribute]) -> Self:
        """Measure rows on their columns."""
        kinds = [a.taxonomy.domain.kind for a in attributes]
        numbers = [j for j, kind in enumerate(kinds) if kind is not Kind.CATEGORY]
        categories = [j for j, kind in enumerate(kinds) if kind is Kind.CATEGORY]
        # A comparison ends as soon as it is too far: first come the columns that tell most apart.
        listed = list_prices([attributes[j] for j in categories], _heights, in_taxonomy=True)
        means = mean_prices(finest.keys[:, categories], listed)
        categories = [categories[i] for i in np.argsort(-means, kind="stable")]
        listed = list_prices([attributes[j] for j in categories], _heights, in_taxonomy=True)
        measured = [_normalized(attributes[j].taxonomy.domain)[finest.keys[:, j]] for j in numbers]
        n = len(finest)
        points = Points(
            np.ascontiguousarray(np.column_stack([np.empty((n, 0)), *measured])),
            np.array([attributes[j].importance for j in numbers], float),
            np.ascontiguousarray(finest.keys[:, categories], np.int32),
            finest.sizes,
        )
        return cls(points, Priced(*listed))


def _normalized(domain: Domain) -> FloatArray:
    """Place the values of a column between 0 and 1; the missing one is nowhere."""
    values = domain.as_numbers()
    first, last = (values[0], values[-1]) if values.size else (0.0, 0.0)
    length = last - first
    placed = (values - first) / length if length > 0 else np.zeros(values.size)
    return np.append(placed, MISSING) if domain.has_missing else placed


def _heights(taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
    """Give the level of the least node over each range, out of the height of the taxonomy."""
    levels: FloatArray = taxonomy.cover(lo, hi) / max(taxonomy.height, 1)
    return levels
