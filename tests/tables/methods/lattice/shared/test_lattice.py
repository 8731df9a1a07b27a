"""The lattice of levels: the literature's figures and counts."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from unlinkable.tables.methods.lattice.shared.lattice import Lattice, Node, is_below

heights = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple)


def named(node: Node) -> str:
    return f"Z{node[0]}A{node[1]}"


def test_figure_20_3() -> None:
    case = load("aggarwal-lattice-fig20-3")
    lattice = Lattice((3, 3))
    nodes = list(lattice.nodes())
    edges = {(named(v), named(up)) for v in nodes for up in lattice.generalizations(v)}
    assert lattice.n_nodes == len(nodes) == case["expected"]["node_count"]
    assert edges == {tuple(edge) for edge in case["expected"]["edges"]}
    assert {named(v): sum(v) for v in nodes} == case["expected"]["height"]
    by_height = [[named(v) for v in lattice.at_height(h)] for h in range(len(lattice.widths))]
    assert by_height == case["expected"]["levels"]


@pytest.mark.parametrize("name", ["adult", "cups"])
def test_sizes_of_the_thesis(name: str) -> None:
    case = load("babu-lattice-size")
    expected = case["expected"][name]
    lattice = Lattice(tuple(case["input"][f"{name}_heights"].values()))
    assert lattice.n_nodes == expected["nodes"]
    assert lattice.widths == expected["per_level"]
    assert sum(lattice.heights) == expected["h_max"]
    assert max(lattice.widths) == expected["middle_level_nodes"]


def test_the_widest_height_of_equal_taxonomies() -> None:
    case = load("babu-lattice-size")
    for (h, r), expected in zip(
        case["input"]["equal_heights"], case["expected"]["equal_heights"], strict=True
    ):
        widths = Lattice((h,) * r).widths
        assert widths[h * r // 2] == max(widths) == expected["central"]


@given(heights)
def test_heights_split_the_nodes(heights: tuple[int, ...]) -> None:
    lattice = Lattice(heights)
    nodes = list(lattice.nodes())
    counts = Counter(map(sum, nodes))
    assert len(nodes) == lattice.n_nodes == math.prod(h + 1 for h in heights)
    assert lattice.widths == [counts[h] for h in range(sum(heights) + 1)]
    for h in range(sum(heights) + 2):
        assert list(lattice.at_height(h)) == [v for v in nodes if sum(v) == h]


@given(heights, st.data())
def test_nodes_between_two_are_above_one_and_below_the_other(
    heights: tuple[int, ...], data: st.DataObject
) -> None:
    lattice = Lattice(heights)
    nodes = list(lattice.nodes())
    low = data.draw(st.sampled_from(nodes))
    high = data.draw(st.sampled_from([v for v in nodes if is_below(low, v)]))
    for steps in range(sum(high) - sum(low) + 2):
        assert list(lattice.between(low, high, steps)) == [
            v
            for v in nodes
            if is_below(low, v) and is_below(v, high) and sum(v) == sum(low) + steps
        ]


@given(heights, st.data())
def test_steps_up_and_down_are_each_others_inverse(
    heights: tuple[int, ...], data: st.DataObject
) -> None:
    lattice = Lattice(heights)
    node = data.draw(st.sampled_from(list(lattice.nodes())))
    for up in lattice.generalizations(node):
        assert node in lattice.specializations(up)
        assert is_below(node, up)
        assert not is_below(up, node)
    for down in lattice.specializations(node):
        assert node in lattice.generalizations(down)
    assert is_below(lattice.bottom, node)
    assert is_below(node, lattice.top)
