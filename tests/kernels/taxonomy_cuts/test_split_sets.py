"""Trying splits: what the kernels find is what comes out when each split is made or given up."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.taxonomy_cuts.split_sets import join_classes, join_sizes, try_splits

Split = tuple[int, int, int, int, list[int]]
"""Column, at, lo, hi, and the parts of the codes of the range; none for a split between values."""


def tell(split: Split, code: int) -> int:
    """Tell the part of a code: 0 outside of the range."""
    _, at, lo, hi, parts = split
    if not parts:
        return int(code >= at)
    return parts[code - lo] + 1 if lo <= code < hi else 0


@st.composite
def splits_of(draw: st.DrawFn, n_columns: int, n_codes: int) -> Split:
    column, at = draw(st.integers(0, n_columns - 1)), draw(st.integers(1, n_codes - 1))
    if draw(st.booleans()):
        return column, at, at - 1, at + 1, []
    lo = draw(st.integers(0, n_codes - 2))
    hi = draw(st.integers(lo + 2, n_codes))
    steps = draw(st.lists(st.booleans(), min_size=hi - lo - 1, max_size=hi - lo - 1))
    return column, lo, lo, hi, [0, *np.cumsum(steps).tolist()]


@given(st.data())
def test_trying_finds_what_is_left_out_when_a_split_is_made(data: st.DataObject) -> None:
    n_codes, n = 5, data.draw(st.integers(1, 8))
    rows = data.draw(
        st.lists(st.tuples(*[st.integers(0, n_codes - 1)] * 2), min_size=n, max_size=n)
    )
    sizes = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    labels = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    lost = data.draw(st.lists(st.booleans(), min_size=3, max_size=3))
    least = data.draw(st.integers(1, 6))
    known = data.draw(st.lists(splits_of(2, n_codes), min_size=1, max_size=4))
    kept, gone = np.arange(n, dtype=float), np.arange(n, dtype=float) * 3 + 10
    first: list[int] = []
    part: list[int] = []
    for *_, codes in known:
        first.append(len(part) if codes else -1)
        part += codes
    column, at, lo, hi, _ = (np.array(list(row), object) for row in zip(*known, strict=True))
    rules = [row.astype(np.int32) for row in (column, at, lo, hi)]
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(np.array(labels)[order], np.arange(4))
    floors, found = np.full(len(known), 100.0), np.zeros((3, len(known)), np.int64)
    try_splits(
        np.arange(len(known), dtype=np.int32),
        (rules[0], rules[1], rules[2], rules[3], np.array(first), np.array(part, np.int32)),
        np.array(rows, np.int32).T.copy(),
        np.array(sizes, np.int64),
        (kept, gone),
        (order, starts, np.array(lost, bool)),
        least,
        floors,
        found,
    )
    for i, split in enumerate(known):
        floor, n_lost, n_apart, useless = 100.0, 0, 0, True
        for head in range(3):
            here = [r for r in range(n) if labels[r] == head and not lost[head]]
            parts: dict[int, list[int]] = defaultdict(list)
            for r in here:
                parts[tell(split, rows[r][split[0]])].append(r)
            if len(parts) < 2:
                continue
            total = {p: sum(sizes[r] for r in members) for p, members in parts.items()}
            small = [p for p in parts if total[p] < least]
            floor += sum(gone[r] - kept[r] for p in small for r in parts[p])
            left = sum(total[p] for p in small)
            n_lost += left
            n_apart += sum(total.values())
            most = max((total[p] for p in parts if p not in small), default=0)
            useless &= len(parts) - len(small) <= 1 and left > 0
            useless &= left + 2 * most <= sum(sizes)
        assert floors[i] == pytest.approx(floor)
        assert found[:, i].tolist() == [n_lost, n_apart, int(useless)]


@given(st.data())
def test_joining_finds_what_rows_cost_that_are_not_told_apart(data: st.DataObject) -> None:
    n_codes = 5
    cells = st.tuples(st.integers(0, 2), st.integers(0, n_codes - 1))
    rows = data.draw(st.lists(cells, min_size=1, max_size=9, unique=True))
    sizes = data.draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    classes = np.array([[data.draw(st.integers(0, 4)) for _ in range(3)] for _ in rows], np.int64)
    by_line = data.draw(st.lists(st.booleans(), min_size=3, max_size=3))
    lost = np.array([by_line[line] for line, _ in rows])
    lo = data.draw(st.integers(0, n_codes - 1))
    hi = data.draw(st.integers(lo + 1, n_codes))
    least = data.draw(st.integers(1, 6))
    lines, codes = np.array(rows, np.int32).T.copy()
    order = np.lexsort((codes, lines)).astype(np.int32)
    spans = np.array([lo], np.int32), np.array([hi], np.int32)
    by_size, by_class = np.array([7.0]), np.array([7.0])
    join_sizes(spans, codes, lines, order, np.array(sizes, np.int64), lost, least, by_size)
    join_classes(spans, codes, lines, order, classes, lost, 0.5, by_class)

    size_cost, class_cost = 7.0, 7.0
    for line in range(3):
        inside = [r for r, (at, c) in enumerate(rows) if at == line and lo <= c < hi]
        if len(inside) < 2 or by_line[line]:
            continue
        s = sum(sizes[r] for r in inside)
        size_cost += s * max(s, least) - sum(sizes[r] * max(sizes[r], least) for r in inside)
        joined = classes[inside].sum(axis=0)
        class_cost += 0.5 * (sum(classes[r].max() for r in inside) - joined.max())
    assert by_size[0] == pytest.approx(size_cost)
    assert by_class[0] == pytest.approx(class_cost)
