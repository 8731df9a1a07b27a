"""Contingency: what two cluster structures have in common, beside plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.tables.metrics.shared.contingency import Contingency

PAIRS = st.lists(
    st.tuples(st.integers(-2, 4), st.sampled_from([-1, 0, 1, 7, 10**12])), min_size=1, max_size=20
)


@given(PAIRS)
def test_says_what_the_definition_says(pairs: list[tuple[int, int]]) -> None:
    compared = [(a, b) for a, b in pairs if a >= 0 and b >= 0]
    if not compared:
        return
    both = Contingency.of([a for a, _ in pairs], [b for _, b in pairs])
    assert both.n_compared == len(compared)
    names = [sorted({pair[side] for pair in compared}) for side in (0, 1)]
    entries = zip(both.natural.tolist(), both.query.tolist(), both.common.tolist(), strict=True)
    assert {(names[0][i], names[1][j]): n for i, j, n in entries} == Counter(compared)
    for side, sizes in enumerate([both.natural_sizes, both.query_sizes]):
        counted = Counter(pair[side] for pair in compared)
        assert sizes.tolist() == [counted[name] for name in names[side]]


def test_refuses_structures_of_other_records() -> None:
    with pytest.raises(ParameterError, match="one cluster structure has 2 records and the other 3"):
        Contingency.of([0, 1], [0, 1, 1])


def test_refuses_structures_without_a_record_in_both() -> None:
    for natural, query in ([0, -1], [-1, 0]), ([], []):
        with pytest.raises(ParameterError, match="no record is in a cluster of both structures"):
            Contingency.of(natural, query)


@pytest.mark.parametrize("labels", [["a", "b"], [0.5, 1.0], [[0], [1]]], ids=repr)
def test_refuses_clusters_that_are_not_numbered(labels: object) -> None:
    with pytest.raises(ParameterError, match="one whole number for each record"):
        Contingency.of(np.array(labels), [0, 1])
