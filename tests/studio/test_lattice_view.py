"""The lattice as a drawing: layers, ways of the keys, marks, words, and what is drawn when."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.studio.contracts import LatticeMap, LatticeNode
from unlinkable.studio.pages.explore.lattice_drawing import (
    Form,
    arrow_keys,
    best_nodes,
    draw_lattice,
    edges,
    first_focus,
    form_of,
    layers_of,
    node_words,
    shades,
    state_counts,
)


def lattice(*tops: int, columns: list[str] | None = None) -> LatticeMap:
    """A lattice whose nodes are valid from half of the height on; coarser ones lose more."""
    nodes: list[LatticeNode] = []
    for levels in product(*(range(top + 1) for top in tops)):
        total = sum(levels)
        is_valid = 2 * total >= sum(tops)
        state = "valid" if is_valid else "invalid" if 2 * total + 2 >= sum(tops) else "pruned"
        nodes.append(
            {
                "levels": list(levels),
                "state": state,
                "loss": total / sum(tops) if is_valid else None,
                "suppressed": 3 if is_valid else None,
                "groups": 9 if is_valid else None,
            }
        )
    valid = [node for node in nodes if node["loss"] is not None]
    return {
        "columns": columns or [f"c{i}" for i in range(len(tops))],
        "heights": list(tops),
        "nodes": nodes,
        "n_nodes": len(nodes),
        "best": min(valid, key=lambda node: node["loss"] or 0.0)["levels"],
        "metric": "iloss",
        "records": 100,
        "limit": 5,
        "complete": True,
    }


SHAPES = st.lists(st.integers(1, 3), min_size=1, max_size=4)


@given(SHAPES)
def test_every_node_is_in_the_layer_of_its_height(tops: list[int]) -> None:
    found = lattice(*tops)
    layers = layers_of(found)
    assert sorted(i for layer in layers for i in layer) == list(range(len(found["nodes"])))
    told = [{sum(found["nodes"][i]["levels"]) for i in layer} for layer in layers]
    assert told == [{height} for height in range(sum(tops), -1, -1)]


@given(SHAPES)
def test_lines_join_nodes_that_differ_by_one_level_on_one_column(tops: list[int]) -> None:
    found = lattice(*tops)
    nodes = [node["levels"] for node in found["nodes"]]
    by_definition = {
        (a, b)
        for a, above in enumerate(nodes)
        for b, below in enumerate(nodes)
        if sum(x != y for x, y in zip(above, below, strict=True)) == 1
        and sum(above) == sum(below) + 1
    }
    assert set(edges(found)) == by_definition
    assert len(edges(found)) == len(by_definition)


@given(SHAPES)
def test_the_keys_lead_along_lines_and_layers_and_back(tops: list[int]) -> None:
    found = lattice(*tops)
    keys, joined = arrow_keys(found), set(edges(found))
    for i, way in enumerate(keys):
        if "up" in way:
            assert (way["up"], i) in joined
        if "down" in way:
            assert (i, way["down"]) in joined
        if "right" in way:
            assert keys[way["right"]]["left"] == i
    tops_levels = [found["heights"]]
    alone = [
        node["levels"] for node, way in zip(found["nodes"], keys, strict=True) if "up" not in way
    ]
    assert alone == tops_levels


def test_shades_go_from_the_least_loss_to_the_most() -> None:
    found = lattice(2, 2)
    told = {tuple(n["levels"]): s for n, s in zip(found["nodes"], shades(found), strict=True)}
    assert told[(1, 1)] == 0
    assert told[(2, 2)] == 4
    assert told[(0, 0)] is None


@pytest.mark.parametrize(
    ("tops", "form"),
    [((2, 3), Form.DIAGRAM), ((3, 3, 3, 2), Form.STRIPS), ((7, 7, 7, 7), Form.LIST)],
)
def test_the_size_decides_how_it_is_shown(tops: tuple[int, ...], form: Form) -> None:
    assert form_of(lattice(*tops)) is form


def test_a_lattice_of_which_only_some_nodes_are_told_is_a_list() -> None:
    found = lattice(2, 2)
    found["nodes"] = best_nodes(found, 3)
    assert form_of(found) is Form.LIST
    assert [node["loss"] for node in best_nodes(found)] == sorted(
        node["loss"] or 0.0 for node in found["nodes"]
    )


@pytest.mark.parametrize("tops", [(2, 3), (3, 3, 3, 2), (5, 5, 5, 5, 1)])
def test_every_node_is_drawn_once_with_mark_and_words_and_one_can_be_tabbed_to(
    tops: tuple[int, ...],
) -> None:
    found = lattice(*tops)
    html = draw_lattice(found)
    n = len(found["nodes"])
    assert sorted(map(int, re.findall(r'data-node="(\d+)"', html))) == list(range(n))
    assert html.count('role="button"') == html.count("aria-label=") - 1 == n
    assert re.findall(r'data-node="(\d+)"[^>]*tabindex="0"', html) == [str(first_focus(found))]
    assert html.count("★") == 1
    assert html.count("×") == sum(node["state"] == "invalid" for node in found["nodes"])  # noqa: RUF001


def test_names_of_columns_cannot_become_part_of_the_page() -> None:
    html = draw_lattice(lattice(1, 1, columns=['"><script>', "b"]))
    assert "<script>" not in html
    assert "&quot;&gt;&lt;script&gt;" in html


def test_a_node_is_told_in_words() -> None:
    found = lattice(2, 2, columns=["age", "zip"])
    by_levels = {tuple(node["levels"]): node for node in found["nodes"]}
    assert node_words(found, by_levels[0, 2]) == (
        "age 0 of 2, zip 2 of 2: keeps the promises, loss 0.5, 3 records suppressed. "
        "It loses the least of all."
    )
    assert node_words(found, by_levels[0, 0]) == (
        "age 0 of 2, zip 0 of 2: ruled out by a coarser node."
    )


def test_states_are_counted_for_the_legend() -> None:
    assert state_counts(lattice(2, 2)) == [
        ("valid", "✓", 6),
        ("invalid", "×", 2),  # noqa: RUF001
        ("pruned", "·", 1),
    ]
