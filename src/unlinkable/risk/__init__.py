"""How much a table gives away, before anything is done to it and after."""

from __future__ import annotations

from unlinkable.risk.describe import ColumnProfile, Description, describe
from unlinkable.risk.exposure import Exposure, exposure
from unlinkable.risk.quasi_identifier_search import ColumnSet, QuasiIdentifierSearch

__all__ = [
    "ColumnProfile",
    "ColumnSet",
    "Description",
    "Exposure",
    "QuasiIdentifierSearch",
    "describe",
    "exposure",
]
