"""The TEA index: Example 6.8, and groups that are always what the cut makes of the records."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.cuts.plain_cuts import children_of, nodes_of, published
from tests.tables.methods.lattice.example import table_with
from tests.witness.tree import Tree
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.cuts.shared.headway import Anonymity
from unlinkable.tables.methods.cuts.shared.tea import TeaIndex

CASE = load("book-ch06-ex6.8-tea-index")


def tea_table() -> Table:
    """The nine qids of Example 6.8 with the counts of the case."""
    given, names = CASE["input"], CASE["input"]["levels"]
    rows = [
        dict(zip(names, qid, strict=True))
        for qid, n in zip(given["qids"], given["test_fill_counts"], strict=True)
        for _ in range(n)
    ]
    # What the example does not say is under the root.
    trees: dict[str, dict[str, Any]] = {
        "Relationship": {"*": {"f1": {"c1": {}, "d1": {}}}},
        "Race": {"*": {"b2": {}, "f2": {"c2": {}, "d2": {}}}},
        "Workclass": {"*": {"a3": {}, "b3": {}, "f3": {"c3": {}, "d3": {}}, "e3": {}}},
    }
    return table_with(rows, {name: Tree.nested(trees[name]) for name in names})


def node_of(index: TeaIndex, table: Table, column: str, leaves: list[str]) -> int:
    """Find a node by the values under it."""
    j = [a.name for a in table.attributes].index(column)
    values = table.attributes[j].taxonomy.domain.values.tolist()
    codes = [values.index(leaf) for leaf in leaves]
    tree = index.trees[j]
    at = (tree.lo == min(codes)) & (tree.hi == max(codes) + 1)
    return int(index.starts[j]) + int(np.flatnonzero(at)[0])


def test_example_6_8() -> None:
    table, expected = tea_table(), CASE["expected"]
    index = TeaIndex(count(table).finest, table.attributes)
    anonymity = Anonymity(index, np.arange(40) >= 3)
    assert anonymity.least == expected["A_QID"]
    f1 = node_of(index, table, "Relationship", ["c1", "d1"])
    f2 = node_of(index, table, "Race", ["c2", "d2"])
    f3 = node_of(index, table, "Workclass", ["c3", "d3"])
    assert anonymity.gain(index.look(f1)) == 0
    assert anonymity.gain(index.look(f3)) == 0
    assert anonymity.gain(index.look(f2)) > 0
    # f1 and f2 concern an anonymity qid, and f3 does not.
    assert {f1, f2} <= set(anonymity.candidates.tolist())
    assert f3 not in anonymity.candidates
    assert len(anonymity.candidates) <= len(CASE["input"]["levels"])

    step = index.look(f2)
    assert step.rows.size == 6  # the qids with c2 or d2, and no others
    anonymity.follow(step)
    index.apply(step)
    assert anonymity.least == expected["after_f2"]["with_test_fill_A_QID"]
    values = [a.taxonomy.domain.values.tolist() for a in table.attributes]
    partition = index.partition()
    found = []
    for lo, hi, size in zip(partition.lo, partition.hi, partition.sizes.tolist(), strict=True):
        texts = [
            names[a] if b - a == 1 else "f2" for names, a, b in zip(values, lo, hi, strict=True)
        ]
        found.append([*texts, size])
    assert sorted(found) == sorted(expected["after_f2"]["with_test_fill"])


@given(tables(min_records=1, max_records=16, max_qid=3), st.data())
def test_every_way_up_gives_the_groups_of_its_cut(random: RandomTable, data: st.DataObject) -> None:
    finest, attributes = finest_of(random), table_of(random).attributes
    index = TeaIndex(finest, attributes)
    nodes = [nodes_of(a.taxonomy) for a in attributes]
    occurring = [set(codes) for codes in finest.keys.T.tolist()]
    shown = [{code: (code, code + 1) for code in codes} for codes in occurring]
    n_left = index.n_left
    while True:
        # A node is open if all values under it that occur are shown as children of it.
        may = []
        for j, all_nodes in enumerate(nodes):
            for i, node in enumerate(all_nodes):
                under = {v for code, v in shown[j].items() if node[0] <= code < node[1]}
                if under and under <= set(children_of(all_nodes, node)):
                    may.append((j, i))
        is_open = np.flatnonzero(index.is_open).tolist()
        assert is_open == [int(index.starts[j]) + i for j, i in may]
        cuts = [sorted(set(values.values())) for values in shown]
        expected, found = published(finest, cuts), index.partition()
        assert found.n_parts == expected.n_parts
        assert np.array_equal(found.lo[found.labels], expected.lo[expected.labels])
        assert np.array_equal(found.hi[found.labels], expected.hi[expected.labels])
        assert index.sizes[index.lives].tolist() == found.sizes.tolist()
        if not may:
            break
        j, i = data.draw(st.sampled_from(may))
        step = index.look(int(index.starts[j]) + i)
        after = index.partition_after(step)
        index.apply(step)
        assert np.array_equal(after.lo, index.partition().lo)
        assert np.array_equal(after.labels, index.partition().labels)
        lo, hi = nodes[j][i]
        shown[j].update({code: (lo, hi) for code in shown[j] if lo <= code < hi})
        n_left -= 1
        assert index.n_left == n_left
    assert index.n_left == 0
    assert found.n_parts == 1


@given(tables(min_records=1, max_records=12, max_qid=3))
def test_groups_have_the_generalizations_above_their_nodes(random: RandomTable) -> None:
    index = TeaIndex(finest_of(random), table_of(random).attributes)
    for group in range(len(index.sizes)):
        above = set()
        for node in np.flatnonzero(index.is_open).tolist():
            column, children = index.children(node)
            if index.nodes[group, column] in children:
                above.add(node)
        assert set(index.above(np.array([group], np.int32)).tolist()) == above
        assert len(above) <= len(random.qid)
