"""Counts of combinations that nobody listed beforehand: only frequent ones are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unlinkable.noise import Budget, Purse, keep_frequent, least_threshold
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.methods.noisy.shared.cells import Cells, binned_cells, listed_cells
from unlinkable.tables.methods.noisy.shared.listed import published
from unlinkable.tables.methods.noisy.shared.marginals import Axes
from unlinkable.tables.methods.noisy.shared.noisy_method import NoisyMethod
from unlinkable.typing import CodeArray, CountArray

__all__ = ["tell_frequent"]


def tell_frequent(
    method: NoisyMethod, table: Table, budget: Budget, marginals: Sequence[Axes]
) -> MaskedRecords:
    """Tell the combinations of each marginal that have enough people, with noise.

    Every marginal costs the same share of epsilon and delta. Rows are in the order of their texts:
    the order of codes would tell which other values there are.

    Raises
    ------
    InfeasibleError
        If there is no delta.
    """
    epsilon, delta = budget.epsilon / len(marginals), budget.delta / len(marginals)
    threshold = least_threshold(epsilon, delta)
    cells = [_cells(method, table, name) for name in method.columns or ()]
    purse = Purse(budget)
    rows: list[list[CodeArray | None]] = []
    counts: list[CountArray] = []
    for axes in marginals:
        codes = np.stack([cells[a].codes for a in axes], axis=1)
        found, numbers = np.unique(codes, axis=0, return_counts=True)
        what = f"frequent counts by {', '.join(cells[a].name for a in axes)}"
        where, noisy, event = keep_frequent(
            numbers.astype(np.int64), epsilon=epsilon, threshold=threshold, what=what
        )
        purse.spend(event)
        texts = [_texts(cells, axes, combination) for combination in found[where]]
        order = sorted(range(len(where)), key=texts.__getitem__)
        told = found[where[order]]
        of_marginal: list[CodeArray | None] = [None] * len(cells)
        for j, axis in enumerate(axes):
            of_marginal[axis] = told[:, j]
        rows.append(of_marginal)
        counts.append(noisy[order])
    frame, column = published(cells, rows, counts)
    return MaskedRecords(
        frame,
        None,
        counts=column,
        ledger=purse.ledger,
        told={"threshold": threshold},
        effort={"cells": frame.height, "rounds": 0},
    )


def _cells(method: NoisyMethod, table: Table, name: str) -> Cells:
    bins = next((b[1:] for b in method.bins if b[0] == name), None)
    if bins is not None:
        return binned_cells(table, name, bins, may_miss=True)
    level = dict(method.levels).get(name, 0)
    return listed_cells(table, name, level=level, may_miss=True)


def _texts(cells: Sequence[Cells], axes: Axes, codes: CodeArray) -> list[Any]:
    shown = (cells[a].texts[c] for a, c in zip(axes, codes.tolist(), strict=True))
    return [(text is None, text or "") for text in shown]
