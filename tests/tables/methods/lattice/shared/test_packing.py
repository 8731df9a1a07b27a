"""Packing: any number of attributes of any size in 64-bit words."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.methods.lattice.shared.packing import Packing, Scratch

sizes = st.lists(st.sampled_from([1, 2, 3, 100, 1 << 20, (1 << 31) - 1]), min_size=1, max_size=9)


@st.composite
def packed(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, ...]]]:
    """Draw sizes of attributes, and rows of codes with repetitions."""
    domain = draw(sizes)
    row = st.tuples(*[st.sampled_from([0, size // 2, size - 1]) for size in domain])
    return domain, draw(st.lists(row, min_size=1, max_size=30))


def as_array(rows: list[tuple[int, ...]]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.array(rows, np.int32).reshape(len(rows), -1)


@given(packed())
def test_what_was_packed_can_be_taken_out(given: tuple[list[int], list[tuple[int, ...]]]) -> None:
    domain, rows = given
    packing = Packing.of(domain)
    keys = packing.pack(as_array(rows))
    found = [packing.codes(keys, j).tolist() for j in range(len(domain))]
    assert list(zip(*found, strict=True)) == rows


@given(packed())
def test_fields_do_not_overlap_and_fit_into_their_words(
    given: tuple[list[int], list[tuple[int, ...]]],
) -> None:
    packing = Packing.of(given[0])
    for word in range(packing.n_words):
        fields = [f for f in packing.fields if f.word == word]
        bits = [f.mask << f.shift for f in fields]
        assert sum(bits) < 1 << 64
        assert all(a & b == 0 for i, a in enumerate(bits) for b in bits[:i])


@given(packed(), st.data())
def test_equal_rows_are_merged(
    given: tuple[list[int], list[tuple[int, ...]]], data: st.DataObject
) -> None:
    domain, rows = given
    n = len(rows)
    sizes = data.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    packing = Packing.of(domain)
    keys = packing.pack(as_array(rows))
    labels, distinct, sums = packing.merge(keys, np.array(sizes, np.int64), Scratch(n))
    expected = list(dict.fromkeys(rows))
    assert labels.tolist() == [expected.index(row) for row in rows]
    assert distinct.tolist() == packing.pack(as_array(expected)).tolist()
    pairs = list(zip(rows, sizes, strict=True))
    assert sums.tolist() == [sum(s for r, s in pairs if r == row) for row in expected]
    assert packing.find(distinct, keys).tolist() == labels.tolist()
