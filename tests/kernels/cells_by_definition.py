"""Members on combinations of columns, in plain Python, and the same members as a sheet of bits."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from unlinkable.kernels.lkc.bitmaps import COLUMNS, Sheet
from unlinkable.kernels.lkc.sheets import make_sheet

__all__ = ["Cell", "Members", "cells", "members", "sheet_of"]


@dataclass(frozen=True)
class Members:
    """Members: what each shows, its records by hidden value, and the owner of each record."""

    codes: list[tuple[int, ...]]
    hidden: list[dict[int, int]]
    owners: list[list[int]]

    @property
    def n_columns(self) -> int:
        return len(self.codes[0])


@dataclass(frozen=True)
class Cell:
    """Members that agree on some columns."""

    columns: tuple[int, ...]
    inside: tuple[int, ...]
    people: int
    records: int
    peak: int


@st.composite
def members(draw: st.DrawFn, max_columns: int = 6, max_members: int = 24) -> Members:
    """Draw members that may look alike; people own up to five records."""
    widths = draw(st.lists(st.integers(1, 3), min_size=1, max_size=max_columns))
    code = st.tuples(*(st.integers(0, width) for width in widths))
    codes = draw(st.lists(code, min_size=1, max_size=max_members))
    amount = st.dictionaries(st.integers(0, 2), st.integers(1, 6), min_size=1)
    hidden = [draw(amount) for _ in codes]
    n_people = draw(st.integers(1, 30))
    number, owners = 0, []
    for amounts in hidden:
        n = sum(amounts.values())
        owners.append([(number + i) % n_people for i in range(n)])
        number += draw(st.integers(0, n))
    return Members(codes, hidden, owners)


def cells(drawn: Members, length: int) -> list[Cell]:
    """Form every combination of so many columns."""
    found = []
    for columns in combinations(range(drawn.n_columns), length):
        inside: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for m, codes in enumerate(drawn.codes):
            inside[tuple(codes[j] for j in columns)].append(m)
        for there in inside.values():
            counts: Counter[int] = Counter()
            for m in there:
                counts.update(drawn.hidden[m])
            peak = max((n for value, n in counts.items() if value), default=0)
            people = len({owner for m in there for owner in drawn.owners[m]})
            found.append(Cell(columns, tuple(there), people, counts.total(), peak))
    return found


def sheet_of(drawn: Members, n_levels: int = 5) -> Sheet:
    """Lay out members as bits."""
    rows = [(m, n, value) for m, there in enumerate(drawn.hidden) for value, n in there.items()]
    member_of, sizes, values = zip(*rows, strict=True)
    codes = np.array(drawn.codes, np.uint8).reshape(len(drawn.codes), -1)
    sheet: Sheet = make_sheet(
        (np.array(member_of, np.int32), np.array(sizes, np.int64), np.array(values, np.int32)),
        3,
        codes,
        codes.max(axis=0).astype(np.int64) + 1,
        n_levels,
    )
    assert sheet[6][0, COLUMNS] == drawn.n_columns
    return sheet
