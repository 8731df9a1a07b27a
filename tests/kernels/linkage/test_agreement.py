"""How far pairs agree, and what follows: each pair by itself in plain Python."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.linkage.agreement import believe, compare, expect, first_peaks, mark_levels

N_CODES = 5
ranges = st.tuples(st.integers(0, N_CODES - 1), st.integers(1, N_CODES)).map(
    lambda pair: (pair[0], min(pair[0] + pair[1], N_CODES))
)


@given(
    st.lists(st.tuples(ranges, st.booleans()), min_size=1, max_size=4),
    st.lists(st.tuples(ranges, st.booleans()), min_size=1, max_size=4),
    st.lists(st.sets(st.integers(0, N_CODES - 1)), min_size=N_CODES, max_size=N_CODES),
    st.integers(0, 1),
)
def test_finds_the_level_of_every_pair(
    listed: list[tuple[tuple[int, int], bool]],
    shown: list[tuple[tuple[int, int], bool]],
    close: list[set[int]],
    reach: int,
) -> None:
    a, b = (np.array([r for r, _ in side], np.int32) for side in (listed, shown))
    tells = [np.array([t for _, t in side], bool) for side in (listed, shown)]
    near = (a + np.array([-reach, reach])).astype(np.int32)
    starts = np.cumsum([0, *map(len, close)]).astype(np.int64)
    codes = np.array([c for one in close for c in sorted(one)], np.int32)
    indptr = np.arange(len(a) + 1) * len(b)
    looks = np.tile(np.arange(len(b), dtype=np.int32), len(a))
    rarity = np.arange(4 * len(b), dtype=float).reshape(-1, 4)
    levels, weights = np.zeros(looks.size, np.uint8), np.zeros(looks.size, np.float32)
    mark_levels(
        indptr, looks,
        np.arange(len(a), dtype=np.int32), a, near, tells[0],
        np.arange(len(b), dtype=np.int32), b, tells[1],
        starts, codes, rarity, levels, weights,
    )  # fmt: skip
    e = 0
    for (lo, hi), told in listed:
        for look, ((first, end), shows) in enumerate(shown):
            here = set(range(first, end))
            if not (told and shows):
                expected = 0
            elif set(range(lo, hi)) & here:
                expected = 3
            elif set(range(lo - reach, hi + reach)) & here or (hi - lo == 1 and close[lo] & here):
                expected = 2
            else:
                expected = 1
            assert levels[e] == expected
            assert weights[e] == rarity[look, expected]
            e += 1


@given(st.integers(0, 4), st.integers(1, 4), st.integers(1, 3), st.integers(0, 999))
def test_expects_and_believes_what_bayes_says(n: int, m: int, d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    indptr, looks = np.arange(n + 1) * m, np.tile(np.arange(m, dtype=np.int32), n)
    levels = rng.integers(0, 4, (d, n * m)).astype(np.uint8)
    weights = rng.normal(size=n * m).astype(np.float32)
    sizes, people = rng.integers(1, 4, m), rng.integers(1, 4, n).astype(float)
    log_m, present, n_records = np.log(rng.uniform(0.1, 1, (d, 4))), 0.3, int(sizes.sum())
    ratios = [exp(weights[e] + sum(log_m[j, levels[j, e]] for j in range(d))) for e in range(n * m)]
    assert compare(levels, weights, log_m, 2.0) == pytest.approx([2 * r for r in ratios])
    scale, sums, met, likelihood = present / n_records, np.zeros((d, 4)), 0.0, 0.0
    beliefs = []
    for i in range(n):
        own = ratios[i * m : (i + 1) * m]
        below = 1 - present + scale * sum(s * r for s, r in zip(sizes, own, strict=True))
        likelihood += people[i] * log(below)
        for k, ratio in enumerate(own):
            beliefs.append(scale * ratio / below)
            share = people[i] * sizes[k] * beliefs[-1]
            met += share
            for j in range(d):
                sums[j, levels[j, i * m + k]] += share
    found = expect(indptr, looks, levels, weights, sizes, people, log_m, present, n_records)
    assert found[0] == pytest.approx(sums)
    assert found[1:] == pytest.approx((met, likelihood))
    told = believe(indptr, looks, levels, weights, sizes, log_m, present, n_records)
    assert told == pytest.approx(np.array(beliefs))


@given(st.lists(st.lists(st.integers(0, 3), max_size=5), max_size=5))
def test_finds_the_first_of_the_highest_entries(rows: list[list[int]]) -> None:
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    found = first_peaks(indptr, np.array([v for row in rows for v in row], float))
    expected = [
        s + row.index(max(row)) if row else -1 for s, row in zip(indptr, rows, strict=False)
    ]
    assert found.tolist() == expected
