"""What every promise is made of, and all that a method may know of it."""

from __future__ import annotations

from unlinkable.tables.models.base.binding import bind_all, warn_of
from unlinkable.tables.models.base.conjunction import All
from unlinkable.tables.models.base.joint import Joint
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel, Spelling
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.base.scene import Scene
from unlinkable.tables.models.base.verdict import Basis, Verdict

__all__ = [
    "All",
    "Basis",
    "GroupModel",
    "Joint",
    "Merging",
    "Scene",
    "Spelling",
    "Threat",
    "Verdict",
    "bind_all",
    "warn_of",
]
