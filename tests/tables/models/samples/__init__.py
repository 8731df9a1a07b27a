"""Models to try all contracts on, a file for every family.

A model that belongs to none has them in its own test file (`tests.tables.models.declared`). Each
file gives ``MODELS`` (promises about the quasi-identifier ``q0``, ``q1``, ... and the
sensitive column ``s0`` of random tables, bound and ready to judge), ``DO_NOT_ABSORB`` (for models
that do not claim to absorb: groups of which the first is good and all together are not) and
``ARE_NOT_SAFE`` (for models that claim nothing: groups that are good and together are not). Models
that need other values than the texts of random tables have in ``COUNTED`` how such a table is
counted for them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from tests.strategies import RandomTable
from tests.tables.models.declared import declaring
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base import GroupModel

__all__ = ["ARE_NOT_SAFE", "COUNTED", "DO_NOT_ABSORB", "MODELS", "Counterexample"]

Counterexample = tuple[GroupModel, Groups]
Counting = dict[type[GroupModel], Callable[[RandomTable], Groups]]

_FAMILIES = [
    import_module(f"{__name__}.{file.stem}")
    for file in sorted(Path(__file__).parent.glob("[!_]*.py"))
]
_FAMILIES += declaring()

MODELS: list[GroupModel] = [model for family in _FAMILIES for model in family.MODELS]

DO_NOT_ABSORB = [
    pair
    for family in _FAMILIES
    for pair in cast("list[Counterexample]", getattr(family, "DO_NOT_ABSORB", []))
]

ARE_NOT_SAFE = [
    pair
    for family in _FAMILIES
    for pair in cast("list[Counterexample]", getattr(family, "ARE_NOT_SAFE", []))
]

COUNTED: Counting = {}
for _family in _FAMILIES:
    COUNTED |= cast("Counting", getattr(_family, "COUNTED", {}))
