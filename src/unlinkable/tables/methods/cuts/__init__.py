"""Methods that choose a cut through every taxonomy: subtree generalization and suppression.

Each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.methods.cuts.bottom_up_generalization import (
        BottomUpGeneralization as BottomUpGeneralization,
    )
    from unlinkable.tables.methods.cuts.cluster_framework import ClusterFramework as ClusterFramework
    from unlinkable.tables.methods.cuts.genetic import Genetic as Genetic
    from unlinkable.tables.methods.cuts.hdtds import HDTDS as HDTDS
    from unlinkable.tables.methods.cuts.k_optimize import KOptimize as KOptimize
    from unlinkable.tables.methods.cuts.l_plus_optimize import LPlusOptimize as LPlusOptimize
    from unlinkable.tables.methods.cuts.mu_argus import MuArgus as MuArgus
    from unlinkable.tables.methods.cuts.top_down_disclosure import TopDownDisclosure as TopDownDisclosure
    from unlinkable.tables.methods.cuts.top_down_refinement import TopDownRefinement as TopDownRefinement
    from unlinkable.tables.methods.cuts.top_down_specialization import (
        TopDownSpecialization as TopDownSpecialization,
    )

_WHERE = {
    "BottomUpGeneralization": "bottom_up_generalization",
    "ClusterFramework": "cluster_framework",
    "Genetic": "genetic",
    "HDTDS": "hdtds",
    "KOptimize": "k_optimize",
    "LPlusOptimize": "l_plus_optimize",
    "MuArgus": "mu_argus",
    "TopDownDisclosure": "top_down_disclosure",
    "TopDownRefinement": "top_down_refinement",
    "TopDownSpecialization": "top_down_specialization",
}
"""The file of each name."""

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
