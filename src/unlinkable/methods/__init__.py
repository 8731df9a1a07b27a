"""Searches for a release, one per file."""

from __future__ import annotations

from unlinkable.methods.cuts import (
    HDTDS,
    BottomUpGeneralization,
    ClusterFramework,
    Genetic,
    KOptimize,
    LPlusOptimize,
    MuArgus,
    TopDownDisclosure,
    TopDownRefinement,
    TopDownSpecialization,
)
from unlinkable.methods.lattice import (
    OLA,
    SPALM,
    Datafly,
    Flash,
    ImprovedGreedy,
    Incognito,
    MinGen,
    Optimal,
    Samarati,
)
from unlinkable.methods.regions import (
    MPALM,
    OKA,
    Best,
    GreedyCell,
    GreedyPersonalized,
    InfoGainMondrian,
    LSDMondrian,
    Mondrian,
)

__all__ = [
    "HDTDS",
    "MPALM",
    "OKA",
    "OLA",
    "SPALM",
    "Best",
    "BottomUpGeneralization",
    "ClusterFramework",
    "Datafly",
    "Flash",
    "Genetic",
    "GreedyCell",
    "GreedyPersonalized",
    "ImprovedGreedy",
    "Incognito",
    "InfoGainMondrian",
    "KOptimize",
    "LPlusOptimize",
    "LSDMondrian",
    "MinGen",
    "Mondrian",
    "MuArgus",
    "Optimal",
    "Samarati",
    "TopDownDisclosure",
    "TopDownRefinement",
    "TopDownSpecialization",
]
