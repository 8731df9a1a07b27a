"""All cuts of regions, and what their halves hold."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.splitting.cuts import cut_boxes, list_cuts, tally_cuts

PLAN = np.array([[-1, 6, 1, -1], [-1, 6, 2, 0]], np.int64)
FIRSTS = np.array([0, 1, 2, 3, 4, 5, 0, 0, 2, 2, 2, 5], np.int32)
"""The second column is cut between {0, 1}, {2, 3, 4} and {5}, or within one of them."""

PAIRS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12, unique=True
)


def unit(column: int, codes: set[int], code: int) -> int:
    nodes = FIRSTS[6:]
    return int(nodes[code]) if column and len({int(nodes[c]) for c in codes}) > 1 else code


def by_definition(
    rows: list[tuple[int, int]], sizes: list[int], column: int, least: int, strict: bool
) -> list[tuple[set[int], set[int]]]:
    """Every cut of the sorted rows that is allowed, as two sets of rows."""
    order = sorted(range(len(rows)), key=lambda i: (rows[i][column], rows[i][1 - column]))
    codes = {row[column] for row in rows}
    found = []
    for at in range(1, len(order)):
        one, other = rows[order[at - 1]][column], rows[order[at]][column]
        alone = sum(unit(column, codes, c) == unit(column, codes, one) for c in codes) == 1
        is_unit = unit(column, codes, one) != unit(column, codes, other)
        halves = set(order[:at]), set(order[at:])
        if min(sum(sizes[i] for i in half) for half in halves) >= least and (
            is_unit or (not strict and one == other and alone)
        ):
            found.append(halves)
    return found


@given(PAIRS, st.data(), st.integers(1, 3), st.booleans())
def test_all_cuts_are_listed_with_their_boxes_and_histograms(
    rows: list[tuple[int, int]], data: st.DataObject, least: int, strict: bool
) -> None:
    keys = np.array(rows, np.int32)
    hidden = data.draw(
        st.lists(
            st.lists(st.integers(0, 2), min_size=3, max_size=3).filter(any),
            min_size=len(rows),
            max_size=len(rows),
        )
    )
    sizes = [sum(row) for row in hidden]
    box_lo, box_hi = keys.min(axis=0), keys.max(axis=0) + 1
    columns = [j for j in (0, 1) if box_hi[j] - box_lo[j] > 1]
    n = len(columns)
    starts_of_items, ends = np.zeros(n, np.int64), np.full(n, len(rows))
    at, indptr, item, below, lower = list_cuts(
        keys, np.array(sizes), starts_of_items, ends, np.full(n, sum(sizes)),
        np.tile(box_lo, (n, 1)), np.tile(box_hi, (n, 1)), np.array(columns, np.int32),
        np.ones(2), PLAN, FIRSTS, least, strict,
    )  # fmt: skip
    expected = [cut for j in columns for cut in by_definition(rows, sizes, j, least, strict)]
    halves = []
    for i, b in zip(item, below, strict=True):
        own = at[indptr[i] : indptr[i + 1]].tolist()
        halves += [set(own[:b]), set(own[b:])]
    assert halves == [half for cut in expected for half in cut]
    assert lower.tolist() == [sum(sizes[i] for i in half) for half in halves[::2]]

    lo, hi = cut_boxes(keys, at, indptr, item, below)
    assert lo.tolist() == [keys[list(half)].min(axis=0).tolist() for half in halves]
    assert hi.tolist() == [(keys[list(half)].max(axis=0) + 1).tolist() for half in halves]

    h, seen = histogram_of(hidden), np.zeros(6, np.int64)
    ptr, values, counts = tally_cuts(
        h.indptr, h.values, h.counts, at, indptr, item, below, 6 * len(item), seen
    )
    assert not seen.any()
    for g, half in enumerate(halves):
        total: Counter[int] = Counter()
        for i in half:
            total.update(dict(enumerate(hidden[i])))
        own = slice(ptr[g], ptr[g + 1])
        found = dict(zip(values[own].tolist(), counts[own].tolist(), strict=True))
        assert found == dict(+total)
        assert list(found) == sorted(found)
