"""The lattice as a drawing: marks, shades and lines."""

from __future__ import annotations

from collections import Counter
from html import escape

from unlinkable.studio.contracts import LatticeMap
from unlinkable.studio.pages.exploring.lattice_layout import (
    MARKS,
    Form,
    form_of,
    heights,
    in_words,
    lines,
    shades,
    ways,
)

__all__ = ["counts", "drawn", "node_id", "start_of"]

_WIDE, _HIGH, _MARGIN = 78, 62, 40


def drawn(found: LatticeMap, chosen: int | None = None) -> str:
    """Draw a lattice as HTML; every node can be focused and says what it is."""
    return _diagram(found, chosen) if form_of(found) is Form.DIAGRAM else _strips(found, chosen)


def node_id(index: int) -> str:
    """Name the element of a node."""
    return f"lattice-node-{index}"


def start_of(found: LatticeMap) -> int:
    """Find the node that the tab key leads to: the best one, or the coarsest."""
    for i, node in enumerate(found["nodes"]):
        if node["levels"] == found["best"]:
            return i
    return max(range(len(found["nodes"])), key=lambda i: sum(found["nodes"][i]["levels"]))


def counts(found: LatticeMap) -> list[tuple[str, str, int]]:
    """Count the nodes of every state: its name, its mark, how many."""
    number = Counter(node["state"] for node in found["nodes"])
    return [(state, MARKS[state], number[state]) for state in MARKS if number[state]]


def _attributes(found: LatticeMap, keys: list[dict[str, int]], i: int, start: int) -> str:
    node = found["nodes"][i]
    arrows = " ".join(f'data-{key}="{node_id(to)}"' for key, to in keys[i].items())
    return (
        f'id="{node_id(i)}" data-node="{i}" {arrows} role="button" '
        f'tabindex="{0 if i == start else -1}" aria-label="{escape(in_words(found, node))}"'
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
    layers, shade, keys = heights(found), shades(found), ways(found)
    width = 2 * _MARGIN + _WIDE * max(map(len, layers))
    height = _MARGIN + _HIGH * len(layers)
    at = {
        i: (width / 2 + _WIDE * (k - (len(layer) - 1) / 2), _MARGIN + _HIGH * row)
        for row, layer in enumerate(layers)
        for k, i in enumerate(layer)
    }
    edges = "".join(
        f'<line x1="{at[a][0]:.0f}" y1="{at[a][1]:.0f}" x2="{at[b][0]:.0f}" y2="{at[b][1]:.0f}"/>'
        for a, b in lines(found)
    )
    start = start_of(found)
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
        f"{edges}{nodes}</svg>"
    )


def _short(levels: list[int]) -> str:
    return "·".join(map(str, levels))


def _strips(found: LatticeMap, chosen: int | None) -> str:
    shade, keys, start = shades(found), ways(found), start_of(found)
    rows = []
    for layer in heights(found):
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
