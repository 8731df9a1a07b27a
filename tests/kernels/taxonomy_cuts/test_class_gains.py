"""What refinements tell of the class, against entropies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.taxonomy_cuts.class_gains import (
    best_split,
    gain_of_parts,
    gains_of_disclosures,
)

rows_of_counts = st.lists(
    st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=2, max_size=7
)


def entropy(counts: Sequence[int]) -> float:
    n = sum(counts)
    return -sum(c / n * math.log2(c / n) for c in counts if c)


def total(rows: Sequence[Sequence[int]]) -> list[int]:
    return [sum(row[c] for row in rows) for c in range(3)]


def gain(*parts: Sequence[Sequence[int]]) -> float:
    """E of all less the mean E of the parts."""
    whole = total([row for part in parts for row in part])
    if not sum(whole):
        return 0.0
    rest = sum(sum(total(part)) * entropy(total(part)) for part in parts if sum(total(part)))
    return entropy(whole) - rest / sum(whole)


@given(rows_of_counts, st.data())
def test_what_parts_tell_is_their_information_gain(
    rows: list[list[int]], data: st.DataObject
) -> None:
    h = histogram_of(rows)
    bounds = sorted(data.draw(st.sets(st.integers(0, len(rows)), min_size=2)))
    told, is_mixed = gain_of_parts(
        h.indptr, h.values, h.counts, h.n_values, np.array(bounds, np.int32)
    )
    parts = [rows[a:b] for a, b in pairwise(bounds)]
    assert told == pytest.approx(gain(*parts), abs=1e-9)
    assert is_mixed == (sum(n > 0 for n in total(rows[bounds[0] : bounds[-1]])) > 1)


@given(rows_of_counts, st.data())
def test_the_best_split_is_the_first_that_tells_most(
    rows: list[list[int]], data: st.DataObject
) -> None:
    h, n = histogram_of(rows), len(rows)
    places = sorted(data.draw(st.sets(st.integers(1, n - 1), min_size=1)))
    at, told, is_mixed = best_split(
        h.indptr, h.values, h.counts, h.n_values, 0, n, np.array(places, np.int32)
    )
    gains = [gain(rows[:place], rows[place:]) for place in places]
    best = next(p for p, g in zip(places, gains, strict=True) if g >= max(gains) - 1e-9)
    assert at == best
    assert told == pytest.approx(max(gains), abs=1e-9)
    assert is_mixed == (sum(c > 0 for c in total(rows)) > 1)


@given(rows_of_counts, st.data())
def test_what_a_disclosure_tells_is_its_information_gain(
    rows: list[list[int]], data: st.DataObject
) -> None:
    h, n = histogram_of(rows), len(rows)
    hidden = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    gains, is_mixed = gains_of_disclosures(
        h.indptr, h.values, h.counts, h.n_values, np.array(hidden)
    )
    left = [v for v in range(n) if hidden[v]]
    for v in range(n):
        others = [rows[u] for u in left if u != v]
        assert gains[v] == pytest.approx(gain([rows[v]], others) if hidden[v] else 0.0, abs=1e-9)
    assert is_mixed == (sum(c > 0 for c in total([rows[v] for v in left])) > 1)


def test_a_part_that_is_like_the_whole_tells_exactly_nothing() -> None:
    h = histogram_of([[1, 2, 4], [3, 6, 12], [7, 14, 28]])
    bounds = np.array([0, 1, 2, 3], np.int32)
    assert gain_of_parts(h.indptr, h.values, h.counts, 3, bounds)[0] == 0.0
    places = np.array([1, 2], np.int32)
    assert best_split(h.indptr, h.values, h.counts, 3, 0, 3, places) == (1, 0.0, True)
