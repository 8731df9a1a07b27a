"""What tests of maskings of points have in common."""

from __future__ import annotations

from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models.base import All

__all__ = ["masked_by"]


def masked_by(method: RecordMethod, table: Table, seed: int = 1, *models: object) -> MaskedRecords:
    """Mask a table by chance that is the same for the same seed."""
    task = Task(table.attributes, ILoss(), rng=secure_generator(seed))
    return method.mask(table, All(models), task)  # type: ignore[arg-type]
