"""Searches for a release, one per file."""

from __future__ import annotations

from unlinkable.methods.cuts import (
    HDTDS,
    BottomUpGeneralization,
    ClusterFramework,
    Genetic,
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
    GreedyCell,
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
    "BottomUpGeneralization",
    "ClusterFramework",
    "Datafly",
    "Flash",
    "Genetic",
    "GreedyCell",
    "ImprovedGreedy",
    "Incognito",
    "InfoGainMondrian",
    "LSDMondrian",
    "MinGen",
    "Mondrian",
    "Optimal",
    "Samarati",
    "TopDownDisclosure",
    "TopDownRefinement",
    "TopDownSpecialization",
]
