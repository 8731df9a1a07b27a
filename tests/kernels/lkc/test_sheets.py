"""Sheets: every record is in one stretch, under its weight and its hidden value."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from tests.kernels.cells_by_definition import Members, members, sheet_of
from unlinkable.kernels.lkc.bitmaps import BITS, MEMBERS, WORDS


@given(members())
def test_stretches_add_up_to_the_records_of_every_member(drawn: Members) -> None:
    _, member_at, ends, _, _, _, shapes, stretches, _ = sheet_of(drawn)
    found: Counter[tuple[int, int]] = Counter()
    lo = 0
    for (value, weight), hi in zip(stretches.tolist(), ends[0].tolist(), strict=True):
        for member in member_at[64 * lo : 64 * hi].tolist():
            if member >= 0:
                found[member, value] += weight
        lo = hi
    assert lo == shapes[0, WORDS]
    assert found == {(m, v): n for m, there in enumerate(drawn.hidden) for v, n in there.items()}


@given(members())
def test_a_row_has_the_bit_of_its_code_and_no_other(drawn: Members) -> None:
    bits, member_at, _, starts, _, slots, shapes, _, codes = sheet_of(drawn)
    words = int(shapes[0, WORDS])
    for row in range(64 * words):
        member = int(member_at[row])
        for j in range(drawn.n_columns):
            has = [
                int(bits[slot * words + row // 64]) >> row % 64 & 1
                for slot in range(starts[0, j], starts[0, j + 1])
            ]
            slot = slots[0, j, codes[member, j]] - starts[0, j] if member >= 0 else -1
            assert has == [i == slot for i in range(len(has))]


@given(members())
def test_every_level_has_room_of_its_own(drawn: Members) -> None:
    bits, member_at, _, starts, _, _, shapes, _, _ = sheet_of(drawn, n_levels=3)
    n_slots = starts[0, drawn.n_columns]
    words = [int(shapes[0, WORDS])]
    for level in (1, 2):
        begin = shapes[level - 1, MEMBERS], shapes[level - 1, BITS]
        assert shapes[level, MEMBERS] - begin[0] == 64 * words[-1]
        assert shapes[level, BITS] - begin[1] == n_slots * words[-1]
        words.append(words[-1] // 2 + len(sheet_of(drawn)[7]))
    assert member_at.size == shapes[2, MEMBERS] + 64 * words[2]
    assert bits.size == shapes[2, BITS] + n_slots * words[2]
