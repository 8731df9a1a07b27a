"""Attacks: adversaries that try what can be found out from a release.

Each is loaded when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unlinkable.attacks.grouped.attribute_linkage import AttributeLinkage as AttributeLinkage
    from unlinkable.attacks.grouped.corruption import Corruption as Corruption
    from unlinkable.attacks.grouped.proximity import Proximity as Proximity
    from unlinkable.attacks.grouped.skewness import Skewness as Skewness
    from unlinkable.attacks.grouped.table_linkage import TableLinkage as TableLinkage
    from unlinkable.attacks.learned.classifier import Classifier as Classifier
    from unlinkable.attacks.learned.membership import Membership as Membership
    from unlinkable.attacks.learned.singling_out import SinglingOut as SinglingOut
    from unlinkable.attacks.linking.record_linkage import RecordLinkage as RecordLinkage
    from unlinkable.attacks.minimal.minimality import Minimality as Minimality
    from unlinkable.attacks.worlds.background_knowledge import (
        BackgroundKnowledge as BackgroundKnowledge,
    )
    from unlinkable.attacks.worlds.definetti import DeFinetti as DeFinetti

_WHERE = {
    "AttributeLinkage": "grouped.attribute_linkage",
    "BackgroundKnowledge": "worlds.background_knowledge",
    "Classifier": "learned.classifier",
    "Corruption": "grouped.corruption",
    "DeFinetti": "worlds.definetti",
    "Membership": "learned.membership",
    "Minimality": "minimal.minimality",
    "Proximity": "grouped.proximity",
    "RecordLinkage": "linking.record_linkage",
    "SinglingOut": "learned.singling_out",
    "Skewness": "grouped.skewness",
    "TableLinkage": "grouped.table_linkage",
}
"""The file of each attack."""

__all__ = [*_WHERE]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
