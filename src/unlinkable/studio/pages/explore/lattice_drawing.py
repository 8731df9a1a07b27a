"""The lattice as a drawing: where its nodes go, how they look, and what is said of each.

The coarsest node is at the top, the table as it is at the bottom. A small lattice is a diagram with
all its lines. A larger one is a strip of cells for every height, in which marks show the way. Of a
vast one, only the best nodes are listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from html import escape
from itertools import pairwise

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import LatticeMap, LatticeNode
from unlinkable.studio.pages.formatting import number

__all__ = [
    "MARKS",
    "Form",
    "arrow_keys",
    "best_nodes",
    "draw_lattice",
    "edges",
    "first_focus",
    "form_of",
    "layers_of",
    "level_words",
    "node_id",
    "node_words",
    "shades",
    "state_counts",
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
    "invalid": "suppresses too many records",
    "pruned": "ruled out by a coarser node",
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
    widest = max((len(layer) for layer in layers_of(found)), default=0)
    small = len(nodes) <= _MOST_IN_DIAGRAM and widest <= _WIDEST_DIAGRAM
    return Form.DIAGRAM if small else Form.STRIPS


def layers_of(found: LatticeMap) -> list[list[int]]:
    """Give the numbers of the nodes of every height, the coarsest first.

    Within a height, nodes with the same levels on the first columns stand together.
    """
    layers: list[list[int]] = [[] for _ in range(sum(found["heights"]) + 1)]
    for i, node in enumerate(found["nodes"]):
        layers[sum(node["levels"])].append(i)
    for layer in layers:
        layer.sort(key=lambda i: [-level for level in found["nodes"][i]["levels"]])
    return [layer for layer in reversed(layers) if layer]


def edges(found: LatticeMap) -> list[tuple[int, int]]:
    """Give all pairs of nodes where the first is one level coarser on one column."""
    places = {tuple(node["levels"]): i for i, node in enumerate(found["nodes"])}
    return [
        (places[up], i)
        for i, node in enumerate(found["nodes"])
        for up in _steps(node["levels"], 1)
        if up in places
    ]


def arrow_keys(found: LatticeMap) -> list[dict[str, int]]:
    """Tell for every node which one each arrow key leads to.

    Left and right stay on the same height; up and down lead to the neighbour that loses the least,
    or to the one that is nearest in place.
    """
    layers = layers_of(found)
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


def node_words(found: LatticeMap, node: LatticeNode) -> str:
    """Say all that is known of a node without looking closer."""
    said = f"{level_words(found, node['levels'])}: {STATES[node['state']]}"
    if node["state"] == "valid":
        left_out = quantity(node["suppressed"] or 0, "record")
        said += f", loss {number(node['loss'])}, {left_out} suppressed"
    if node["levels"] == found["best"]:
        said += ". It loses the least of all" + (" that were tried" * (not found["complete"]))
    return f"{said}."


def best_nodes(found: LatticeMap, most: int = 30) -> list[LatticeNode]:
    """Give the valid nodes that lose the least."""
    valid = [node for node in found["nodes"] if node["loss"] is not None]
    return sorted(valid, key=lambda node: (node["loss"] or 0.0, node["levels"]))[:most]


_WIDE, _HIGH, _MARGIN = 78, 62, 40


def draw_lattice(found: LatticeMap, chosen: int | None = None) -> str:
    """Draw a lattice as HTML; every node can be focused and says what it is."""
    return _diagram(found, chosen) if form_of(found) is Form.DIAGRAM else _strips(found, chosen)


def node_id(index: int) -> str:
    """Name the element of a node."""
    return f"lattice-node-{index}"


def first_focus(found: LatticeMap) -> int:
    """Find the node that the tab key leads to: the best one, or the coarsest."""
    for i, node in enumerate(found["nodes"]):
        if node["levels"] == found["best"]:
            return i
    return max(range(len(found["nodes"])), key=lambda i: sum(found["nodes"][i]["levels"]))


def state_counts(found: LatticeMap) -> list[tuple[str, str, int]]:
    """Count the nodes of every state: its name, its mark, how many."""
    number = Counter(node["state"] for node in found["nodes"])
    return [(state, MARKS[state], number[state]) for state in MARKS if number[state]]


def _attributes(found: LatticeMap, keys: list[dict[str, int]], i: int, start: int) -> str:
    node = found["nodes"][i]
    arrows = " ".join(f'data-{key}="{node_id(to)}"' for key, to in keys[i].items())
    return (
        f'id="{node_id(i)}" data-node="{i}" {arrows} role="button" '
        f'tabindex="{0 if i == start else -1}" aria-label="{escape(node_words(found, node))}"'
    )


def _classes(found: LatticeMap, shade: int | None, i: int, chosen: int | None) -> str:
    node = found["nodes"][i]
    names = ["node", node["state"]]
    names += [f"shade-{shade}"] if shade is not None else []
    names += ["best"] if node["levels"] == found["best"] else []
    names += ["chosen"] if i == chosen else []
    return " ".join(names)


def _mark(found: LatticeMap, i: int) -> str:
    node = found["nodes"][i]
    return "★" if node["levels"] == found["best"] else MARKS[node["state"]]


def _diagram(found: LatticeMap, chosen: int | None) -> str:
    layers, shade, keys = layers_of(found), shades(found), arrow_keys(found)
    width = 2 * _MARGIN + _WIDE * max(map(len, layers))
    height = _MARGIN + _HIGH * len(layers)
    at = {
        i: (width / 2 + _WIDE * (k - (len(layer) - 1) / 2), _MARGIN + _HIGH * row)
        for row, layer in enumerate(layers)
        for k, i in enumerate(layer)
    }
    drawn_edges = "".join(
        f'<line x1="{at[a][0]:.0f}" y1="{at[a][1]:.0f}" x2="{at[b][0]:.0f}" y2="{at[b][1]:.0f}"/>'
        for a, b in edges(found)
    )
    start = first_focus(found)
    nodes = "".join(
        f'<g class="{_classes(found, shade[i], i, chosen)}" '
        f'transform="translate({at[i][0]:.0f} {at[i][1]:.0f})" '
        f"{_attributes(found, keys, i, start)}>"
        f'<rect x="-33" y="-17" width="66" height="34" rx="9"/>'
        f'<text y="-3">{_mark(found, i)}</text>'
        f'<text y="11" class="levels">{_short(found["nodes"][i]["levels"])}</text></g>'
        for layer in layers
        for i in layer
    )
    return (
        f'<svg class="lattice-diagram" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="group" aria-label="All combinations of levels">'
        f"{drawn_edges}{nodes}</svg>"
    )


def _short(levels: list[int]) -> str:
    return "·".join(map(str, levels))


def _strips(found: LatticeMap, chosen: int | None) -> str:
    shade, keys, start = shades(found), arrow_keys(found), first_focus(found)
    rows = []
    for layer in layers_of(found):
        height = sum(found["nodes"][layer[0]]["levels"])
        cells = "".join(
            f'<span class="{_classes(found, shade[i], i, chosen)}" '
            f"{_attributes(found, keys, i, start)}>{_mark(found, i)}</span>"
            for i in layer
        )
        is_quiet = all(found["nodes"][i]["state"] == "pruned" for i in layer)
        rows.append(
            f'<div class="strip{" quiet" if is_quiet else ""}">'
            f'<span class="height" aria-hidden="true">{height}</span>'
            f'<div class="cells">{cells}</div></div>'
        )
    return (
        '<div class="lattice-strips" role="group" aria-label="All combinations of levels">'
        f"{''.join(rows)}</div>"
    )
