"""Minimal distortion: the book's engineers, and steps that cost nothing."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given

from tests import cases
from tests.strategies import trees
from tests.tables.groups.plain import taxonomy_of
from tests.tables.metrics.releases import range_of, shown_cells
from tests.witness.tree import Tree
from unlinkable.tables.metrics import MinimalDistortion
from unlinkable.tables.taxonomies import Attribute

__all__ = ["steps"]


def steps(tree: Tree, level: int, label: object) -> int:
    """Count the levels at which the leaves under a node come together."""
    leaves = tree.leaves_under(level, label)
    n_nodes = [len({tree.generalize(leaf, i) for leaf in leaves}) for i in range(level + 1)]
    return sum(above < below for below, above in pairwise(n_nodes))


def test_ten_engineers_cost_ten_units_a_step() -> None:
    case = cases.load("book-ch04-minimal-distortion")
    job, n = Tree.nested(case["input"]["taxonomy"]), case["input"]["instances"]
    attributes = (Attribute("Job", taxonomy_of(job)),)
    labels = [case["input"]["value"], *case["input"]["steps"]]
    releases = [shown_cells(attributes, [[range_of(job, label)]] * n) for label in labels]
    costs = [MinimalDistortion().value(release) for release in releases]
    assert [b - a for a, b in pairwise(costs)] == case["expected"]["cost_per_step"]
    assert costs[-1] == case["expected"]["total"]


def test_a_hundred_cells_cost_a_hundred_however_they_are_mixed() -> None:
    case = cases.load("book-ch04-dm-vs-md")
    job = Tree.nested(cases.load("book-ch04-minimal-distortion")["input"]["taxonomy"])
    attributes = (Attribute("Job", taxonomy_of(job)),)
    for given_ in case["input"]["cases"]:
        n = sum(given_["counts"].values())
        release = shown_cells(attributes, [[range_of(job, given_["to"])]] * n)
        assert MinimalDistortion().value(release) == case["expected"]["MD"][given_["to"]]


@given(trees(max_leaves=8, max_height=4))
def test_steps_that_cover_no_more_cost_nothing(tree: Tree) -> None:
    taxonomy = taxonomy_of(tree)
    for level in range(tree.height + 1):
        for label in tree.labels(level):
            codes = [tree.leaves.index(v) for v in tree.leaves_under(level, label)]
            lo, hi = np.array([min(codes)], np.int32), np.array([max(codes) + 1], np.int32)
            assert MinimalDistortion().cells(taxonomy, lo, hi)[0] == steps(tree, level, label)


def test_a_suppressed_record_goes_up_all_the_way() -> None:
    tree = Tree({"a": ("a", "a", "*"), "b": ("b", "b", "*")})
    assert MinimalDistortion().suppressed(taxonomy_of(tree)) == 2
    assert steps(tree, 2, "*") == 1


def test_a_range_that_is_no_node_goes_to_where_all_of_it_meets() -> None:
    tree = Tree.nested({"*": {"x": {"a": {}, "b": {}, "c": {}}, "y": {"d": {}, "e": {}}}})
    lo, hi = np.array([0, 0, 2, 1]), np.array([1, 2, 4, 4])
    assert MinimalDistortion().cells(taxonomy_of(tree), lo, hi).tolist() == [0, 1, 1, 2]


def test_units_count_by_the_weight_of_the_record_and_of_the_attribute() -> None:
    letters = taxonomy_of(Tree({v: (v, "*") for v in "abc"}))
    attributes = (Attribute("a", letters, importance=2.0), Attribute("b", letters, importance=0.5))
    release = shown_cells(attributes, [[(0, 3), (0, 1)], [(0, 3), (0, 2)]], weights=[1.0, 4.0])
    assert MinimalDistortion().value(release) == 2.0 * (1 + 4) + 0.5 * 4
