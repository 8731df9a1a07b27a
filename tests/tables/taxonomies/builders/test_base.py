"""What every rule must give back: a tree over all values, in which every text has one meaning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.tables.data.taxonomies import built
from unlinkable.errors import TaxonomyError
from unlinkable.tables.taxonomies import Domain, Edges, Kind, Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Flat, Observed, TaxonomyBuilder
from unlinkable.tables.taxonomies.builders.base import Step, named, stack
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

Built = tuple[Observed, TaxonomyBuilder, Taxonomy]

LETTERS = Domain(Kind.CATEGORY, np.array(["a", "b", "c"], dtype=object))


def step(*blocks: int, labels: tuple[str, ...] | None = None) -> Step:
    return Step(np.array(blocks, np.int32), labels)


@given(built())
def test_the_values_are_at_the_bottom_and_the_root_at_the_top(case: Built) -> None:
    taxonomy = case[2]
    assert taxonomy.levels[0].blocks.tolist() == list(range(taxonomy.n))
    assert set(taxonomy.levels[-1].blocks.tolist()) == {0}
    assert len(taxonomy.levels) == taxonomy.height + 1 >= 2


@given(built())
def test_every_level_refines_the_next_and_covers_every_code(case: Built) -> None:
    taxonomy = case[2]
    for level in taxonomy.levels:
        assert level.blocks.size == taxonomy.n
        assert level.blocks[0] == 0
        assert set(np.diff(level.blocks).tolist()) <= {0, 1}
    for below, above in zip(taxonomy.levels, taxonomy.levels[1:], strict=False):
        assert set(above.starts.tolist()) <= set(below.starts.tolist())


@given(built())
def test_every_value_that_occurs_has_its_place(case: Built) -> None:
    observed, _, taxonomy = case
    found = taxonomy.domain.find(observed.domain)
    assert (found >= 0).all()
    assert len(set(found.tolist())) == observed.domain.n
    for code, place in enumerate(found.tolist()):
        assert taxonomy.domain.text(place) == observed.domain.text(code)


@given(built())
def test_a_missing_value_stands_alone_directly_under_the_root(case: Built) -> None:
    observed, _, taxonomy = case
    assert taxonomy.domain.has_missing == observed.domain.has_missing
    if taxonomy.domain.has_missing:
        for level in taxonomy.levels[:-1]:
            assert level.starts[-2] == taxonomy.domain.missing


@given(built())
def test_labels_and_edges_are_there_for_every_node(case: Built) -> None:
    taxonomy = case[2]
    for level in taxonomy.levels[1:]:
        if level.labels is not None:
            assert len(level.labels) == level.n_nodes
        if level.edges is not None:
            has_missing_node = taxonomy.domain.has_missing
            assert len(level.edges.lower) == level.n_nodes - has_missing_node
            assert (level.edges.lower[1:] >= level.edges.upper[:-1]).all()


def test_a_taxonomy_can_be_used_again_for_values_that_it_has() -> None:
    taxonomy = Flat().build(observe("x", ["a", "b", None]))
    assert ReadyMade(taxonomy).build(observe("x", ["b"])) is taxonomy
    with pytest.raises(TaxonomyError, match="column 'x' holds 2 value"):
        ReadyMade(taxonomy).build(observe("x", ["b", "c", "d"]))
    with pytest.raises(TaxonomyError, match="column 'x' holds 1 value"):
        ReadyMade(Flat().build(observe("x", ["a"]))).build(observe("x", ["a", None]))


def test_lists_a_few_things_and_counts_the_rest() -> None:
    assert named(["a"]) == "'a'"
    assert named([1, 2, 3]) == "'1', '2', '3'"
    assert named(list("abcd"), most=2) == "'a', 'b' and 2 more"


def test_refuses_levels_that_do_not_nest() -> None:
    with pytest.raises(
        TaxonomyError, match="the levels of 'x' are no tree: a node has two parents"
    ):
        stack("x", LETTERS, [step(0, 0, 1), step(0, 1, 1)])


@pytest.mark.parametrize(
    ("labels", "root", "message"),
    [
        (
            ("X", "X"),
            "*",
            "'X' means two things in the taxonomy of 'x': a node on level 1 with 1 values",
        ),
        (("a", "X"), "*", "'a' means two things .* and a value"),
        (
            ("X", "Y"),
            "X",
            "'X' means two things .* a node on level 2 with 3 values, and another node",
        ),
        (("X", "Y"), "c", "'c' means two things .* with 3 values, and a value"),
        (("X", ""), "*", "a node on level 1 of the taxonomy of 'x' has no name"),
        (("X", "{a, b}"), "*", "'{a, b}' means two things .* an interval or a set"),
    ],
)
def test_refuses_a_text_with_two_meanings(labels: tuple[str, ...], root: str, message: str) -> None:
    with pytest.raises(TaxonomyError, match=message):
        stack("x", LETTERS, [step(0, 0, 1, labels=labels)], root)


def test_a_node_may_be_called_like_its_only_value_and_like_its_only_child() -> None:
    steps = [step(0, 0, 1, labels=("X", "c")), step(0, 0, 1, labels=("X", "Z"))]
    assert stack("x", LETTERS, steps).height == 3


def test_refuses_infinite_numbers() -> None:
    domain = Domain(Kind.NUMBER, np.array([1.0, np.inf]))
    with pytest.raises(TaxonomyError, match="column 'x' holds infinite numbers"):
        stack("x", domain, [])


def test_edges_stay_with_their_level() -> None:
    domain = Domain(Kind.NUMBER, np.array([1, 2]), has_missing=True)
    edges = Edges(np.array([0]), np.array([5]))
    taxonomy = stack("x", domain, [Step(np.zeros(2, np.int32), None, edges)])
    assert taxonomy.levels[1].edges is edges
    assert taxonomy.levels[1].blocks.tolist() == [0, 0, 1]
