"""Searches that give all values of an attribute the same level of its taxonomy."""

from __future__ import annotations

from unlinkable.methods.lattice.datafly import Datafly
from unlinkable.methods.lattice.incognito import Incognito
from unlinkable.methods.lattice.mingen import MinGen
from unlinkable.methods.lattice.optimal import Optimal
from unlinkable.methods.lattice.samarati import Samarati

__all__ = ["Datafly", "Incognito", "MinGen", "Optimal", "Samarati"]
