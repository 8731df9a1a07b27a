"""What parts tell beyond their wholes: by definition, on random rows."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.queries.information_gain import bits_told

ROWS = st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=1, max_size=5)


def by_definition(part: list[int], whole: list[int]) -> float:
    """Sum of log2(p / q) over the records of a part."""
    shares = [(c, c / sum(part), w / sum(whole)) for c, w in zip(part, whole, strict=True) if c]
    return sum(c * log2(p / q) for c, p, q in shares)


def told(parts: list[list[int]], whole_of: list[int], wholes: list[list[int]]) -> list[float]:
    a, b = histogram_of(parts), histogram_of(wholes)
    which = np.array(whole_of, np.int32)
    found = bits_told(a.indptr, a.values, a.counts, which, b.indptr, b.values, b.counts)
    return list(found.tolist())


@given(ROWS, ROWS, st.data())
def test_bits_are_those_of_the_definition(
    parts: list[list[int]], more: list[list[int]], data: st.DataObject
) -> None:
    which = [data.draw(st.integers(-1, len(more) - 1)) for _ in parts]
    wholes = [list(row) for row in more]
    for part, w in zip(parts, which, strict=True):
        if w >= 0:
            wholes[w] = [a + b for a, b in zip(wholes[w], part, strict=True)]
    expected = [
        by_definition(part, wholes[w]) if w >= 0 else 0.0
        for part, w in zip(parts, which, strict=True)
    ]
    found = told(parts, which, wholes)
    assert found == pytest.approx(expected, abs=1e-9)
    assert min(found) >= 0


@given(st.lists(st.integers(1, 2**20), min_size=1, max_size=6), st.integers(1, 2**10))
def test_a_part_like_its_whole_tells_exactly_nothing(row: list[int], times: int) -> None:
    assert told([row], [0], [[c * times for c in row]]) == [0.0]


def test_an_empty_part_tells_nothing() -> None:
    assert told([[0, 0], [1, 0]], [0, 0], [[1, 1]]) == [0.0, 1.0]


def test_rounding_makes_no_part_tell_less_than_nothing() -> None:
    part, whole = [226614242, 631969374], [679842727, 1895908123]
    assert by_definition(part, whole) < 0
    assert told([part], [0], [whole]) == [0.0]
