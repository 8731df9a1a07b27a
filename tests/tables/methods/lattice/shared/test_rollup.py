"""Roll-up: the groups of any node, whatever way they were reached."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.lattice.example import medical_table
from tests.witness.methods import Problem
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods.lattice.shared import node_groups, rollup
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.tables.methods.lattice.shared.node_groups import Memory, NodeGroups
from unlinkable.tables.methods.lattice.shared.rollup import Packing, RollUp, Scratch
from unlinkable.typing import Columns


def roll_up(random: RandomTable) -> RollUp:
    needs: frozenset[Columns] = frozenset((name,) for name in random.sensitive)
    return RollUp(finest_of(random), table_of(random).attributes, needs)


def test_frequency_sets_of_the_text() -> None:
    case = load("aggarwal-frequency-rollup")
    table = medical_table()
    rolled = RollUp(count(table).finest, table.attributes, frozenset())

    def frequencies(levels: dict[str, int]) -> list[list[object]]:
        groups = rolled.at(tuple(levels[a.name] for a in table.attributes))
        nodes = [a.taxonomy.levels[levels[a.name]] for a in table.attributes]
        labels = [
            [(node.labels or ())[code] for code in rolled.packing.codes(groups.keys, j)]
            for j, node in enumerate(nodes)
        ]
        return sorted([z, a, n] for a, z, n in zip(*labels, groups.sizes.tolist(), strict=True))

    assert frequencies(case["input"]["from"]) == case["expected"]["frequency_from"]
    before = rolled.n_added
    assert frequencies(case["input"]["to"]) == case["expected"]["frequency_to"]
    assert rolled.n_added - before == len(case["expected"]["frequency_from"])


@given(tables(min_records=1, max_leaves=5), st.data(), st.sampled_from([0, 256]))
def test_groups_are_those_of_the_generalized_table(
    random: RandomTable, data: st.DataObject, small: int
) -> None:
    rolled = roll_up(random)
    levels = st.tuples(*[st.integers(0, h) for h in rolled.lattice.heights])
    for node in data.draw(st.lists(levels, min_size=1, max_size=6)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rollup, "_SMALL", small)
            patch.setattr(rollup, "_FAR", 1.5)
            check(rolled, random, node)


def check(rolled: RollUp, random: RandomTable, node: Node) -> None:
    """Compare a node with the table that is generalized record by record."""
    found = rolled.at(node)
    groups = rolled.groups(found, keyed=True, counted=True)
    problem = Problem(random.rows, random.qid, random.trees, [])
    rows = problem.generalize(dict(zip(random.qid, node, strict=True)))
    names = [
        [random.trees[a].labels(level)[code] for code in groups.keys[:, j]]
        for j, (a, level) in enumerate(zip(random.qid, node, strict=True))
    ]
    expected = Counter(tuple(row[a] for a in random.qid) for row in rows)
    shown = list(zip(*names, strict=True))
    assert dict(zip(shown, groups.sizes.tolist(), strict=True)) == expected
    for column in random.sensitive:
        hidden = groups.histograms[column,]
        values = random.trees[column].leaves
        for g, key in enumerate(shown):
            inside = range(hidden.indptr[g], hidden.indptr[g + 1])
            counts = {values[hidden.values[i]]: int(hidden.counts[i]) for i in inside}
            same = [row[column] for row in rows if tuple(row[a] for a in random.qid) == key]
            assert counts == Counter(same)
    partition = rolled.partition(found, np.ones(len(found), bool))
    by_levels = Partition.at_levels(rolled.finest, rolled.attributes, node)
    assert boxes(partition) == boxes(by_levels)


def boxes(partition: Partition) -> list[tuple[list[int], list[int]]]:
    """Give the box of every finest group."""
    return [(partition.lo[g].tolist(), partition.hi[g].tolist()) for g in partition.labels]


@given(tables(min_records=1), st.data())
def test_labels_lead_from_a_node_to_one_above(random: RandomTable, data: st.DataObject) -> None:
    rolled = roll_up(random)
    levels = st.tuples(*[st.integers(0, h) for h in rolled.lattice.heights])
    one, other = data.draw(levels), data.draw(levels)
    low, high = tuple(map(min, one, other)), tuple(map(max, one, other))
    fine, coarse = rolled.at(low), rolled.at(high)
    labels = rolled.labels(fine, coarse)
    sums = np.zeros(len(coarse), np.int64)
    np.add.at(sums, labels, fine.sizes)
    assert (sums == coarse.sizes).all()


def some_groups(node: Node, n: int) -> NodeGroups:
    return NodeGroups(node, np.arange(n, dtype=np.uint64)[np.newaxis], np.ones(n, np.int64), None)


def test_the_cheapest_node_below_is_found() -> None:
    bottom = some_groups((0, 0), 9)
    known = Memory(bottom, room=100)
    assert known.find((0, 0)) is bottom
    assert known.cheapest_below((2, 2)) is bottom
    one, other = known.add(some_groups((1, 0), 5)), known.add(some_groups((0, 2), 3))
    assert known.find((1, 0)) is one
    assert known.cheapest_below((2, 2)) is other
    assert known.cheapest_below((2, 1)) is one
    assert known.cheapest_below((1, 0)) is bottom
    assert known.find((2, 2)) is None


def test_what_was_not_asked_for_longest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    bottom = some_groups((0, 0), 9)
    known = Memory(bottom, room=10)
    for level in (1, 2, 3):
        known.add(some_groups((level, 0), 3))
    assert known.find((1, 0)) is not None
    known.add(some_groups((4, 0), 4))
    assert known.find((2, 0)) is None
    assert known.find((1, 0)) is not None
    assert known.cheapest_below((2, 9)).node == (1, 0)
    monkeypatch.setattr(node_groups, "_MOST_NODES", 1)
    last = known.add(some_groups((5, 0), 1))
    assert known.cheapest_below((4, 9)) is bottom
    assert known.cheapest_below((9, 9)) is last


def test_memory_grows_with_the_nodes() -> None:
    known = Memory(some_groups((0,), 1000), room=10**6)
    for level in range(1, 200):
        known.add(some_groups((level,), 1000 - level))
    assert known.cheapest_below((150,)).node == (149,)


sizes = st.lists(st.sampled_from([1, 2, 3, 100, 1 << 20, (1 << 31) - 1]), min_size=1, max_size=9)


@st.composite
def packed(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, ...]]]:
    """Draw sizes of attributes, and rows of codes with repetitions."""
    domain = draw(sizes)
    row = st.tuples(*[st.sampled_from([0, size // 2, size - 1]) for size in domain])
    return domain, draw(st.lists(row, min_size=1, max_size=30))


def as_array(rows: list[tuple[int, ...]]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.array(rows, np.int32).reshape(len(rows), -1)


@given(packed())
def test_what_was_packed_can_be_taken_out(given: tuple[list[int], list[tuple[int, ...]]]) -> None:
    domain, rows = given
    packing = Packing.of(domain)
    keys = packing.pack(as_array(rows))
    found = [packing.codes(keys, j).tolist() for j in range(len(domain))]
    assert list(zip(*found, strict=True)) == rows


@given(packed())
def test_fields_do_not_overlap_and_fit_into_their_words(
    given: tuple[list[int], list[tuple[int, ...]]],
) -> None:
    packing = Packing.of(given[0])
    for word in range(packing.n_words):
        fields = [f for f in packing.fields if f.word == word]
        bits = [f.mask << f.shift for f in fields]
        assert sum(bits) < 1 << 64
        assert all(a & b == 0 for i, a in enumerate(bits) for b in bits[:i])


@given(packed(), st.data())
def test_equal_rows_are_merged(
    given: tuple[list[int], list[tuple[int, ...]]], data: st.DataObject
) -> None:
    domain, rows = given
    n = len(rows)
    sizes = data.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    packing = Packing.of(domain)
    keys = packing.pack(as_array(rows))
    labels, distinct, sums = packing.merge(keys, np.array(sizes, np.int64), Scratch(n))
    expected = list(dict.fromkeys(rows))
    assert labels.tolist() == [expected.index(row) for row in rows]
    assert distinct.tolist() == packing.pack(as_array(expected)).tolist()
    pairs = list(zip(rows, sizes, strict=True))
    assert sums.tolist() == [sum(s for r, s in pairs if r == row) for row in expected]
    assert packing.find(distinct, keys).tolist() == labels.tolist()
