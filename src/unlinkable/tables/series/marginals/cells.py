"""Cells: who is counted where, for whoever knows the people that counts are of.

A marginal names nobody. But whoever knows somebody's quasi-identifiers knows in which of its groups
he was counted, as he would in a table, and the counts tell what the group hides.
"""

from __future__ import annotations

import numpy as np
from attrs import evolve

from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.series import Edition
from unlinkable.tables.data import Frame, ranges_together, texts_of
from unlinkable.tables.groups import number_rows
from unlinkable.tables.series.policy import Request
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray

__all__ = ["with_people"]


def with_people(edition: Edition, request: Request) -> Edition:
    """Say who is counted in which row of a marginal; a release of known people stays as it is.

    Values that are counted in wider bins than they have are not told.

    Parameters
    ----------
    edition
        A release, with a row for everybody who is counted.
    request
        The table, which does not change.

    Raises
    ------
    UnsupportedError
        If other people are counted than are in the table.
    """
    if edition.people is not None:
        return edition
    target, table = edition.target, request.table.frame
    sides = [
        _bins(target.frame, table, name, target.taxonomies.get(name))
        for name in target.frame.columns
    ]
    n = len(target)
    both = np.column_stack([np.concatenate(side) for side in sides]).astype(np.int32)
    cells = number_rows(np.ascontiguousarray(both))[0]
    shown, rows = (np.argsort(part, kind="stable") for part in (cells[:n], cells[n:]))
    if not np.array_equal(cells[:n][shown], cells[n:][rows]):
        raise UnsupportedError(
            f"{edition.name} counts other values than the table has, and marginals are of a table "
            "that does not change: begin a new history for the new table"
        )
    whose = np.empty(n, np.int64)
    whose[shown] = rows
    told = tuple(
        name
        for name in target.sensitive
        if texts_of(target.frame, name).equals(texts_of(table[whose], name))
    )
    return evolve(edition, target=evolve(target, sensitive=told), people=request.people[whose])


def _bins(
    shown: Frame, table: Frame, name: str, taxonomy: Taxonomy | None
) -> tuple[CodeArray, CodeArray]:
    """Number the bins that a marginal shows on a column, and find the bin of every record."""
    (lo, hi), (point, _) = ranges_together([shown, table.select(name)], name, [taxonomy])
    pairs = np.unique(np.stack([lo, hi], axis=1), axis=0)
    at = np.searchsorted(pairs[:, 0], point, "right") - 1
    is_held = (at >= 0) & (point < pairs[at, 1])
    number = np.searchsorted(pairs[:, 0], lo)
    return number.astype(np.int32), np.where(is_held, at, len(pairs)).astype(np.int32)
