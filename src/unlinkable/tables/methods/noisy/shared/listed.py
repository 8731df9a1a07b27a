"""Counts as a table: a row for each cell, its attributes, and how many people it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unlinkable.tables.data import Frame, frame_of, free_name
from unlinkable.tables.methods.noisy.shared.cells import Cells
from unlinkable.tables.methods.noisy.shared.marginals import Axes
from unlinkable.tables.taxonomies import ANY
from unlinkable.typing import CodeArray

__all__ = ["marginal_rows", "published"]


def marginal_rows(cells: Sequence[Cells], axes: Axes) -> list[CodeArray | None]:
    """Give for every attribute its cell in each row of a marginal; None if it is not of it."""
    shape = tuple(cells[a].n for a in axes)
    at = np.indices(shape, np.int32).reshape(len(axes), -1)
    rows: list[CodeArray | None] = [None] * len(cells)
    for i, axis in enumerate(axes):
        rows[axis] = at[i]
    return rows


def published(
    cells: Sequence[Cells],
    rows: Sequence[Sequence[CodeArray | None]],
    counts: Sequence[NDArray[Any]],
) -> tuple[Frame, str]:
    """Put marginals below each other; also tell the name of the column with the counts."""
    columns: dict[str, Any] = {}
    for i, attribute in enumerate(cells):
        parts = []
        for of_marginal, numbers in zip(rows, counts, strict=True):
            codes = of_marginal[i]
            shown = np.full(len(numbers), ANY, object) if codes is None else attribute.texts[codes]
            parts.append(shown)
        columns[attribute.name] = np.concatenate(parts).tolist()
    name = free_name("count", [c.name for c in cells])
    columns[name] = np.concatenate(list(counts))
    return frame_of(columns), name
