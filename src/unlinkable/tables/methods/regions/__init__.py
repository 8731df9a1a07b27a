"""Methods that cut the space of quasi-identifying values into regions.

Each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.methods.regions.best import Best as Best
    from unlinkable.tables.methods.regions.greedy_cell import GreedyCell as GreedyCell
    from unlinkable.tables.methods.regions.greedy_personalized import (
        GreedyPersonalized as GreedyPersonalized,
    )
    from unlinkable.tables.methods.regions.infogain_mondrian import InfoGainMondrian as InfoGainMondrian
    from unlinkable.tables.methods.regions.lsd_mondrian import LSDMondrian as LSDMondrian
    from unlinkable.tables.methods.regions.mondrian import Mondrian as Mondrian
    from unlinkable.tables.methods.regions.mpalm import MPALM as MPALM
    from unlinkable.tables.methods.regions.oka import OKA as OKA
    from unlinkable.tables.methods.regions.shared.options import Along as Along
    from unlinkable.tables.methods.regions.shared.options import Combine as Combine
    from unlinkable.tables.methods.regions.shared.options import Direction as Direction
    from unlinkable.tables.methods.regions.shared.options import Labels as Labels
    from unlinkable.tables.methods.regions.shared.options import Split as Split
    from unlinkable.tables.methods.regions.shared.options import Variant as Variant
    from unlinkable.tables.methods.regions.recursive_histogram import (
        RecursiveHistogram as RecursiveHistogram,
    )

_WHERE = {
    "Along": "options",
    "Best": "best",
    "Combine": "options",
    "Direction": "options",
    "GreedyCell": "greedy_cell",
    "GreedyPersonalized": "greedy_personalized",
    "InfoGainMondrian": "infogain_mondrian",
    "LSDMondrian": "lsd_mondrian",
    "Labels": "options",
    "MPALM": "mpalm",
    "Mondrian": "mondrian",
    "OKA": "oka",
    "RecursiveHistogram": "recursive_histogram",
    "Split": "options",
    "Variant": "options",
}
"""The file of each name."""

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
