"""Searches for a release, one per file."""

from __future__ import annotations

from unlinkable.methods.lattice import Datafly, Incognito, MinGen, Optimal, Samarati
from unlinkable.methods.regions import Mondrian

__all__ = ["Datafly", "Incognito", "MinGen", "Mondrian", "Optimal", "Samarati"]
