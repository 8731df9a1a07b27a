"""Trees: the same leaves as in plain Python, and records that find them again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import trees_by_definition
from unlinkable.kernels.perturbation.synthesis import find_leaves, grow_tree


@given(st.data(), st.booleans(), st.integers(1, 4))
def test_leaves_are_those_of_the_definition(
    data: st.DataObject, are_classes: bool, least: int
) -> None:
    n = data.draw(st.integers(1, 25))
    n_predictors = data.draw(st.integers(0, 3))
    column = st.lists(st.integers(0, 6), min_size=n, max_size=n)
    bins = [data.draw(column) for _ in range(n_predictors)]
    values = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    matrix = np.array(bins, np.uint8).reshape(n_predictors, n)
    classes, scores = np.array(values, np.int32), np.array(values, float)
    predictor, cut, left, rows, ends = grow_tree(
        matrix, classes, scores, 4 if are_classes else 0, least
    )
    is_leaf = predictor < 0
    found = [sorted(rows[first:end].tolist()) for first, end in ends[is_leaf]]
    literal = trees_by_definition.leaves(bins, values, least, are_classes=are_classes)
    assert sorted(found) == sorted(literal)
    home = find_leaves(matrix, predictor, cut, left)
    for node in np.flatnonzero(is_leaf):
        assert sorted(np.flatnonzero(home == node)) == sorted(rows[slice(*ends[node])])


def test_a_tree_that_only_splits_off_a_few_records_ends_at_a_depth_of_40() -> None:
    bins = np.arange(200, dtype=np.uint8)[None]
    values = np.array([3.0**i for i in range(200)])
    predictor, _, left, rows, ends = grow_tree(bins, np.empty(0, np.int32), values, 0, 1)
    depth = np.zeros(predictor.size, int)
    for node in np.flatnonzero(predictor >= 0):
        depth[left[node] : left[node] + 2] = depth[node] + 1
    assert depth.max() == 40
    deepest = ends[np.argmax(depth + (np.diff(ends, axis=1)[:, 0] > 1))]
    assert sorted(rows[slice(*deepest)]) == [*range(160)]
