"""Losses of cells that a table adds up, instead of taking their mean."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from unlinkable.tables.metrics.base.grouped import CellMetric
from unlinkable.tables.metrics.base.shown import Shown

__all__ = ["AddedUp"]


class AddedUp(CellMetric):
    """A loss that is the sum over all cells, by the weights of their records.

    Every cell is multiplied with the importance of its attribute as it was given. A table of twice
    as many records loses twice as much.
    """

    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)

    def scale(self, shown: Shown) -> float:
        """Count all cells, by the weights of their records and attributes."""
        return shown.total_weight * sum(a.importance for a in shown.attributes)

    def value(self, shown: Shown) -> float:
        # Added up before anything is divided, whole units stay whole.
        return float(self.totals(shown) @ np.array([a.importance for a in shown.attributes]))
