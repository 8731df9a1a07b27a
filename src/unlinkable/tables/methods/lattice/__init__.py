"""Searches that give all values of an attribute the same level of its taxonomy.

They all count their effort in the same words, and the reasons add up to all nodes:

``nodes``
    All nodes of the lattice; for Incognito, of the lattices of all sets of attributes.
``checked``
    Nodes whose groups were put together and judged.
``implied_above``
    Nodes that are releases because they are above one: they were not checked.
``pruned_below``
    Nodes that cannot be releases because they are below one that rules them out.
``pruned_parts``
    Nodes that cannot be releases because they fail on some of their attributes.
``bounded``
    Nodes that cannot lose less than the result.
``unvisited``
    Nodes of which nothing was found out: they are off the way that the search goes.
``groups``
    Groups that were added up to those of other nodes.

Each search is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.methods.lattice.datafly import Datafly as Datafly
    from unlinkable.tables.methods.lattice.flash import Flash as Flash
    from unlinkable.tables.methods.lattice.improved_greedy import ImprovedGreedy as ImprovedGreedy
    from unlinkable.tables.methods.lattice.incognito import Incognito as Incognito
    from unlinkable.tables.methods.lattice.mingen import MinGen as MinGen
    from unlinkable.tables.methods.lattice.ola import OLA as OLA
    from unlinkable.tables.methods.lattice.optimal import Optimal as Optimal
    from unlinkable.tables.methods.lattice.samarati import Samarati as Samarati
    from unlinkable.tables.methods.lattice.spalm import SPALM as SPALM

_WHERE = {
    "Datafly": "datafly",
    "Flash": "flash",
    "ImprovedGreedy": "improved_greedy",
    "Incognito": "incognito",
    "MinGen": "mingen",
    "OLA": "ola",
    "Optimal": "optimal",
    "SPALM": "spalm",
    "Samarati": "samarati",
}
"""The file of each name."""

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
