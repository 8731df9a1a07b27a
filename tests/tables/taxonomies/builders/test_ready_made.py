"""NodeValues: nodes become values, and everything can be read as before."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pytest
from hypothesis import given

from tests.strategies import trees
from tests.tables.groups.plain import taxonomy_of
from tests.witness.tree import Tree as PlainTree
from unlinkable.errors import TaxonomyError
from unlinkable.tables.taxonomies import Kind, observe
from unlinkable.tables.taxonomies.builders import Flat, Tree
from unlinkable.tables.taxonomies.builders.ready_made import NodeValues, with_nodes
from unlinkable.tables.taxonomies.domain import Domain
from unlinkable.tables.taxonomies.published_values import read_range, write_ranges
from unlinkable.tables.taxonomies.taxonomy import Level, Taxonomy

ILLS = Tree({"infection": {"virus": ["hiv", "sars"]}, "injury": {"skin": ["burn", "cut"]}})


def nodes_of(taxonomy: Taxonomy) -> set[tuple[int, int]]:
    return {
        (int(lo), int(hi))
        for level in taxonomy.levels
        for lo, hi in zip(level.starts[:-1], level.starts[1:], strict=True)
    }


def with_missing(tree: PlainTree) -> PlainTree:
    paths: dict[Hashable, tuple[Hashable, ...]] = {**tree.paths}
    return PlainTree({**paths, None: (None,) * tree.height + ("*",)})


def means(noded: Taxonomy, text: str) -> set[str]:
    """Give the original values that a text stands for."""
    lo, hi = read_range(noded, text)
    return {noded.domain.text(code) for code in range(lo, hi)}


@pytest.mark.parametrize("misses", [False, True])
@given(tree=trees())
def test_every_node_is_a_value_that_means_what_is_under_it(tree: PlainTree, misses: bool) -> None:
    taxonomy = taxonomy_of(with_missing(tree) if misses else tree)
    noded = with_nodes(taxonomy)
    values = {taxonomy.domain.text(code) for code in range(taxonomy.n)}
    for lo, hi in nodes_of(taxonomy):
        text = write_ranges(taxonomy, np.array([lo]), np.array([hi]))[0]
        if text is None:
            continue
        assert noded.domain.code_of(text) >= 0
        under = {taxonomy.domain.text(code) for code in range(lo, hi)}
        assert means(noded, text) & values == under
        if hi - lo > 1:
            assert noded.domain.text(noded.domain.code_of(text)) in means(noded, text)


@pytest.mark.parametrize("misses", [False, True])
@given(tree=trees())
def test_it_is_a_taxonomy(tree: PlainTree, misses: bool) -> None:
    taxonomy = taxonomy_of(with_missing(tree) if misses else tree)
    noded = with_nodes(taxonomy)
    assert noded.height == taxonomy.height
    assert noded.domain.has_missing == misses
    assert len({*noded.domain.values.tolist()}) == noded.domain.n_present
    for below, level in zip(noded.levels, noded.levels[1:], strict=False):
        assert (np.diff(level.blocks) >= 0).all()
        assert (np.diff(level.blocks) <= 1).all()
        # What is together on a level stays together above it.
        assert (np.diff(below.blocks)[np.diff(level.blocks) > 0] > 0).all()
        assert level.labels is not None
        assert len(level.labels) == level.n_nodes
    if misses:
        for level in noded.levels[:-1]:
            assert (level.blocks == level.blocks[-1]).sum() == 1


@given(trees())
def test_labels_stand_for_what_they_stood_for(tree: PlainTree) -> None:
    taxonomy = taxonomy_of(tree)
    noded = with_nodes(taxonomy)
    values = {*map(str, taxonomy.domain.values)}
    for label in [*taxonomy.named, taxonomy.root]:
        lo, hi = read_range(taxonomy, label)
        under = {taxonomy.domain.text(code) for code in range(lo, hi)}
        assert means(noded, label) & values == under


def test_nodes_of_a_level_without_labels_are_sets() -> None:
    values = Flat().build(observe("ill", ["a", "b", "c", "d"]))
    pairs = Level(np.array([0, 0, 1, 2], np.int32))
    taxonomy = Taxonomy(values.domain, (values.levels[0], pairs, values.levels[1]))
    noded = with_nodes(taxonomy)
    assert noded.domain.values.tolist() == ["a", "b", "{a, b}", "c", "d", "*"]
    assert noded.levels[1].labels == ("{a, b}", "c", "d", "* alone")
    assert means(noded, "{a, b}") == {"a", "b", "{a, b}"}


def test_a_label_that_is_a_value_stays_that_value() -> None:
    paths: dict[Hashable, tuple[Hashable, ...]] = {
        leaf: (leaf, node, "*")
        for leaf, node in (("hiv", "infection"), ("infection", "infection"), ("burn", "injury"))
    }
    noded = with_nodes(taxonomy_of(PlainTree(paths)))
    assert noded.domain.values.tolist() == ["hiv", "infection", "burn", "*"]


def test_names_that_are_taken_are_not_given_twice() -> None:
    tree = Tree({"x": ["a", "b"], "* alone": ["c", "d"]})
    labels = with_nodes(tree.build(observe("ill", ["a"]))).levels[1].labels
    assert labels == ("x", "* alone", "* alone'")


def test_is_the_taxonomy_itself_as_long_as_values_are_shown() -> None:
    taxonomy = ILLS.build(observe("ill", ["hiv"]))
    assert NodeValues(taxonomy).build(observe("ill", ["cut", "hiv"])) is taxonomy
    assert NodeValues(taxonomy).build(observe("ill", ["cut", "virus"])) is not taxonomy


def test_refuses_what_is_neither_a_value_nor_a_node() -> None:
    taxonomy = ILLS.build(observe("ill", ["hiv"]))
    with pytest.raises(TaxonomyError, match="'ill' holds 1 value"):
        NodeValues(taxonomy).build(observe("ill", ["virus", "viruses"]))


def test_numbers_have_no_nodes_among_them() -> None:
    taxonomy = Flat().build(observe("pay", [1, 2]))
    with pytest.raises(TaxonomyError, match="'pay' holds 1 value"):
        NodeValues(taxonomy).build(observe("pay", [1, 3]))


def test_nodes_of_all_values_are_told_apart_by_their_names() -> None:
    taxonomy = Tree({"infection": ["hiv", "sars"], "injury": ["cut"]}).build(observe("ill", []))
    told = Taxonomy(
        Domain(Kind.CATEGORY, taxonomy.domain.values[:2]),
        tuple(
            Level(level.blocks[:2], level.labels and level.labels[:1]) for level in taxonomy.levels
        ),
    )
    assert with_nodes(told).domain.values.tolist() == ["hiv", "sars", "infection", "*"]
    alone = with_nodes(Flat().build(observe("ill", ["flu"])))
    assert alone.domain.values.tolist() == ["flu", "*"]
