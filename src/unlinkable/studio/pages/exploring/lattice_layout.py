"""Where the nodes of the lattice go, and what is said of each.

The coarsest node is at the top, the table as it is at the bottom. A small lattice is a diagram with
all its lines. A larger one is a strip of cells for every height, in which marks show the way. Of a
vast one, only the best nodes are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from unlinkable.studio.contracts import LatticeMap, LatticeNode
from unlinkable.studio.pages.said import counted, number

__all__ = [
    "MARKS",
    "Form",
    "best_nodes",
    "form_of",
    "heights",
    "in_words",
    "level_words",
    "lines",
    "shades",
    "ways",
]

MOST_DRAWN = 3000
"""More nodes are not drawn."""

_MOST_IN_DIAGRAM = 90
_WIDEST_DIAGRAM = 13
_SHADES = 5

MARKS = {"valid": "✓", "invalid": "×", "pruned": "·", "unknown": "?"}  # noqa: RUF001
"""What stands in a node, so that nobody has to tell colours apart."""

STATES = {
    "valid": "keeps the promises",
    "invalid": "leaves out too many records",
    "pruned": "ruled out, since a coarser one is already hopeless",
    "unknown": "not decided in time",
}


class Form(StrEnum):
    """How a lattice is shown."""

    DIAGRAM = "diagram"
    STRIPS = "strips"
    LIST = "list"


def form_of(found: LatticeMap) -> Form:
    """Choose how to show a lattice, by its size."""
    nodes = found["nodes"]
    if found["n_nodes"] > MOST_DRAWN or len(nodes) < found["n_nodes"]:
        return Form.LIST
    widest = max((len(layer) for layer in heights(found)), default=0)
    small = len(nodes) <= _MOST_IN_DIAGRAM and widest <= _WIDEST_DIAGRAM
    return Form.DIAGRAM if small else Form.STRIPS


def heights(found: LatticeMap) -> list[list[int]]:
    """Give the numbers of the nodes of every height, the coarsest first.

    Within a height, nodes with the same levels on the first columns stand together.
    """
    layers: list[list[int]] = [[] for _ in range(sum(found["heights"]) + 1)]
    for i, node in enumerate(found["nodes"]):
        layers[sum(node["levels"])].append(i)
    for layer in layers:
        layer.sort(key=lambda i: [-level for level in found["nodes"][i]["levels"]])
    return [layer for layer in reversed(layers) if layer]


def lines(found: LatticeMap) -> list[tuple[int, int]]:
    """Give all pairs of nodes where the first is one level coarser on one column."""
    places = {tuple(node["levels"]): i for i, node in enumerate(found["nodes"])}
    return [
        (places[up], i)
        for i, node in enumerate(found["nodes"])
        for up in _steps(node["levels"], 1)
        if up in places
    ]


def ways(found: LatticeMap) -> list[dict[str, int]]:
    """Tell for every node which one each arrow key leads to.

    Left and right stay on the same height; up and down lead to the neighbour that loses the least,
    or to the one that is nearest in place.
    """
    layers = heights(found)
    places = {tuple(node["levels"]): i for i, node in enumerate(found["nodes"])}
    share = {i: at / len(layer) for layer in layers for at, i in enumerate(layer)}
    keys: list[dict[str, int]] = [{} for _ in found["nodes"]]
    for layer in layers:
        for left, right in pairwise(layer):
            keys[left]["right"], keys[right]["left"] = right, left
    for i, node in enumerate(found["nodes"]):
        for name, by in (("up", 1), ("down", -1)):
            near = [places[step] for step in _steps(node["levels"], by) if step in places]
            if near:
                keys[i][name] = min(near, key=lambda j: (abs(share[j] - share[i]), j))
    return keys


def _steps(levels: Sequence[int], by: int) -> list[tuple[int, ...]]:
    return [(*levels[:j], levels[j] + by, *levels[j + 1 :]) for j in range(len(levels))]


def shades(found: LatticeMap) -> list[int | None]:
    """Give every valid node a shade from 0 (loses the least) to 4 (loses the most)."""
    losses = [node["loss"] for node in found["nodes"]]
    known = [loss for loss in losses if loss is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    width = (high - low) or 1.0
    return [
        None if loss is None else min(int(_SHADES * (loss - low) / width), _SHADES - 1)
        for loss in losses
    ]


def level_words(found: LatticeMap, levels: Sequence[int]) -> str:
    """Name the levels of a node: ``age 3 of 4, sex 0 of 1``."""
    told = zip(found["columns"], levels, found["heights"], strict=True)
    return ", ".join(f"{column} {level} of {height}" for column, level, height in told)


def in_words(found: LatticeMap, node: LatticeNode) -> str:
    """Say all that is known of a node without looking closer."""
    said = f"{level_words(found, node['levels'])}: {STATES[node['state']]}"
    if node["state"] == "valid":
        left_out = counted(node["suppressed"] or 0, "record")
        said += f", loss {number(node['loss'])}, {left_out} left out"
    if node["levels"] == found["best"]:
        said += ". It loses the least of all" + (" that were tried" * (not found["complete"]))
    return f"{said}."


def best_nodes(found: LatticeMap, most: int = 30) -> list[LatticeNode]:
    """Give the valid nodes that lose the least."""
    valid = [node for node in found["nodes"] if node["loss"] is not None]
    return sorted(valid, key=lambda node: (node["loss"] or 0.0, node["levels"]))[:most]
