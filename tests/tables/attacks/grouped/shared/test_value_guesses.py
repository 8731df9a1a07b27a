"""The most likely value, or kind of value."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import trees
from tests.tables.groups.plain import histogram_of, taxonomy_of
from tests.witness.tree import Tree
from unlinkable.tables.attacks.grouped.shared.value_guesses import Guesses, has_value, inner_levels
from unlinkable.tables.groups import Histogram


@st.composite
def histograms(draw: st.DrawFn) -> tuple[Tree, list[list[int]], Histogram]:
    """Draw a taxonomy and how often some groups have its leaves."""
    tree = draw(trees("v", 6, 3))
    row = st.lists(st.integers(0, 3), min_size=len(tree.leaves), max_size=len(tree.leaves))
    rows = draw(st.lists(row.filter(any), min_size=1, max_size=4))
    return tree, rows, histogram_of(rows, taxonomy_of(tree))


def nodes(tree: Tree, row: list[int], level: int) -> dict[Hashable, int]:
    """Count the nodes of a level in a group."""
    found: dict[Hashable, int] = {}
    for leaf, n in zip(tree.leaves, row, strict=True):
        node = tree.generalize(leaf, level)
        found[node] = found.get(node, 0) + n
    return found


@given(histograms(), st.booleans())
def test_the_best_guess_is_the_most_frequent_node(
    drawn: tuple[Tree, list[list[int]], Histogram], similar: bool
) -> None:
    tree, rows, hidden = drawn
    guesses = Guesses.of(hidden, None, similar=similar)
    levels = range(tree.height if similar else 1)
    assert len(guesses.peaks) == len(levels)
    for level in levels:
        expected = [max(nodes(tree, row, level).values()) for row in rows]
        assert guesses.peaks[level].tolist() == expected
    best = [max(max(nodes(tree, row, level).values()) for level in levels) for row in rows]
    assert guesses.best.tolist() == best
    for at, row in enumerate(rows):
        level = next(i for i in levels if max(nodes(tree, row, i).values()) == best[at])
        assert nodes(tree, row, level)[guesses.text(at)] == best[at]


@given(histograms(), st.data())
def test_only_what_is_asked_for_is_guessed(
    drawn: tuple[Tree, list[list[int]], Histogram], data: st.DataObject
) -> None:
    tree, rows, hidden = drawn
    names = sorted({str(tree.generalize(v, i)) for v in tree.leaves for i in range(tree.height)})
    asked = tuple(data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=3)))
    guesses = Guesses.of(hidden, asked, similar=True)
    for at, row in enumerate(rows):
        counts = [
            n
            for level in range(tree.height)
            for node, n in nodes(tree, row, level).items()
            if node in asked
        ]
        assert guesses.best[at] == max(counts, default=0)
    occurring = {
        str(tree.generalize(v, i))
        for v, n in zip(tree.leaves, np.sum(rows, axis=0), strict=True)
        for i in range(tree.height)
        if n
    }
    for name in names:
        assert has_value(hidden, name, similar=True) == (name in occurring)


def test_without_a_taxonomy_there_are_values_alone() -> None:
    hidden = Histogram(np.array([0, 2]), np.arange(2, dtype=np.int32), np.array([1, 3]), 2)
    assert list(inner_levels(hidden)) == []
    guesses = Guesses.of(hidden, None, similar=True)
    assert len(guesses.peaks) == 1
    assert guesses.text(0) == "1"
