"""Releases over time: what was published, and how to publish again without undoing it.

Each way to publish again is loaded when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.series.composition.hd_composition import HDComposition as HDComposition
    from unlinkable.tables.series.continuous.continuous import Continuous as Continuous
    from unlinkable.tables.series.history import History as History
    from unlinkable.tables.series.history import Publication as Publication
    from unlinkable.tables.series.incremental.incremental import Incremental as Incremental
    from unlinkable.tables.series.invariance.m_invariance import MInvariance as MInvariance
    from unlinkable.tables.series.ledger import Line as Line
    from unlinkable.tables.series.levels.multi_level_perturbation import (
        MultiLevelPerturbation as MultiLevelPerturbation,
    )
    from unlinkable.tables.series.marginals.marginals import Marginals as Marginals
    from unlinkable.tables.series.sequential.sequential import Sequential as Sequential
    from unlinkable.tables.series.views.multiple_views import MultipleViews as MultipleViews

_WHERE: dict[str, str] = {
    "Continuous": "continuous.continuous",
    "HDComposition": "composition.hd_composition",
    "History": "history",
    "Incremental": "incremental.incremental",
    "Line": "ledger",
    "MInvariance": "invariance.m_invariance",
    "Marginals": "marginals.marginals",
    "MultiLevelPerturbation": "levels.multi_level_perturbation",
    "MultipleViews": "views.multiple_views",
    "Publication": "history",
    "Sequential": "sequential.sequential",
}
"""The file of each way to publish again, and of what they share."""

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
