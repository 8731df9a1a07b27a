"""Groups: sums of finer groups, as they look to those who know some columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, table_of
from tests.witness import models
from unlinkable.errors import SchemaError
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Knowledge, RowNumbers, number_rows


def described(groups: Groups, random: RandomTable) -> dict[tuple[object, ...], list[object]]:
    """Read groups back: what each shows, its size, its people, and what it hides."""
    leaves = [random.trees[a].leaves for a in groups.columns]
    found: dict[tuple[object, ...], list[object]] = {}
    for g, key in enumerate(groups.keys.tolist()):
        shown = tuple(values[code] for values, code in zip(leaves, key, strict=True))
        assert shown not in found
        hidden = []
        for s in random.sensitive:
            h = groups.histograms[s,]
            entries = slice(h.indptr[g], h.indptr[g + 1])
            values = [random.trees[s].leaves[code] for code in h.values[entries].tolist()]
            hidden.append(dict(zip(values, h.counts[entries].tolist(), strict=True)))
        found[shown] = [int(groups.sizes[g]), int(groups.people()[g]), hidden]
    return found


def by_definition(
    random: RandomTable, qid: tuple[str, ...]
) -> dict[tuple[object, ...], list[object]]:
    found: dict[tuple[object, ...], list[object]] = {}
    for shown, rows in models.groups(random.rows, qid).items():
        hidden = []
        for s in random.sensitive:
            values = [row[s] for row in rows]
            hidden.append({v: values.count(v) for v in values})
        n_people = models.k_anonymity(rows, [], random.owner)
        found[shown] = [len(rows), n_people, hidden]
    return found


@given(tables())
def test_the_finest_groups_are_the_distinct_records(random: RandomTable) -> None:
    groups = finest_of(random)
    assert groups.n_records == len(random.rows)
    assert groups.weights.tolist() == groups.sizes.tolist()
    assert described(groups, random) == by_definition(random, random.qid)


@given(tables())
def test_every_record_knows_its_group(random: RandomTable) -> None:
    counted = count(table_of(random))
    shown = [tuple(row[a] for a in random.qid) for row in random.rows]
    for label, record in zip(counted.labels.tolist(), shown, strict=True):
        key = counted.finest.keys[label].tolist()
        leaves = [random.trees[a].leaves[code] for a, code in zip(random.qid, key, strict=True)]
        assert tuple(leaves) == record


@given(tables(), st.data())
def test_who_knows_fewer_columns_sees_the_groups_of_these(
    random: RandomTable, data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.sampled_from(random.qid), unique=True))
    groups = finest_of(random)
    seen, parent = groups.project(tuple(chosen))
    assert described(seen, random) == by_definition(random, tuple(chosen))
    for g, p in enumerate(parent.tolist()):
        columns = [random.qid.index(a) for a in chosen]
        assert groups.keys[g, columns].tolist() == seen.keys[p].tolist()


@given(tables(max_qid=3), st.integers(1, 3))
def test_every_adversary_with_some_knowledge_is_heard(random: RandomTable, at_most: int) -> None:
    groups = finest_of(random)
    knowledge = Knowledge(groups.columns, at_most=at_most)
    seen = [s.columns for s, _ in groups.known(knowledge, shorter=True)]
    assert seen == list(knowledge.combinations(shorter=True))
    if at_most >= len(groups.columns):
        *_, (same, parent) = groups.known(knowledge, shorter=True)
        assert same is groups
        assert parent.tolist() == list(range(len(groups)))


@given(tables(min_records=1), st.data())
def test_parts_of_a_table_add_up_to_it(random: RandomTable, data: st.DataObject) -> None:
    n = data.draw(st.integers(0, len(random.rows)))
    groups = finest_of(random)
    mask = np.zeros(len(groups), bool)
    mask[: min(n, len(groups))] = True
    halves = [groups.select(m) for m in (mask, ~mask)]
    assert sum(half.n_records for half in halves) == groups.n_records
    both = described(halves[0], random) | described(halves[1], random)
    assert both == described(groups, random)
    for s in random.sensitive:
        whole = groups.whole[s,].tolist()
        assert halves[0].whole[s,].tolist() == halves[1].whole[s,].tolist() == whole
        alone = [half.alone().whole[s,] for half in halves]
        assert (alone[0] + alone[1]).tolist() == whole


def test_what_has_no_parent_is_left_out() -> None:
    groups = groups_of([[1, 0], [2, 1], [0, 4]])
    merged = groups.merge(np.array([0, -1, 0], np.int32), 1, ("q",), np.zeros((1, 1), np.int32))
    assert merged.sizes.tolist() == [5]
    assert merged.histograms["s",].counts.tolist() == [1, 4]
    assert merged.whole["s",].tolist() == [3, 5]


def test_refuses_to_look_at_columns_that_are_not_shown() -> None:
    with pytest.raises(SchemaError, match=r"cannot look at \['z'\] alone: the groups show \['q'\]"):
        groups_of([[1]]).project(("z",))


COLUMNS = ("a", "b", "c", "d")


def test_knowing_everything_is_one_set() -> None:
    assert list(Knowledge(COLUMNS).combinations()) == [COLUMNS]
    assert list(Knowledge(COLUMNS).combinations(shorter=True)) == [COLUMNS]
    assert list(Knowledge(()).combinations()) == [()]


@given(st.integers(1, 6))
def test_knowing_a_few_is_every_set_of_so_many(at_most: int) -> None:
    knowledge = Knowledge(COLUMNS, at_most=at_most)
    longest = min(at_most, 4)
    assert list(knowledge.combinations()) == list(combinations(COLUMNS, longest))
    shorter = [combinations(COLUMNS, n) for n in range(1, longest + 1)]
    assert list(knowledge.combinations(shorter=True)) == list(chain(*shorter))


def by_definition_rows(rows: Sequence[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    order = list(dict.fromkeys(rows))
    return [order.index(row) for row in rows], [rows.index(row) for row in order]


@given(
    st.integers(0, 6).flatmap(lambda d: st.lists(st.tuples(*[st.integers(0, 3)] * d), max_size=30))
)
def test_numbers_rows_as_they_appear(rows: list[tuple[int, ...]]) -> None:
    d = len(rows[0]) if rows else 0
    labels, first = number_rows(np.array(rows, np.int32).reshape(len(rows), d))
    assert labels.dtype == np.int32
    assert (labels.tolist(), first.tolist()) == by_definition_rows(rows)


@pytest.mark.parametrize(
    ("n_columns", "size"),
    [(100, 2), (100, 7), (100, 10_000_000), (3, 2**31 - 1), (2, 2**31 - 1), (64, 2), (63, 2)],
)
def test_rows_wider_than_any_key_are_told_apart(n_columns: int, size: int) -> None:
    rng = np.random.default_rng(n_columns)
    distinct = rng.integers(0, size, (40, n_columns), dtype=np.int32)
    distinct[:, -1] = np.arange(40) % min(size, 40)
    distinct[:, 0] = size - 1
    rows = distinct[rng.integers(0, 40, 500)]
    labels, first = number_rows(rows)
    assert (labels.tolist(), first.tolist()) == by_definition_rows(
        [tuple(r) for r in rows.tolist()]
    )


@given(st.integers(1, 8), st.data())
def test_columns_that_differ_only_in_the_last_or_first_place_are_told_apart(
    n_columns: int, data: st.DataObject
) -> None:
    most = 2**31 - 2
    base = np.full((3, n_columns), most, np.int32)
    column = data.draw(st.integers(0, n_columns - 1))
    base[1, column] -= 1
    assert number_rows(base)[0].tolist() == [0, 1, 0]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=20))
def test_a_column_may_come_as_numbers_of_its_codes(rows: list[tuple[int, int]]) -> None:
    first_column, second = (np.array([r[i] for r in rows], np.int32) for i in (0, 1))
    codes = np.array([2, 0, 1], np.int32)
    numbers = RowNumbers(len(rows))
    numbers.add(first_column, 4)
    numbers.add_digits(second, codes, 3)
    labels, first = numbers.finish()
    assert (labels.tolist(), first.tolist()) == by_definition_rows(rows)


def test_rows_without_columns_are_all_equal() -> None:
    labels, first = number_rows(np.zeros((3, 0), np.int32))
    assert labels.tolist() == [0, 0, 0]
    assert first.tolist() == [0]


def test_no_rows_have_no_numbers() -> None:
    labels, first = number_rows(np.zeros((0, 4), np.int32))
    assert labels.size == first.size == 0
