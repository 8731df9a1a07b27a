"""Candidates: all pairs that agree on all columns but two, as long as they are not too many.

Pairs: levels and weights of all of them, and of some.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.linking.shared import candidate_pairs
from unlinkable.tables.attacks.linking.shared import candidate_pairs as module
from unlinkable.tables.attacks.linking.shared.agreement import AGREE, DIFFER, column_agreement
from unlinkable.tables.attacks.linking.shared.candidate_pairs import (
    Pairs,
    candidates,
    near_candidates,
)
from unlinkable.tables.attacks.shared.matching import Matching, match
from unlinkable.tables.data.side import SideTable

Rows = list[tuple[int, ...]]


def matched(told: Rows, listed: Rows, d: int) -> Matching:
    names = tuple(f"c{j}" for j in range(d))
    types = dict.fromkeys(names, pl.Int64)
    tables = [
        pl.DataFrame([row[:d] for row in rows], types, orient="row") for rows in (told, listed)
    ]
    return match(Target(tables[0], names, ()), SideTable("list", tables[1]))


rows = st.lists(st.tuples(*[st.integers(0, 3)] * 5), max_size=12)


@given(rows, rows, st.sampled_from([1, 2, 3, 4, 5]))
def test_lists_what_agrees_on_nearly_all_columns(told: Rows, listed: Rows, d: int) -> None:
    found = matched(told, listed, d)
    indptr, looks, _ = candidates(found)
    least = d - 2 if d > 3 else max(d - 1, 1)
    for kind, person in enumerate(found.first):
        expected = [
            look
            for look, record in enumerate(found.first_look)
            if sum(x == y for x, y in zip(listed[person][:d], told[record][:d], strict=True))
            >= least
        ]
        assert looks[indptr[kind] : indptr[kind + 1]].tolist() == expected


def test_sets_of_columns_that_tell_too_little_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_LEAST", 0)
    rng = np.random.default_rng(0)
    told: Rows = [(0, 0, int(i)) for i in rng.permutation(200)]
    found = matched(told, told, 3)
    indptr, looks, n_passes = candidates(found)
    # Without the last column all pairs would be listed; it is never left out.
    assert n_passes == 2
    assert indptr.tolist() == list(range(201))
    assert looks.size == 200


def test_nothing_is_listed_where_columns_tell_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LEAST", 0)
    monkeypatch.setattr(module, "_PER_SIDE", 0)
    found = matched([(0,)] * 3, [(0,)] * 3, 1)
    assert candidates(found)[2] == 0
    assert candidates(found)[1].size == 0


@given(rows, rows, st.sampled_from([1, 2, 3, 4, 5]))
def test_lists_what_nearly_agrees_as_well(told: Rows, listed: Rows, d: int) -> None:
    found = matched(told, listed, d)
    near = [
        np.column_stack([np.maximum(bounds[:, 0] - 1, 0), bounds[:, 1] + 1]).astype(np.int32)
        for _, bounds in found.overlaps.first.columns
    ]
    exact = candidates(found)
    indptr, looks, n_passes = near_candidates(found, near, exact)
    least = d - 2 if d > 3 else max(d - 1, 1)
    first, second = found.overlaps.first.columns, found.overlaps.second.columns
    for kind in range(found.first.size):
        expected = []
        for look in range(found.first_look.size):
            codes = [
                (a[1][a[0][kind], 0], b[1][b[0][look], 0])
                for a, b in zip(first, second, strict=True)
            ]
            if sum(abs(int(x) - int(y)) <= 1 for x, y in codes) >= least:
                expected.append(look)
        assert looks[indptr[kind] : indptr[kind + 1]].tolist() == expected
    assert n_passes >= exact[2]


def made(told: dict[str, list[str]], listed: dict[str, list[str]]) -> tuple[Matching, Pairs]:
    names = tuple(told)
    target = Target(pl.DataFrame(told), names, ())
    matching = match(target, SideTable("list", pl.DataFrame(listed)))
    boxes = matching.overlaps.first.columns, matching.overlaps.second.columns
    columns = [
        column_agreement(column, listed_as, told_as, matching.kind_sizes)
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
    monkeypatch.setattr(candidate_pairs, "_MOST_TOGETHER", 1)
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
