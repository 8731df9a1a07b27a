"""Methods that choose a cut through every taxonomy: subtree generalization and suppression."""

from __future__ import annotations

from unlinkable.methods.cuts.bottom_up_generalization import BottomUpGeneralization
from unlinkable.methods.cuts.cluster_framework import ClusterFramework
from unlinkable.methods.cuts.genetic import Genetic
from unlinkable.methods.cuts.hdtds import HDTDS
from unlinkable.methods.cuts.k_optimize import KOptimize
from unlinkable.methods.cuts.l_plus_optimize import LPlusOptimize
from unlinkable.methods.cuts.mu_argus import MuArgus
from unlinkable.methods.cuts.top_down_disclosure import TopDownDisclosure
from unlinkable.methods.cuts.top_down_refinement import TopDownRefinement
from unlinkable.methods.cuts.top_down_specialization import TopDownSpecialization

__all__ = [
    "HDTDS",
    "BottomUpGeneralization",
    "ClusterFramework",
    "Genetic",
    "KOptimize",
    "LPlusOptimize",
    "MuArgus",
    "TopDownDisclosure",
    "TopDownRefinement",
    "TopDownSpecialization",
]
