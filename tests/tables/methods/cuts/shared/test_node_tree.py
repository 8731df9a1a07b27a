"""The nodes of a taxonomy, numbered."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.strategies import trees
from tests.tables.groups.plain import taxonomy_of
from tests.witness import tree as witness
from unlinkable.tables.methods.cuts.shared.node_tree import Tree
from unlinkable.tables.operations.shared.nodes import children
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Flat


@given(trees())
def test_nodes_are_the_distinct_ranges_and_each_is_under_its_parent(drawn: witness.Tree) -> None:
    taxonomy = taxonomy_of(drawn)
    tree = Tree.of(taxonomy)
    ranges = list(zip(tree.lo.tolist(), tree.hi.tolist(), strict=True))
    expected = {
        (int(lo), int(hi))
        for level in taxonomy.levels
        for lo, hi in zip(level.lo, level.hi, strict=True)
    }
    assert set(ranges) == expected
    assert len(ranges) == len(expected)
    for node, own in enumerate(ranges):
        below = [ranges[child] for child in tree.children(node)]
        assert below == children(taxonomy, own)
        assert all(tree.parent[child] == node for child in tree.children(node))
    assert (tree.parent[1:] < np.arange(1, len(tree))).all()


@given(trees())
def test_every_code_has_a_leaf(drawn: witness.Tree) -> None:
    tree = Tree.of(taxonomy_of(drawn))
    assert tree.lo[tree.leaf_of].tolist() == list(range(tree.hi[0]))
    assert tree.is_leaf[tree.leaf_of].all()
    assert int(tree.is_leaf.sum()) == tree.hi[0]


def test_a_single_value_is_its_own_root() -> None:
    tree = Tree.of(Flat().build(observe("job", ["cook"])))
    assert len(tree) == 1
    assert tree.children(0).size == 0
    assert tree.is_leaf.tolist() == [True]
