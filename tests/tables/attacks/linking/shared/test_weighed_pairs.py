"""Pairs: levels and weights of all of them, and of some."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.linking.shared import weighed_pairs
from unlinkable.tables.attacks.linking.shared.agreeing import AGREE, DIFFER, agreeing
from unlinkable.tables.attacks.linking.shared.weighed_pairs import Pairs
from unlinkable.tables.attacks.shared.matching import Matching, match
from unlinkable.tables.data.side import SideTable


def made(told: dict[str, list[str]], listed: dict[str, list[str]]) -> tuple[Matching, Pairs]:
    names = tuple(told)
    target = Target(pl.DataFrame(told), names, ())
    matching = match(target, SideTable("list", pl.DataFrame(listed)))
    boxes = matching.overlaps.first.columns, matching.overlaps.second.columns
    columns = [
        agreeing(column, listed_as, told_as, matching.kind_sizes)
        for column, listed_as, told_as in zip(matching.linked, *boxes, strict=True)
    ]
    n, m = matching.first.size, matching.first_look.size
    looks = np.tile(np.arange(m, dtype=np.int32), n)
    return matching, Pairs.of(matching, columns, np.arange(n + 1) * m, looks)


LISTED = {"a": ["x", "x", "y", "y", "z"], "b": ["p", "p", "q", "q", "p"]}
TOLD = {"a": ["x", "z"], "b": ["p", "q"]}


def test_rare_values_weigh_more() -> None:
    _, pairs = made({"a": ["x", "z"]}, {"a": LISTED["a"]})
    assert pairs.levels.tolist() == [[AGREE, DIFFER, DIFFER, DIFFER, DIFFER, AGREE]]
    share = {"x": 2 / 5, "z": 1 / 5}
    expected = [share["x"], 1 - share["z"], 1 - share["x"], 1 - share["z"], 1 - share["x"], 1 / 5]
    assert pairs.weights.tolist() == pytest.approx((-np.log(expected)).tolist(), rel=1e-5)


def test_agreement_on_columns_that_go_together_weighs_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, pairs = made(TOLD, LISTED)
    # Of twenty ordered pairs of people four agree on both columns, and by chance 4 * 8 / 20 would.
    both = np.log((4 + 10) / (1.6 + 10))
    monkeypatch.setattr(weighed_pairs, "_MOST_TOGETHER", 1)
    _, apart = made(TOLD, LISTED)
    agree = (pairs.levels == AGREE).all(axis=0)
    assert agree.sum() == 1
    assert (apart.weights - pairs.weights).tolist() == pytest.approx(
        np.where(agree, both, 0).tolist(), abs=1e-6
    )


@given(st.lists(st.integers(0, 2), max_size=5))
def test_some_kinds_keep_their_pairs(kinds: list[int]) -> None:
    _, pairs = made(TOLD, LISTED)
    some = pairs.take(np.array(kinds, np.int64))
    for i, kind in enumerate(kinds):
        here, there = (slice(*p.indptr[k : k + 2]) for p, k in ((some, i), (pairs, kind)))
        assert some.looks[here].tolist() == pairs.looks[there].tolist()
        assert some.levels[:, here].tolist() == pairs.levels[:, there].tolist()
        assert some.weights[here].tolist() == pairs.weights[there].tolist()
        assert some.people[i] == pairs.people[kind]


def test_generalized_values_are_blurred() -> None:
    told = {"a": ["[1-3)", "3", "*", "[1-3)"], "b": ["1", "2", "3", "[1-2)"]}
    listed = {"a": ["1", "2", "3"], "b": ["1", "2", "3"]}
    _, pairs = made(told, listed)
    assert pairs.blurred.tolist() == [0.5, 0.0]
