"""Attacks: adversaries that try what can be found out from a release.

Each is loaded when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.attacks.grouped.attribute_linkage import AttributeLinkage as AttributeLinkage
    from unlinkable.tables.attacks.grouped.corruption import Corruption as Corruption
    from unlinkable.tables.attacks.grouped.proximity import Proximity as Proximity
    from unlinkable.tables.attacks.grouped.skewness import Skewness as Skewness
    from unlinkable.tables.attacks.grouped.table_linkage import TableLinkage as TableLinkage
    from unlinkable.tables.attacks.learned.classifier import Classifier as Classifier
    from unlinkable.tables.attacks.learned.membership import Membership as Membership
    from unlinkable.tables.attacks.learned.singling_out import SinglingOut as SinglingOut
    from unlinkable.tables.attacks.linking.record_linkage import RecordLinkage as RecordLinkage
    from unlinkable.tables.attacks.minimal.minimality import Minimality as Minimality
    from unlinkable.tables.attacks.series.correspondence import Correspondence as Correspondence
    from unlinkable.tables.attacks.series.critical_absence import CriticalAbsence as CriticalAbsence
    from unlinkable.tables.attacks.series.difference import Difference as Difference
    from unlinkable.tables.attacks.series.intersection import Intersection as Intersection
    from unlinkable.tables.attacks.series.record_tracing import RecordTracing as RecordTracing
    from unlinkable.tables.attacks.series.sequential_join import SequentialJoin as SequentialJoin
    from unlinkable.tables.attacks.series.view_join import ViewJoin as ViewJoin
    from unlinkable.tables.attacks.worlds.background_knowledge import (
        BackgroundKnowledge as BackgroundKnowledge,
    )
    from unlinkable.tables.attacks.worlds.definetti import DeFinetti as DeFinetti

_WHERE = {
    "AttributeLinkage": "grouped.attribute_linkage",
    "BackgroundKnowledge": "worlds.background_knowledge",
    "Classifier": "learned.classifier",
    "Correspondence": "series.correspondence",
    "Corruption": "grouped.corruption",
    "CriticalAbsence": "series.critical_absence",
    "DeFinetti": "worlds.definetti",
    "Difference": "series.difference",
    "Intersection": "series.intersection",
    "Membership": "learned.membership",
    "Minimality": "minimal.minimality",
    "Proximity": "grouped.proximity",
    "RecordLinkage": "linking.record_linkage",
    "RecordTracing": "series.record_tracing",
    "SequentialJoin": "series.sequential_join",
    "SinglingOut": "learned.singling_out",
    "Skewness": "grouped.skewness",
    "TableLinkage": "grouped.table_linkage",
    "ViewJoin": "series.view_join",
}
"""The file of each attack."""

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
