"""Attacks: adversaries that try what can be found out from a release.

Each is loaded when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unlinkable.attacks.attribute_linkage import AttributeLinkage as AttributeLinkage
    from unlinkable.attacks.background_knowledge import BackgroundKnowledge as BackgroundKnowledge
    from unlinkable.attacks.classifier import Classifier as Classifier
    from unlinkable.attacks.corruption import Corruption as Corruption
    from unlinkable.attacks.definetti import DeFinetti as DeFinetti
    from unlinkable.attacks.membership import Membership as Membership
    from unlinkable.attacks.minimality import Minimality as Minimality
    from unlinkable.attacks.proximity import Proximity as Proximity
    from unlinkable.attacks.record_linkage import RecordLinkage as RecordLinkage
    from unlinkable.attacks.singling_out import SinglingOut as SinglingOut
    from unlinkable.attacks.skewness import Skewness as Skewness
    from unlinkable.attacks.table_linkage import TableLinkage as TableLinkage

_WHERE = {
    "AttributeLinkage": "attribute_linkage",
    "BackgroundKnowledge": "background_knowledge",
    "Classifier": "classifier",
    "Corruption": "corruption",
    "DeFinetti": "definetti",
    "Membership": "membership",
    "Minimality": "minimality",
    "Proximity": "proximity",
    "RecordLinkage": "record_linkage",
    "SinglingOut": "singling_out",
    "Skewness": "skewness",
    "TableLinkage": "table_linkage",
}
"""The file of each attack."""

__all__ = [*_WHERE]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
