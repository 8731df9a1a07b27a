"""What was learned: naive Bayes word by word, trees that stay small."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.collection.mined_classifiers import CountedBayes, grown_tree, records_of
from unlinkable.errors import SchemaError
from unlinkable.tables.data import as_table

EDGES = [np.array([0.0, 1, 2, 3]), np.array([0.0, 1, 2])]
POINTS = st.tuples(st.sampled_from([0.5, 1.5, 2.5]), st.sampled_from([0.5, 1.5]))


@given(st.lists(st.tuples(POINTS, st.integers(0, 2)), min_size=1, max_size=20), POINTS)
def test_naive_bayes_counts_as_the_definition_says(
    records: list[tuple[tuple[float, float], int]], asked: tuple[float, float]
) -> None:
    classes = [c for _, c in records]
    scores = {}
    for c in range(max(classes) + 1):
        members = [point for point, own in records if own == c]
        score = math.log(len(members) / len(records)) if members else -math.inf
        for j, ends in enumerate(EDGES):
            same = Counter(math.floor(point[j]) for point in members)[math.floor(asked[j])]
            score += math.log((same + 1) / (len(members) + ends.size - 1))
        scores[c] = score
    points = np.array([point for point, _ in records])
    with np.errstate(divide="ignore"):
        learned = CountedBayes.of(points, np.array(classes, np.int32), EDGES)
    guessed = int(learned.predict(np.array([asked]))[0])
    assert scores[guessed] == pytest.approx(max(scores.values()))


def test_a_tree_does_not_learn_chance() -> None:
    rng = np.random.default_rng(1)
    points, classes = rng.random((500, 3)), (rng.random(500) < 0.4).astype(np.int32)
    assert set(np.asarray(grown_tree(points, classes).predict(points)).tolist()) == {0}


def test_a_table_is_taken_as_it_is_and_a_frame_without_roles() -> None:
    table = as_table({"a": [1]}, quasi="a")
    assert records_of(table) is table
    assert records_of({"a": [1], "b": ["x"]}).frame.columns == ["a", "b"]


def test_refuses_records_without_a_column_it_looks_at() -> None:
    from unlinkable.collection import BayesReconstruction, MiningReconstructed

    data = {"x": [1.0, 2.0, 8.0, 9.0], "y": list("aabb")}
    learned = MiningReconstructed().fit(data, "y", {"x": BayesReconstruction(1)})
    with pytest.raises(SchemaError, match="no column 'x'"):
        learned.predict({"z": [1.0]})
