"""Counting a join part by part is counting its rows."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.counting import joined_counts as at
from unlinkable.kernels.counting.joined_counts import count_joined, exceeds

large = st.integers(0, 1 << 62)


@given(large, large, large, large)
def test_fractions_are_compared_exactly(n: int, d: int, p: int, q: int) -> None:
    d, q = d + 1, q + 1
    assert exceeds(n, d, p, q) == (Fraction(n, d) > Fraction(p, q))
    assert not exceeds(n, d, n, d)


@given(st.integers(1, 1 << 30), st.integers(1, 1 << 30))
def test_neighbouring_fractions_are_told_apart(n: int, d: int) -> None:
    assert exceeds(n + 1, d, n, d)
    assert exceeds(n, d, n, d + 1)
    assert not exceeds(n, d + 1, n, d)


records = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=8
)


@given(
    records,
    records,
    st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2))),
    st.fractions(Fraction(1, 5), 1, max_denominator=5),
    st.integers(1, 3),
    st.booleans(),
)
def test_counts_what_the_rows_of_the_join_show(
    first: list[tuple[int, int, int]],
    second: list[tuple[int, int, int]],
    matching: set[tuple[int, int]],
    most: Fraction,
    k: int,
    is_first: bool,
) -> None:
    """Records are (node, x, y); y is hidden in one of the two tables."""
    if is_first:
        second = [(node, x, 0) for node, x, _ in second]
    else:
        first = [(node, x, 0) for node, x, _ in first]
    out, falls, parts = _counted(first, second, matching, most, k)

    rows = [(a, b) for a in first for b in second if (a[0], b[0]) in matching]
    for x2 in range(3):
        groups = Counter((a[1], b[1]) for a, b in rows if b[1] == x2)
        hidden = Counter((a[1], b[1], a[2], b[2]) for a, b in rows if b[1] == x2)
        shares = {key: Fraction(n, groups[key[:2]]) for key, n in hidden.items()}
        kinds = {key: sum(other[:2] == key for other in hidden) for key in groups}
        bad = {key[:2] for key, share in shares.items() if share > most}
        bad |= {key for key, n in kinds.items() if n < k}
        line = out[x2]
        assert line[at.GROUPS] == len(groups)
        assert line[at.BAD] == len(bad)
        assert Fraction(int(line[at.PART]), int(line[at.WHOLE])) == max(shares.values(), default=0)
        if groups:
            assert line[at.LEAST_ROWS] == min(groups.values())
            assert line[at.LEAST_KINDS] == min(kinds.values())
            key = (line[at.X], x2, line[at.Y1], line[at.Y2])
            assert shares[key] == max(shares.values())
        fallen = {b[:2] for a, b in rows if (a[1], b[1]) in bad and b[1] == x2}
        assert {
            p for p, falls_ in zip(parts, falls, strict=True) if falls_ and p[1] == x2
        } == fallen
        mine = sum(b[1] == x2 for b in second)
        before = {x1: sum(a[1] == x1 for a in first) for x1 in range(3)}
        assert line[at.SHARPER] == sum(n < min(before[x], mine) for (x, _), n in groups.items())
        assert line[at.WEAKER] == sum(n > max(before[x], mine) for (x, _), n in groups.items())


def _counted(
    first: list[tuple[int, int, int]],
    second: list[tuple[int, int, int]],
    matching: set[tuple[int, int]],
    most: Fraction,
    k: int,
) -> tuple[np.ndarray, list[bool], list[tuple[int, int]]]:
    sizes = Counter((node, x) for node, x, _ in second)
    parts = sorted(sizes, key=lambda part: (part[1], part[0]))
    hidden = Counter((x, y, node) for node, x, y in second)
    in_order = sorted(hidden)
    theirs = Counter((node, x) for node, x, _ in first)
    pairs = sorted({(x, y) for _, x, y in first})
    entries = Counter((node, pairs.index((x, y))) for node, x, y in first)
    alone, own = (
        [[sum(record[1] == x for record in table)] * 2 for x in range(3)]
        for table in (first, second)
    )
    out, falls = count_joined(
        _starts([x for _, x in parts]),
        np.array([node for node, _ in parts], np.int32),
        np.array([sizes[part] for part in parts], np.int64),
        _starts([x for x, _, _ in in_order]),
        np.array([[y, node, hidden[x, y, node]] for x, y, node in in_order], np.int64),
        _starts([b for b in range(3) for a in range(3) if (a, b) in matching]),
        np.array([a for b in range(3) for a in range(3) if (a, b) in matching], np.int32),
        _starts([node for node, _ in sorted(theirs)]),
        np.array([[x, theirs[node, x]] for node, x in sorted(theirs)], np.int64),
        _starts([node for node, _ in sorted(entries)]),
        np.array([[pair, entries[node, pair]] for node, pair in sorted(entries)], np.int64),
        np.array(pairs, np.int32),
        np.array(alone, np.int64),
        np.array(own, np.int64),
        np.ones(3, bool),
        np.ones(3, bool),
        (most.numerator, most.denominator),
        k,
    )
    return out, falls.tolist(), parts


def _starts(labels: list[int]) -> np.ndarray:
    return np.searchsorted(labels, range(4)).astype(np.int64)
