"""Methods that replace values: against the limits that were set."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.measure import Row, best
from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb import RankSwapping
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models.base import All

MILLION = 1_000_000


def rows(large: bool) -> Iterator[Row]:
    """Time the methods, the fast ones first."""
    yield from _rank_swapping()


def _rank_swapping() -> Iterator[Row]:
    """Swap one column of a million records, numbering of its values included."""
    rng = np.random.default_rng(0)
    columns = {
        "whole numbers": rng.normal(50_000, 10_000, MILLION).round().astype(np.int64),
        "all different": rng.normal(50_000, 10_000, MILLION),
    }
    for words, numbers in columns.items():
        seconds, _, masked = best(lambda x=numbers: _swapped(x), 3)  # type: ignore[misc]
        note = f"{masked.effort['swaps']} swaps"
        name = f"rank-swapping(p=5), 1 million records, {words}"
        yield Row(name, seconds, 1.0, 1, 0.5, "limit", note, is_limit=True)


def _swapped(numbers: np.typing.NDArray[np.generic]) -> MaskedRecords:
    # A new table each time: it would remember how its values are numbered.
    return _mask(RankSwapping(5), as_table({"x": numbers}, quasi="x"))


def _mask(method: RecordMethod, table: Table) -> MaskedRecords:
    task = Task((), ILoss(), rng=secure_generator(1))
    return method.mask(table, All([]), task)
