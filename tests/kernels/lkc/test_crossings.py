"""Tables by twos: the same as counting pairs, one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.cells_by_definition import Members, members, sheet_of
from unlinkable.kernels.lkc.bitmaps import WORDS, cut
from unlinkable.kernels.lkc.crossings import Tables, cross, subtract, take


def counted(drawn: Members, inside: list[int], first: int) -> tuple[Counter[object], int]:
    """Count hidden values by slot and by two slots, and the slots."""
    starts = np.cumsum([0, *np.max(drawn.codes, axis=0) + 1])
    found: Counter[object] = Counter()
    for m in inside:
        slots = [int(starts[j]) + drawn.codes[m][j] for j in range(first, drawn.n_columns)]
        for value, n in drawn.hidden[m].items():
            for i, a in enumerate(slots):
                found[value, a - int(starts[first])] += n
                for b in slots[i + 1 :]:
                    found[value, a - int(starts[first]), b - int(starts[first])] += n
    return found, int(starts[-1] - starts[first])


def room(n_slots: int) -> Tables:
    return np.full((3, n_slots), -7), np.full((3, n_slots, n_slots), -7)


def read(
    tables: Tables, n_slots: int, sheet: tuple[np.ndarray, ...], first: int
) -> Counter[object]:
    """Read all entries but 0; of two slots, those of different columns."""
    starts = sheet[3][0]
    column = np.searchsorted(starts, np.arange(n_slots) + starts[first], side="right")
    found: Counter[object] = Counter()
    for value in range(3):
        for a in range(n_slots):
            found[value, a] = int(tables[0][value, a])
            for b in range(a + 1, n_slots):
                if column[b] > column[a]:
                    found[value, a, b] = int(tables[1][value, a, b])
    return Counter({key: n for key, n in found.items() if n})


@given(members(), st.data())
def test_tables_are_what_counting_gives(drawn: Members, data: st.DataObject) -> None:
    sheet = sheet_of(drawn)
    first = data.draw(st.integers(0, drawn.n_columns - 1))
    code = data.draw(st.sampled_from(sorted({codes[0] for codes in drawn.codes})))
    mask, counts = np.zeros(sheet[6][0, WORDS], np.uint64), np.zeros(3, np.int64)
    cut(0, ~mask, int(sheet[5][0, 0, code]), sheet, mask, counts)
    inside = [m for m, codes in enumerate(drawn.codes) if codes[0] == code]
    expected, n_slots = counted(drawn, inside, first)
    tables = room(n_slots)
    cross(0, first, 2, mask, counts, sheet, tables)
    assert read(tables, n_slots, sheet, first) == expected
    single = room(n_slots)
    cross(0, first, 1, mask, counts, sheet, single)
    assert np.array_equal(single[0], tables[0])
    assert (single[1] == -7).all()


@given(members())
def test_the_last_value_is_left_by_the_others(drawn: Members) -> None:
    sheet = sheet_of(drawn)
    n_first = max(codes[0] for codes in drawn.codes) + 1
    n_slots = int(sheet[3][0, drawn.n_columns])
    n_after = n_slots - n_first
    everything, counts = np.full(sheet[6][0, WORDS], ~np.uint64(0)), np.zeros(3, np.int64)
    for there in drawn.hidden:
        for value, n in there.items():
            counts[value] += n
    whole, part, rest = room(n_slots), room(n_after), room(n_after)
    cross(0, 0, 2, everything, counts, sheet, whole)
    take(whole, n_first, n_after, rest)
    for code in range(n_first - 1):
        mask = np.zeros_like(everything)
        cut(0, everything, code, sheet, mask, counts)
        cross(0, min(1, drawn.n_columns - 1), 2, mask, counts, sheet, part if n_after else whole)
        subtract(part, n_after, rest)
    if n_after:
        inside = [m for m, codes in enumerate(drawn.codes) if codes[0] == n_first - 1]
        assert read(rest, n_after, sheet, 1) == counted(drawn, inside, 1)[0]
