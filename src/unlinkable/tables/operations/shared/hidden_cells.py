"""Hiding cells: a value is told, or ``*`` is."""

from __future__ import annotations

import numpy as np

from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.operations.base.scheme import columns_that
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["hide", "neither_shown_nor_hidden"]


def hide(recoding: Recoding, j: int, records: BoolArray) -> Recoding:
    """Show ``*`` in these records on a column."""
    lo = np.where(records, 0, recoding.lo[:, j])
    return recoding.show(j, lo, np.where(records, recoding.taxonomies[j].n, recoding.hi[:, j]))


def neither_shown_nor_hidden(recoding: Recoding) -> list[str]:
    """Say which columns show something between a value and ``*``."""
    said = "shows values that are neither as they were nor hidden"
    return columns_that(recoding, _are_shown_or_hidden, said)


def _are_shown_or_hidden(
    taxonomy: Taxonomy, codes: CodeArray, lo: CodeArray, hi: CodeArray
) -> bool:
    is_shown, is_hidden = (lo == codes) & (hi == codes + 1), (lo == 0) & (hi == taxonomy.n)
    return bool((is_shown | is_hidden).all())
