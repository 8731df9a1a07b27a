"""What every promise is made of, and all that a method may know of it."""

from __future__ import annotations

from unlinkable.privacy.base.binding import bind_all, warn_of
from unlinkable.privacy.base.conjunction import All
from unlinkable.privacy.base.joint import Joint
from unlinkable.privacy.base.merging import Merging
from unlinkable.privacy.base.model import GroupModel, Spelling
from unlinkable.privacy.base.threat import Threat
from unlinkable.privacy.scene import Scene
from unlinkable.privacy.verdict import Basis, Verdict

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
