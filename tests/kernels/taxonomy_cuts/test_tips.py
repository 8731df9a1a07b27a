"""Leaf partitions and their links, against plain lists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.taxonomy_cuts.tips import (
    arrange,
    count_parts,
    follow,
    relink,
    settle,
    show_alone,
    show_parts,
)
from unlinkable.typing import CodeArray, CountArray

N_TARGETS = 3


@dataclass(frozen=True)
class Laid:
    """Rows in stretches, and the codes, sizes and targets that they have."""

    order: CodeArray
    codes: CodeArray
    sizes: CountArray
    start: CountArray
    end: CountArray
    target: CodeArray

    def rows(self, leaf: int) -> list[int]:
        return [int(row) for row in self.order[self.start[leaf] : self.end[leaf]]]

    def parts(self, leaf: int) -> dict[int, list[int]]:
        """List the rows of each part of a leaf."""
        found: dict[int, list[int]] = {}
        for row in self.rows(leaf):
            found.setdefault(int(self.target[self.codes[row]]), []).append(row)
        return found


@st.composite
def laid(draw: st.DrawFn) -> Laid:
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=5))
    n = sum(lengths)
    ends = np.cumsum(lengths, dtype=np.int64)
    some = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    return Laid(
        order=np.array(draw(st.permutations(range(n))), np.int32),
        codes=np.array(draw(some), np.int32),
        sizes=np.array(draw(some), np.int64),
        start=ends - np.array(lengths, np.int64),
        end=ends,
        target=np.array(
            draw(st.lists(st.integers(0, N_TARGETS - 1), min_size=4, max_size=4)), np.int32
        ),
    )


@given(laid(), st.data())
def test_parts_are_counted_and_then_made(table: Laid, data: st.DataObject) -> None:
    n = table.start.size
    chosen = data.draw(st.lists(st.sampled_from(range(n)), unique=True))
    leaves = np.array(chosen, np.int32)
    expected = {leaf: table.parts(leaf) for leaf in range(n)}
    ends, which, start, end, records = count_parts(
        table.order,
        table.codes,
        table.sizes,
        table.start,
        table.end,
        leaves,
        table.target,
        N_TARGETS,
    )
    for g, leaf in enumerate(chosen):
        parts = expected[leaf]
        own = slice(ends[g], ends[g + 1])
        assert which[own].tolist() == list(parts)
        assert (end - start)[own].tolist() == [len(rows) for rows in parts.values()]
        sums = [int(table.sizes[rows].sum()) for rows in parts.values()]
        assert records[own].tolist() == sums
    order = table.order.copy()
    arrange(
        order,
        table.codes,
        table.start,
        table.end,
        leaves,
        table.target,
        N_TARGETS,
        ends,
        which,
        start,
    )
    for g, leaf in enumerate(chosen):
        for p, rows in zip(range(ends[g], ends[g + 1]), expected[leaf].values(), strict=True):
            assert order[start[p] : end[p]].tolist() == rows
    untouched = [leaf for leaf in range(n) if leaf not in chosen]
    for leaf in untouched:
        assert order[table.start[leaf] : table.end[leaf]].tolist() == table.rows(leaf)


@given(laid())
def test_parts_become_leaves_on_the_chains_of_their_values(table: Laid) -> None:
    n, d, column = table.start.size, 2, 1
    leaves = np.arange(n, dtype=np.int32)
    ends, which, start, end, records = count_parts(
        table.order,
        table.codes,
        table.sizes,
        table.start,
        table.end,
        leaves,
        table.target,
        N_TARGETS,
    )
    room = which.size
    new_start, new_end, new_records = (np.zeros(room, np.int64) for _ in range(3))
    new_start[:n], new_end[:n] = table.start, table.end
    # All leaves show value 0 on the first column, and 1 on the second.
    following = np.full((d, room), -1, np.int32)
    following[:, : n - 1] = np.arange(1, n)
    head = np.array([0, -1, -1, -1, -1], np.int32)
    shown = np.zeros((d, room), np.int32)
    shown[column, :n] = 1
    places = settle(new_start, new_end, new_records, n, leaves, ends, start, end, records)
    values = (which + 2).astype(np.int32)
    relink(following, head, column, leaves, ends, places, values)
    show_parts(shown, column, leaves, ends, places, values)
    assert sorted(places.tolist()) == list(range(room))
    assert places[ends[:-1]].tolist() == leaves.tolist()
    for p, place in enumerate(places.tolist()):
        assert (new_start[place], new_end[place]) == (start[p], end[p])
        assert new_records[place] == records[p]
        assert shown[:, place].tolist() == [0, values[p]]
    several = {place for place in range(room) if new_end[place] - new_start[place] > 1}
    assert set(follow(head, 0, following[0], new_start, new_end).tolist()) == several
    for value in range(2, 2 + N_TARGETS):
        mine = {place for place in several if shown[column, place] == value}
        found = follow(head, value, following[column], new_start, new_end).tolist()
        assert len(found) == len(set(found))
        assert set(found) == mine
        # Leaves of one row are gone from the chain.
        walked, leaf = [], int(head[value])
        while leaf >= 0:
            walked.append(leaf)
            leaf = int(following[column, leaf])
        assert walked == found


@given(laid(), st.data())
def test_leaves_of_one_row_show_what_their_row_says(table: Laid, data: st.DataObject) -> None:
    n = table.start.size
    shown = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.int32)
    before = shown.tolist()
    parts = np.array([7, 8, 9], np.int32)
    alone = show_alone(
        shown,
        n,
        table.order,
        table.codes,
        table.start,
        table.end,
        1,
        table.target,
        parts,
    )
    expected = [g for g in range(n) if before[g] == 1 and len(table.rows(g)) == 1]
    assert alone.tolist() == expected
    for g in range(n):
        told = 7 + int(table.target[table.codes[table.rows(g)[0]]])
        assert shown[g] == (told if g in expected else before[g])
