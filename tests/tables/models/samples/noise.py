"""Promises that are judged from a ledger."""

from __future__ import annotations

from unlinkable.tables.models import DifferentialPrivacy, DistributionalPrivacy
from unlinkable.tables.models.base import GroupModel

MODELS: list[GroupModel] = [
    DifferentialPrivacy(1),
    DifferentialPrivacy(1, ledger="ledger.json"),
    DifferentialPrivacy(0.5, "1e-6", ledger="ledger.json"),
    DistributionalPrivacy(1, 0.05),
    DistributionalPrivacy(1, 0.05, ledger="ledger.json"),
    DistributionalPrivacy(1, 0.05, ledger="ledger.json", cells=12),
]
