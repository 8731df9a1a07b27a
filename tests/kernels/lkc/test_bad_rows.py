"""Marks: what is marked on one level is known on the others."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.cells_by_definition import Members, members, sheet_of
from unlinkable.kernels.lkc.bad_rows import ask, forget, has_good, mark, tell
from unlinkable.kernels.lkc.bitmaps import WORDS


@given(members(), st.data())
def test_members_are_told_what_is_marked_and_rows_what_is_known(
    drawn: Members, data: st.DataObject
) -> None:
    sheet = sheet_of(drawn)
    j = data.draw(st.integers(0, drawn.n_columns - 1))
    code = drawn.codes[data.draw(st.integers(0, len(drawn.codes) - 1))][j]
    slot = int(sheet[5][0, j, code])
    everything = np.full(sheet[6][0, WORDS], ~np.uint64(0))
    marks = np.ones(len(drawn.codes), bool), np.zeros(sheet[1].size // 64, np.uint64)
    mark(0, everything, np.array([-1, slot, -1]), sheet, marks)
    assert marks[0].all()
    tell(0, sheet, marks)
    expected = [codes[j] != code for codes in drawn.codes]
    assert marks[0].tolist() == expected
    forget(0, sheet, marks)
    assert not marks[1].any()
    ask(0, sheet, marks)
    assert has_good(0, everything, sheet, marks) is any(expected)
    tell(0, sheet, marks)  # The padding is marked, and nobody's.
    assert marks[0].tolist() == expected
