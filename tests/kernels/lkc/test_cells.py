"""Cells: parts, weights and what is odd about them, against plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.lkc.cells import (
    BETTER,
    SMALL,
    TELLING,
    Rows,
    is_odd,
    is_worth,
    scratch_for,
    split,
    weigh,
)

Row = tuple[int, int, int, list[int]]
"""A code, a size, a value and owners."""

ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 4), st.integers(0, 2), st.lists(st.integers(0, 4))),
    min_size=1,
    max_size=12,
)


def rows_of(rows: list[Row], *, owned: bool) -> Rows:
    owners = [owner for *_, mine in rows for owner in mine] if owned else []
    ends = np.cumsum([0, *(len(mine) if owned else 0 for *_, mine in rows)])
    return (
        np.array([size for _, size, _, _ in rows], np.int64),
        np.array([value for _, _, value, _ in rows], np.int32),
        ends.astype(np.int64),
        np.array(owners, np.int32),
    )


def weight_of(rows: list[Row], *, owned: bool) -> tuple[int, int, int]:
    records = sum(size for _, size, _, _ in rows)
    counts: Counter[int] = Counter()
    for _, size, value, _ in rows:
        counts[value] += size if value else 0
    people = len({owner for *_, mine in rows for owner in mine}) if owned else records
    return people, records, max(counts.values())


@given(ROWS, st.data())
def test_a_cell_is_parted_by_its_codes(rows: list[Row], data: st.DataObject) -> None:
    cell = data.draw(st.lists(st.sampled_from(range(len(rows))), unique=True, min_size=1))
    codes = np.array([code for code, *_ in rows], np.int32)
    scratch = scratch_for(rows_of(rows, owned=False), 4)
    out, cuts = np.empty(len(cell), np.int32), np.empty(len(cell) + 1, np.int64)
    for _ in range(2):  # the scratch is as before
        n_parts = split(np.array(cell, np.int32), codes, scratch, out, cuts)
        parts = [out[cuts[p] : cuts[p + 1]].tolist() for p in range(n_parts)]
        first = dict.fromkeys(int(codes[row]) for row in cell)
        assert parts == [[row for row in cell if codes[row] == code] for code in first]


@given(ROWS, st.booleans(), st.data())
def test_a_cell_weighs_its_people_records_and_most_frequent_value(
    rows: list[Row], owned: bool, data: st.DataObject
) -> None:
    owned = owned and any(mine for *_, mine in rows)
    arrays = rows_of(rows, owned=owned)
    scratch = scratch_for(arrays, 4)
    for _ in range(2):
        cell = data.draw(st.lists(st.sampled_from(range(len(rows))), unique=True, min_size=1))
        weigh(np.array(cell, np.int32), arrays, scratch)
        assert tuple(scratch[4][:3].tolist()) == weight_of([rows[i] for i in cell], owned=owned)


@given(ROWS, st.integers(0, 12), st.integers(1, 6), st.integers(1, 6))
def test_an_odd_part_is_found_without_parting(rows: list[Row], fewest: int, p: int, q: int) -> None:
    rows = rows * 4  # enough to be counted in one pass
    arrays = rows_of(rows, owned=False)
    codes = np.array([code for code, *_ in rows], np.int32)
    parts = [[row for row in rows if row[0] == code] for code in {*codes.tolist()}]
    weights = [weight_of(part, owned=False) for part in parts]
    odd = any(n < fewest or peak * q > p * n for _, n, peak in weights)
    cell, scratch = np.arange(len(rows), dtype=np.int32), scratch_for(arrays, 4)
    for least, most in (((fewest, 0), (p, q, 1, 1)), ((0, fewest), (1, 1, p, q))):
        assert is_odd(cell, codes, 4, arrays, scratch, least, most) is odd
    assert not scratch[2].any()


def test_what_takes_too_long_to_tell_may_be_odd() -> None:
    arrays = rows_of([(0, 9, 0, [])], owned=False)
    cell, codes = np.zeros(1, np.int32), np.zeros(1, np.int32)
    never = (0, 0), (1, 1, 1, 1)
    assert not is_odd(cell, codes, 1, arrays, scratch_for(arrays, 1), *never)
    assert is_odd(cell, codes, 5, arrays, scratch_for(arrays, 5), *never)
    owned = rows_of([(0, 9, 0, [0])], owned=True)
    assert is_odd(cell, codes, 1, owned, scratch_for(owned, 1), *never)


def test_a_cell_is_worth_a_look_if_something_may_be_found_or_marked() -> None:
    cell = np.arange(2, dtype=np.int32)

    def is_worth_it(flags: list[int], good: list[bool]) -> bool:
        return bool(is_worth(cell, np.array(flags, np.uint8), np.array(good)))

    assert is_worth_it([0, BETTER], [False, False])
    assert is_worth_it([0, SMALL], [False, True])
    assert not is_worth_it([0, SMALL], [True, False])
    assert is_worth_it([TELLING, 0], [False, True])
    assert not is_worth_it([TELLING, TELLING], [False, False])
    assert not is_worth_it([0, 0], [True, True])
