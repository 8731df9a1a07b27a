"""Rows as bits: cells that are cut, gathered and walked through, against plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.cells_by_definition import Members, members, sheet_of
from unlinkable.kernels.lkc.bitmaps import (
    COLUMNS,
    MEMBERS,
    PADDING,
    SHRINKS,
    WORDS,
    Bits,
    Sheet,
    cut,
    fill,
    gather,
    next_row,
    ones,
)


def whole(sheet: Sheet) -> Bits:
    mask = np.zeros(sheet[6][0, WORDS], np.uint64)
    fill(mask, mask.size)
    return mask


def rows_in(level: int, mask: Bits, meeting: list[int], sheet: Sheet) -> list[int]:
    """Walk through the rows of a cell, and give their members."""
    found, row = [], next_row(level, mask, np.array(meeting), 0, sheet)
    while row >= 0:
        found.append(int(sheet[1][sheet[6][level, MEMBERS] + row]))
        row = next_row(level, mask, np.array(meeting), row + 1, sheet)
    return [member for member in found if member != PADDING]


@given(st.integers(0, 2**64 - 1))
def test_ones_are_counted(word: int) -> None:
    assert ones(np.uint64(word)) == word.bit_count()


@given(members(), st.data())
def test_a_cut_keeps_the_rows_with_a_value_and_counts_their_records(
    drawn: Members, data: st.DataObject
) -> None:
    sheet = sheet_of(drawn)
    j = data.draw(st.integers(0, drawn.n_columns - 1))
    code = data.draw(st.sampled_from(sorted({codes[j] for codes in drawn.codes})))
    cell, counts = np.zeros(sheet[6][0, WORDS], np.uint64), np.full(3, 9)
    slot = int(sheet[5][0, j, code])
    n_rows = cut(0, whole(sheet), slot, sheet, cell, counts)
    inside = [m for m, codes in enumerate(drawn.codes) if codes[j] == code]
    expected = [sum(drawn.hidden[m].get(value, 0) for m in inside) for value in range(3)]
    assert counts.tolist() == expected
    there = rows_in(0, cell, [-1, -1, -1], sheet)
    assert (len(there), set(there)) == (n_rows, set(inside))
    assert rows_in(0, whole(sheet), [-1, slot, -1], sheet) == there


@given(members(max_columns=4), st.sampled_from([2, 3]), st.data())
def test_a_gathered_cell_is_the_cell(drawn: Members, length: int, data: st.DataObject) -> None:
    sheet = sheet_of(drawn)
    code = data.draw(st.sampled_from(sorted({codes[0] for codes in drawn.codes})))
    cell, counts = np.zeros(sheet[6][0, WORDS], np.uint64), np.zeros(3, np.int64)
    n_rows = cut(0, whole(sheet), int(sheet[5][0, 0, code]), sheet, cell, counts)
    if n_rows * SHRINKS > 64 * sheet[6][0, WORDS]:
        return  # There is no room for it, and it is never asked for.
    gather(0, cell, 1, length, sheet)
    _, _, _, starts, columns, slots, shapes, _, _ = sheet
    inside = [m for m, codes in enumerate(drawn.codes) if codes[0] == code]
    below = np.full(shapes[1, WORDS], ~np.uint64(0))
    assert rows_in(1, below, [-1], sheet) == rows_in(0, cell, [-1], sheet)
    kept = columns[1, : shapes[1, COLUMNS]].tolist()
    varying = [j for j in range(1, drawn.n_columns) if len({drawn.codes[m][j] for m in inside}) > 1]
    assert kept == (varying if length > 2 else list(range(1, drawn.n_columns)))
    for i, j in enumerate(kept):
        for value in {drawn.codes[m][j] for m in inside}:
            slot = int(slots[1, i, value])
            assert starts[1, i] <= slot < starts[1, i + 1]
            there = set(rows_in(1, below, [slot], sheet))
            assert there == {m for m in inside if drawn.codes[m][j] == value}
