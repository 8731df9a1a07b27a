"""Sequential trees: the order of columns, who hands on values, and what is drawn from whom."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.data import as_table
from unlinkable.tables.operations.shared.sequential_trees import SequentialTrees

N = 20_000


def test_columns_with_few_values_come_first() -> None:
    data = {"age": [*range(20)] * 5, "sex": list("fm") * 50, "job": list("abcde") * 20}
    model = SequentialTrees.grown(as_table(data, quasi=[*data]), tuple(data), common=1, leaf=5)
    assert [column.name for column in model.columns] == ["sex", "job", "age"]


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=40))
def test_every_value_is_one_that_somebody_in_the_leaf_has(rows: list[tuple[str, ...]]) -> None:
    data = dict(zip("xyz", zip(*rows, strict=True), strict=True))
    model = SequentialTrees.grown(as_table(data, quasi=[*data]), tuple(data), common=1, leaf=1)
    drawn = model.draw(50, np.random.default_rng(0)).astype(int)
    # Leaves of one record: whoever has the first columns hands on the others, so that each
    # record has only combinations of two columns that the trees can tell apart.
    first, second = (model.columns[j] for j in (0, 1))
    seen = {*zip(first.values.astype(int), second.values.astype(int), strict=True)}
    assert {*zip(drawn[0], drawn[1], strict=True)} <= seen


def test_shares_within_a_leaf_are_those_of_the_original() -> None:
    sex = ["f"] * 600 + ["m"] * 400
    job = ["a"] * 450 + ["b"] * 150 + ["a"] * 40 + ["b"] * 360
    people = as_table({"sex": sex, "job": job}, quasi=["sex", "job"])
    model = SequentialTrees.grown(people, ("sex", "job"), common=5, leaf=20)
    drawn = model.draw(N, np.random.default_rng(1)).astype(int)
    pairs = [column.domain.values for column in model.columns]
    found = Counter((pairs[0][a], pairs[1][b]) for a, b in drawn.T)
    for pair, n in Counter(zip(sex, job, strict=True)).items():
        # 5 standard errors: false alarms are rarer than one in a million; 30 % off is farther.
        p = n / 1000
        near = 5 * np.sqrt(p * (1 - p) / N)
        assert abs(found[pair] / N - p) < near < 0.3 * p


def test_leaves_have_as_many_donors_as_asked_for() -> None:
    rng = np.random.default_rng(1)
    data = {"x": rng.integers(0, 50, 500), "y": rng.integers(0, 90, 500)}
    model = SequentialTrees.grown(as_table(data, quasi=["x", "y"]), ("x", "y"), common=1, leaf=30)
    for tree in model.trees:
        sizes = np.diff(tree.ends, axis=1)[tree.predictor < 0]
        assert sizes.min() >= 30
        assert sizes.sum() == 500
    assert model.n_leaves == sum(int((tree.predictor < 0).sum()) for tree in model.trees)
