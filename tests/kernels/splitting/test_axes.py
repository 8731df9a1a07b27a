"""Axes: how wide columns are, in which order they come, and where they may be cut."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.splitting.axes import (
    by_width,
    child_level,
    list_columns,
    mixes_missing,
    next_widest,
)
from unlinkable.typing import CodeArray, CountArray, FloatArray

N_CODES = 6


@st.composite
def boxes(draw: st.DrawFn) -> tuple[CodeArray, CodeArray, FloatArray, CountArray]:
    """Draw regions on up to four columns, some with a missing value, of different scales."""
    d = draw(st.integers(1, 4))
    ends = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=d, max_size=d)
    drawn = np.array(draw(st.lists(ends, min_size=1, max_size=3)))
    lo, hi = drawn.min(axis=2).astype(np.int32), drawn.max(axis=2).astype(np.int32) + 1
    scale = np.array(draw(st.lists(st.sampled_from([0.2, 0.5, 1.0]), min_size=d, max_size=d)))
    missing = draw(st.lists(st.sampled_from([-1, N_CODES - 1]), min_size=d, max_size=d))
    plan = np.array([[m, N_CODES, 1, -1] for m in missing], np.int64)
    return lo, hi.astype(np.int32), scale, plan


def by_definition(lo: list[int], hi: list[int], scale: FloatArray, plan: CountArray) -> list[int]:
    """Columns that have a width, from wide to narrow, the first of equal ones first."""
    widths = []
    for a, z, s, (missing, n_codes, _, _) in zip(lo, hi, scale, plan, strict=True):
        mixes = missing == z - 1 and z - a > 1
        widths.append(s * ((n_codes if mixes else z - a) - 1))
    order = sorted(range(len(widths)), key=lambda j: -widths[j])
    return [j for j in order if widths[j] > 0]


@given(boxes())
def test_columns_come_from_wide_to_narrow(
    drawn: tuple[CodeArray, CodeArray, FloatArray, CountArray],
) -> None:
    lo, hi, scale, plan = drawn
    found = []
    for g in range(len(lo)):
        expected = by_definition(lo[g].tolist(), hi[g].tolist(), scale, plan)
        j, walk = next_widest(lo, hi, g, -1, scale, plan), []
        while j >= 0:
            walk.append(j)
            j = next_widest(lo, hi, g, j, scale, plan)
        assert walk == expected
        for first in range(lo.shape[1]):
            others = [c for c in expected if c != first]
            assert by_width(lo, hi, g, first, scale, plan).tolist() == [first, *others]
        found += [(g, c) for c in expected]
    regions, columns = list_columns(lo, hi, scale, plan)
    assert list(zip(regions.tolist(), columns.tolist(), strict=True)) == found


def test_a_range_mixes_missing_only_beside_others() -> None:
    assert mixes_missing(4, 6, 5)
    assert not mixes_missing(5, 6, 5)
    assert not mixes_missing(3, 5, 5)
    assert not mixes_missing(3, 6, -1)


def test_children_are_the_coarsest_nodes_that_differ() -> None:
    # Codes 0 to 5 in pairs {0, 1}, {2, 3}, {4, 5} and halves {0, ..., 3}, {4, 5}; begins at 7.
    levels = [[0, 1, 2, 3, 4, 5], [0, 0, 2, 2, 4, 4], [0, 0, 0, 0, 4, 4]]
    firsts = np.array([9] * 7 + [c for level in levels for c in level], np.int32)
    plan = np.array([[-1, 6, 3, 7], [-1, 6, 3, -1]], np.int64)
    assert child_level(plan, firsts, 0, 0, 6) == 7 + 12
    assert child_level(plan, firsts, 0, 0, 4) == 7 + 6
    assert child_level(plan, firsts, 0, 2, 4) == 7
    assert child_level(plan, firsts, 1, 0, 6) == -1
