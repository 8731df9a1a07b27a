"""Counting what groups hide: by definition, on random labels and codes."""

from __future__ import annotations

import itertools
from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import by_definition
from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.counting import tallies
from unlinkable.kernels.counting.tallies import (
    add_up,
    drop_repeated,
    fill_equal,
    find_entries,
    keep_common,
    merge_stretches,
    mix_rows,
    sort_rows,
    tally,
)

N_GROUPS, N_CODES = 5, 7

RECORDS = st.lists(
    st.tuples(st.integers(-1, N_GROUPS - 1), st.integers(0, N_CODES - 1), st.integers(0, 9)),
    max_size=40,
)


def columns(records: list[tuple[int, int, int]]) -> tuple[list[int], list[int], list[int]]:
    return [r[0] for r in records], [r[1] for r in records], [r[2] for r in records]


@given(RECORDS)
def test_counts_and_sums_by_label(records: list[tuple[int, int, int]]) -> None:
    labels, _, amounts = columns(records)
    given_ = np.array(labels, np.int32)
    assert tallies.count(given_, N_GROUPS).tolist() == by_definition.count(labels, N_GROUPS)
    expected = by_definition.sum_by_label(amounts, labels, N_GROUPS)
    counts = tallies.sum_by_label(np.array(amounts, np.int64), given_, N_GROUPS)
    weights = tallies.sum_floats_by_label(np.array(amounts, float), given_, N_GROUPS)
    assert counts.dtype == np.int64
    assert counts.tolist() == weights.tolist() == expected


@given(RECORDS)
def test_tallies_every_code_of_every_group(records: list[tuple[int, int, int]]) -> None:
    labels, codes, _ = columns(records)
    found = tallies.tally(np.array(labels, np.int32), np.array(codes, np.int32), N_GROUPS, N_CODES)
    assert by_definition.rows_of(*found) == by_definition.tally(labels, codes, N_GROUPS)


@given(RECORDS, st.lists(st.integers(-1, 2), min_size=N_GROUPS, max_size=N_GROUPS))
def test_merging_adds_up_rows(records: list[tuple[int, int, int]], parent: list[int]) -> None:
    labels, codes, _ = columns(records)
    fine = tallies.tally(np.array(labels, np.int32), np.array(codes, np.int32), N_GROUPS, N_CODES)
    found = tallies.merge_tallies(*fine, np.array(parent, np.int32), 3, N_CODES)
    expected = by_definition.merge_tallies(by_definition.rows_of(*fine), parent, 3)
    assert by_definition.rows_of(*found) == expected

    above = [parent[label] if label >= 0 else -1 for label in labels]
    at_once = tallies.tally(np.array(above, np.int32), np.array(codes, np.int32), 3, N_CODES)
    assert by_definition.rows_of(*at_once) == expected


def test_nothing_is_tallied_into_no_groups() -> None:
    none = np.zeros(0, np.int32)
    indptr, values, counts = tallies.tally(none, none, 0, 3)
    assert indptr.tolist() == [0]
    assert values.size == counts.size == 0


def test_counts_beyond_31_bits_add_up() -> None:
    indptr, values = np.array([0, 1, 2]), np.zeros(2, np.int32)
    counts = np.array([2**40, 2**40])
    _, _, merged = tallies.merge_tallies(indptr, values, counts, np.zeros(2, np.int32), 1, 1)
    assert merged.tolist() == [2**41]


N_CODES = 40

ROWS = st.lists(st.dictionaries(st.integers(0, N_CODES - 1), st.integers(1, 5)), min_size=1)

Csr = tuple[np.ndarray, np.ndarray, np.ndarray]


def csr(rows: list[dict[int, int]]) -> Csr:
    values = [code for row in rows for code in sorted(row)]
    counts = [row[code] for row in rows for code in sorted(row)]
    ends = np.append(0, np.cumsum([len(row) for row in rows]))
    return ends.astype(np.int64), np.array(values, np.int32), np.array(counts, np.int64)


@given(ROWS, st.data())
def test_new_rows_are_weighted_sums(rows: list[dict[int, int]], data: st.DataObject) -> None:
    pair = st.tuples(st.integers(0, len(rows) - 1), st.integers(1, 4))
    mixtures = data.draw(st.lists(st.lists(pair, max_size=4), max_size=5))
    ends = np.append(0, np.cumsum([len(m) for m in mixtures])).astype(np.int64)
    places = np.array([place for m in mixtures for place, _ in m], np.int32)
    weights = np.array([weight for m in mixtures for _, weight in m], np.int64)
    indptr, values, counts = mix_rows(ends, places, weights, *csr(rows), N_CODES)
    expected = []
    for mixture in mixtures:
        sums: Counter[int] = Counter()
        for place, weight in mixture:
            for code, n in rows[place].items():
                sums[code] += n * weight
        expected.append(sorted(sums.items()))
    found = [
        list(zip(values[a:b].tolist(), counts[a:b].tolist(), strict=True))
        for a, b in pairwise(indptr.tolist())
    ]
    assert found == expected


@given(ROWS, st.data())
def test_entries_are_found_where_they_are(rows: list[dict[int, int]], data: st.DataObject) -> None:
    indptr, values, _ = csr(rows)
    pair = st.tuples(st.integers(0, len(rows) - 1), st.integers(-1, N_CODES))
    pairs = data.draw(st.lists(pair, max_size=20))
    row, code = (np.array([p[i] for p in pairs], np.int32) for i in (0, 1))
    for (r, c), at in zip(pairs, find_entries(indptr, values, row, code).tolist(), strict=True):
        if c in rows[r]:
            assert indptr[r] <= at < indptr[r + 1]
            assert values[at] == c
        else:
            assert at == -1


N_VALUES = 4

dense = st.lists(
    st.lists(st.integers(0, 3), min_size=N_VALUES, max_size=N_VALUES), min_size=1, max_size=8
)


@given(dense, st.data())
def test_histograms_of_stretches_are_sums(rows: list[list[int]], data: st.DataObject) -> None:
    h = histogram_of(rows)
    order = data.draw(st.permutations(range(len(rows))))
    ends = st.tuples(st.integers(0, len(rows)), st.integers(0, len(rows))).map(sorted)
    stretches = data.draw(st.lists(ends, max_size=4))
    start = np.array([s for s, _ in stretches], np.int64)
    end = np.array([e for _, e in stretches], np.int64)
    seen = np.zeros(N_VALUES, np.int64)
    places = np.array(order, np.int32)
    indptr, values, counts = merge_stretches(h.indptr, h.values, h.counts, places, start, end, seen)
    assert not seen.any()
    for g, (s, e) in enumerate(stretches):
        expected: Counter[int] = Counter()
        for i in order[s:e]:
            expected.update(dict(enumerate(rows[i])))
        own = slice(indptr[g], indptr[g + 1])
        found = dict(zip(values[own].tolist(), counts[own].tolist(), strict=True))
        assert found == dict(+expected)
        assert list(found) == sorted(found)
    amounts = np.array([sum(row) + 0.5 for row in rows])
    expected_sums = [sum(amounts[i] for i in order[s:e]) for s, e in stretches]
    assert add_up(amounts, places, start, end).tolist() == expected_sums


LISTS = st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=4)


def counted(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    labels = [i for i, values in enumerate(lists) for _ in values]
    values = [value for one in lists for value in one]
    return tally(np.array(labels, np.int32), np.array(values, np.int32), len(lists), 5)


@given(LISTS, LISTS, st.data())
def test_keeps_the_smaller_count(
    ours: list[list[int]], groups: list[list[int]], data: st.DataObject
) -> None:
    which = [data.draw(st.integers(-1, len(groups) - 1)) for _ in ours]
    found = keep_common(*counted(ours), np.array(which, np.int32), *counted(groups))
    for i, (mine, g) in enumerate(zip(ours, which, strict=True)):
        left = Counter(mine) if g < 0 else Counter(mine) & Counter(groups[g])
        part = slice(*found[0][i : i + 2].tolist())
        assert found[1][part].tolist() == sorted(left)
        assert found[2][part].tolist() == [left[v] for v in sorted(left)]


matrices = st.lists(st.lists(st.integers(0, 9), max_size=40), max_size=6)


def csr_equal_keys(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return indptr, np.array([value for row in rows for value in row], np.int32)


def parts(indptr: np.ndarray, values: np.ndarray) -> list[list[int]]:
    return [values[s:e].tolist() for s, e in itertools.pairwise(indptr)]


@given(matrices.filter(bool), st.lists(st.integers(0, 5), max_size=8))
def test_writes_the_members_of_every_key(rows: list[list[int]], keys: list[int]) -> None:
    keys = [key % len(rows) for key in keys]
    ends = np.cumsum([0, *(len(rows[key]) for key in keys)]).astype(np.int64)
    free, out = ends[:-1].copy(), np.zeros(int(ends[-1]), np.int32)
    fill_equal(np.array(keys, np.int32), *csr_equal_keys(rows), free, out)
    assert parts(ends, out) == [rows[key] for key in keys]
    assert free.tolist() == ends[1:].tolist()


@given(matrices)
def test_sorts_rows_and_drops_what_comes_again(rows: list[list[int]]) -> None:
    indptr, values = csr_equal_keys(rows)
    sort_rows(indptr, values)
    assert parts(indptr, values) == [sorted(row) for row in rows]
    assert parts(*drop_repeated(indptr, values)) == [sorted({*row}) for row in rows]
