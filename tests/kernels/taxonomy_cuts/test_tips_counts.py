"""Counts of the parts that leaves would have, against plain lists."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.taxonomy_cuts.tips_counts import tally_parts

VAST = 1 << 62
PLAN = np.array([[0, 0, -1], [3, 2, 5]], np.int64)
"""A column of three codes with the values 0 and 1, and one of three that are disclosed one by one:
2, 3 and 4 if they are told, 5 if they are not."""


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=9
    ),
    st.lists(st.integers(0, 1), min_size=3, max_size=3),
    st.sampled_from([(0, 0, 0), (0, 1, 1), (1, 0, 0)]),
    st.lists(st.booleans(), min_size=6, max_size=6),
    st.data(),
)
def test_parts_are_tallied_column_by_column(
    drawn: list[tuple[int, int, int]],
    parts: list[int],
    values: tuple[int, int, int],
    opened: list[bool],
    data: st.DataObject,
) -> None:
    told = data.draw(st.integers(0, 2))
    value = np.array([*values, *(2 + v if v == told else 5 for v in range(3))], np.int32)
    # A leaf has rows that show the same on both columns.
    looks = Counter((int(value[a]), int(value[3 + b])) for a, b, _ in drawn)
    rows = sorted(drawn, key=lambda row: (int(value[row[0]]), int(value[3 + row[1]])))
    ends = np.cumsum([n for _, n in sorted(looks.items())])
    start = ends - [n for _, n in sorted(looks.items())]
    codes = np.array([row[:2] for row in rows], np.int32)
    sizes = np.array([row[2] for row in rows], np.int64)
    records = np.array([sizes[s:e].sum() for s, e in zip(start, ends, strict=True)])
    branch = np.array([*parts, 0, 0, 0], np.int32)
    is_open = np.array(opened)
    least, before, fall = np.full(6, VAST), np.zeros(6, np.int64), np.zeros(6, np.int64)
    counts = np.zeros(6, np.int64)
    arguments = (
        np.arange(len(rows), dtype=np.int32),
        codes,
        sizes,
        start,
        ends,
        records,
        np.arange(ends.size, dtype=np.int32),
        np.array([0, 1], np.int32),
        PLAN,
        value,
        branch,
        is_open,
    )
    tally_parts(*arguments, 1, least, before, fall, counts)
    assert not counts.any()
    expected_least = dict.fromkeys(range(6), VAST)
    expected_before, expected_fall = Counter[int](), Counter[int]()
    for s, e, size in zip(start.tolist(), ends.tolist(), records.tolist(), strict=True):
        if e - s == 1:
            continue
        x, y = int(value[codes[s, 0]]), int(value[3 + codes[s, 1]])
        if is_open[x]:
            by_part = Counter[int]()
            for i in range(s, e):
                by_part[parts[codes[i, 0]]] += int(sizes[i])
            there = [n for n in by_part.values() if n]
            expected_least[x] = min([expected_least[x], *there])
            expected_before[x] += size**2
            expected_fall[x] += size**2 - sum(n * n for n in there)
        if y == 5 and is_open[5]:
            expected_before[5] += size**2
            for v in range(3):
                n = sum(int(sizes[i]) for i in range(s, e) if codes[i, 1] == v)
                if n:
                    both = [n, size - n] if size > n else [n]
                    expected_least[2 + v] = min([expected_least[2 + v], *both])
                    expected_fall[2 + v] += size**2 - sum(m * m for m in both)
    assert least.tolist() == [expected_least[v] for v in range(6)]
    assert before.tolist() == [expected_before[v] for v in range(6)]
    assert fall.tolist() == [expected_fall[v] for v in range(6)]
    tally_parts(*arguments, -1, least, before, fall, counts)
    assert not before.any()
    assert not fall.any()
