"""Split sets: the sets of splits are the cuts, and no other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import trees
from tests.tables.groups.plain import taxonomy_of
from tests.tables.methods.cuts.every_split import Way, cuts_of, intervals_of, split_sets
from tests.witness.tree import Tree
from unlinkable.errors import ParameterError
from unlinkable.tables.methods.cuts.shared.split_sets import Boundaries, SplitSets, as_boundaries
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Intervals
from unlinkable.tables.taxonomies.taxonomy import Attribute
from unlinkable.typing import BoolArray


def attributes_of(*known: Tree) -> tuple[Attribute, ...]:
    return tuple(Attribute(f"q{j}", taxonomy_of(tree)) for j, tree in enumerate(known))


@st.composite
def maybe_missing(draw: st.DrawFn) -> Tree:
    tree = draw(trees(max_leaves=5))
    if draw(st.booleans()):
        return tree
    return Tree({**tree.paths, None: (None,) * tree.height + ("*",)})


def shown(splits: SplitSets, chosen: BoolArray, tree: Tree) -> Way:
    lo, hi = splits.ranges(chosen, 0)
    return {v: frozenset(tree.leaves[lo[i] : hi[i]]) for i, v in enumerate(tree.leaves)}


@given(maybe_missing(), st.sampled_from([Boundaries.TAXONOMY, Boundaries.VALUES]))
def test_every_set_is_a_table_and_every_table_a_set(tree: Tree, boundaries: Boundaries) -> None:
    splits = SplitSets.of(attributes_of(tree), boundaries)
    found = [shown(splits, chosen, tree) for chosen in split_sets(splits)]
    ways = cuts_of(tree) if boundaries is Boundaries.TAXONOMY else intervals_of(tree)
    assert len(found) == len(ways)
    assert all(way in found for way in ways)


@given(maybe_missing(), st.sampled_from(Boundaries), st.data())
def test_a_split_brings_what_it_needs_and_takes_what_needs_it(
    tree: Tree, boundaries: Boundaries, data: st.DataObject
) -> None:
    splits = SplitSets.of(attributes_of(tree, tree), boundaries)
    assume(0 < len(splits) <= 8)
    every = split_sets(splits)
    chosen = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(splits), max_size=len(splits)))
    )
    with_needed, needing = splits.with_needed(chosen), splits.with_needing(chosen)
    over = [s for s in every if not (chosen & ~s).any()]
    assert np.array_equal(with_needed, np.all(over, axis=0))
    apart = [s for s in every if not (chosen & s).any()]
    assert np.array_equal(~needing, np.any(apart, axis=0))
    head = every[data.draw(st.integers(0, len(every) - 1))]
    is_open = [
        not head[v] and any(np.array_equal(head | splits.only(v), s) for s in every)
        for v in range(len(splits))
    ]
    assert splits.is_open(head).tolist() == is_open


@given(maybe_missing(), st.sampled_from([Boundaries.TAXONOMY, Boundaries.VALUES]), st.data())
def test_a_span_is_what_is_not_told_apart_without_a_split(
    tree: Tree, boundaries: Boundaries, data: st.DataObject
) -> None:
    splits = SplitSets.of(attributes_of(tree), boundaries)
    assume(len(splits) <= 8)
    chosen = data.draw(st.sampled_from(split_sets(splits)))
    which = np.flatnonzero(chosen).astype(np.int32)
    lo, hi = splits.spans(chosen, which)
    for v, first, end in zip(which.tolist(), lo, hi, strict=True):
        rest = chosen & ~splits.with_needing(splits.only(v))
        before, after = splits.ranges(chosen, 0), splits.ranges(rest, 0)
        changed = (before[0] != after[0]) | (before[1] != after[1])
        assert np.flatnonzero(changed).tolist() == list(range(first, end))
        assert set(after[0][first:end]) == {first}
        assert set(after[1][first:end]) == {end}


@given(maybe_missing(), st.data())
def test_every_cut_is_a_set_of_boundaries(tree: Tree, data: st.DataObject) -> None:
    attributes = attributes_of(tree)
    nodes = SplitSets.of(attributes, Boundaries.TAXONOMY)
    values = SplitSets.of(attributes, Boundaries.VALUES)
    chosen = data.draw(st.sampled_from(split_sets(nodes)))
    same = values.as_in(nodes, chosen)
    assert shown(values, same, tree) == shown(nodes, chosen, tree)
    assert np.array_equal(values.with_needed(same), same)
    assert np.array_equal(nodes.as_in(nodes, chosen), chosen)


def test_numbers_are_split_anywhere_and_categories_at_nodes() -> None:
    ages = Attribute("age", Intervals(10).build(observe("age", [21, 25, 31])))
    jobs = attributes_of(Tree.nested({"*": {"a": {"x": {}, "y": {}}, "z": {}}}))[0]
    splits = SplitSets.of((ages, jobs), Boundaries.NUMBERS)
    assert splits.column.tolist() == [0, 0, 1, 1]
    assert splits.places[0].tolist() == [1]
    assert splits.places[3].tolist() == [0, 2, 1]
    assert len(SplitSets.of((), Boundaries.VALUES)) == 0


def test_refuses_boundaries_that_mean_nothing() -> None:
    with pytest.raises(ParameterError, match="boundaries must be one of 'taxonomy', 'numbers'"):
        as_boundaries("leaves")
