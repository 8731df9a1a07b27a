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

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
