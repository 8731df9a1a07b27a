"""Partitions: which records go together, and what they then show."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, table_of
from tests.witness.methods import Problem
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.taxonomies import Attribute


def taken(random: RandomTable) -> tuple[Groups, tuple[Attribute, ...]]:
    return finest_of(random), table_of(random).attributes


@st.composite
def partitions(draw: st.DrawFn) -> tuple[RandomTable, Partition, tuple[Attribute, ...]]:
    """Draw any partition with tight boxes, some of its records left out."""
    random = draw(tables(min_records=1, max_qid=3))
    finest, attributes = taken(random)
    drawn = draw(st.lists(st.integers(-1, 3), min_size=len(finest), max_size=len(finest)))
    numbers = {p: i for i, p in enumerate(sorted({p for p in drawn if p >= 0}))}
    labels = np.array([numbers.get(p, -1) for p in drawn], np.int32)
    return random, Partition.tight(finest, labels, len(numbers)), attributes


@given(tables(max_qid=3), st.data())
def test_levels_show_what_generalizing_every_record_shows(
    random: RandomTable, data: st.DataObject
) -> None:
    finest, attributes = taken(random)
    node = {a: data.draw(st.integers(0, random.trees[a].height)) for a in random.qid}
    partition = Partition.at_levels(finest, attributes, [node[a] for a in random.qid])
    recoded = Problem(random.rows, random.qid, random.trees, []).generalize(node)
    expected: dict[tuple[object, ...], int] = {}
    for row in recoded:
        shown = tuple(row[a] for a in random.qid)
        expected[shown] = expected.get(shown, 0) + 1
    found = {}
    for lo, hi, size in zip(partition.lo, partition.hi, partition.sizes, strict=True):
        label = []
        for j, a in enumerate(random.qid):
            leaves = random.trees[a].leaves[lo[j] : hi[j]]
            names = {random.trees[a].generalize(leaf, node[a]) for leaf in leaves}
            assert len(names) == 1
            assert random.trees[a].n_leaves_under(node[a], next(iter(names))) == len(leaves)
            label.append(next(iter(names)))
        found[tuple(label)] = int(size)
    assert found == expected


@given(partitions())
def test_boxes_are_tight_and_groups_are_sums(
    drawn: tuple[RandomTable, Partition, tuple[Attribute, ...]],
) -> None:
    _, partition, _ = drawn
    finest, groups = partition.finest, partition.groups()
    assert groups.sizes.tolist() == partition.sizes.tolist()
    assert groups.n_records + partition.n_suppressed == finest.n_records
    for p in range(partition.n_parts):
        keys = finest.keys[partition.labels == p]
        assert partition.lo[p].tolist() == keys.min(axis=0).tolist()
        assert partition.hi[p].tolist() == (keys.max(axis=0) + 1).tolist()
    for g, h in np.ndindex(len(groups), len(groups)):
        for j in range(len(groups.columns)):
            same = groups.keys[g, j] == groups.keys[h, j]
            boxes = [(partition.lo[p, j], partition.hi[p, j]) for p in (g, h)]
            assert same == (boxes[0] == boxes[1])


@given(partitions(), st.data())
def test_suppressing_takes_parts_away(
    drawn: tuple[RandomTable, Partition, tuple[Attribute, ...]], data: st.DataObject
) -> None:
    _, partition, _ = drawn
    n = partition.n_parts
    gone = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    rest = partition.suppress(gone)
    assert rest.sizes.tolist() == partition.sizes[~gone].tolist()
    assert rest.n_suppressed == partition.n_suppressed + partition.sizes[gone].sum()
    assert rest.lo.tolist() == partition.lo[~gone].tolist()
    again = rest.suppress(np.zeros(rest.n_parts, bool))
    assert again.labels.tolist() == rest.labels.tolist()


@given(partitions(), st.booleans())
def test_what_is_published_has_a_name_and_covers_its_records(
    drawn: tuple[RandomTable, Partition, tuple[Attribute, ...]], in_taxonomy: bool
) -> None:
    random, partition, attributes = drawn
    published = partition.publishable(attributes, in_taxonomy=in_taxonomy)
    assert published.n_suppressed == partition.n_suppressed
    for i, (before, after) in enumerate(zip(partition.labels, published.labels, strict=True)):
        assert (before < 0) == (after < 0)
        if after >= 0:
            key = partition.finest.keys[i]
            assert (published.lo[after] <= key).all()
            assert (key < published.hi[after]).all()
    boxes = np.column_stack([published.lo, published.hi]).tolist()
    assert len({tuple(box) for box in boxes}) == len(boxes)
    for j, a in enumerate(random.qid):
        for lo, hi in zip(published.lo[:, j], published.hi[:, j], strict=True):
            leaves = random.trees[a].leaves
            shown = leaves[lo:hi]
            assert None not in shown or shown in ([None], leaves)
            if in_taxonomy:
                assert any(
                    shown == random.trees[a].leaves_under(level, label)
                    for level in range(random.trees[a].height + 1)
                    for label in random.trees[a].labels(level)
                )


@given(tables(max_qid=2))
def test_everything_together_is_one_part(random: RandomTable) -> None:
    finest, _ = taken(random)
    whole = Partition.whole(finest)
    assert whole.sizes.tolist() == ([len(random.rows)] if random.rows else [])
    assert whole.n_suppressed == 0
    for s in random.sensitive:
        assert whole.groups().histograms[s,].total.tolist() == finest.whole[s,].tolist()
