"""Genomes: bits and cuts are the same thing."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables, trees
from tests.tables.groups.plain import finest_of, table_of, taxonomy_of
from tests.tables.methods.cuts import plain_cuts
from tests.tables.methods.cuts.plain_cuts import Range, all_cuts
from tests.witness.tree import Tree
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.cuts.shared import genome as module
from unlinkable.tables.methods.cuts.shared.genome import Column, Cut, Genome, Rows
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Flat
from unlinkable.typing import BoolArray


def chromosomes(column: Column) -> list[list[int]]:
    """List all closed bits."""
    parent = column.parent.tolist()
    return [
        list(bits)
        for bits in product((0, 1), repeat=len(parent))
        if all(not bit or above < 0 or bits[above] for bit, above in zip(bits, parent, strict=True))
    ]


def ranges(cut: Cut) -> list[Range]:
    return list(pairwise(cut.starts.tolist()))


def parted(cut: list[Range], occurs: BoolArray) -> list[list[int]]:
    """Tell which codes that occur are shown alike."""
    inside = [[c for c in range(lo, hi) if occurs[c]] for lo, hi in cut]
    return [codes for codes in inside if codes]


def drawn_codes(data: st.DataObject, taxonomy: Taxonomy) -> BoolArray:
    codes = data.draw(st.lists(st.booleans(), min_size=taxonomy.n, max_size=taxonomy.n))
    occurs = np.array(codes, bool)
    occurs[data.draw(st.integers(0, taxonomy.n - 1))] = True
    return occurs


@given(trees(max_leaves=5), st.booleans(), st.data())
def test_bits_are_the_cuts_that_part_records_differently_each_as_fine_as_it_can_be(
    tree: Tree, missing: bool, data: st.DataObject
) -> None:
    if missing:
        tree = Tree({**tree.paths, None: (None,) * tree.height + ("*",)})
    taxonomy = taxonomy_of(tree)
    occurs = drawn_codes(data, taxonomy)
    column = Column.of_tree(taxonomy, occurs)
    found = [ranges(column.cut(bytes(bits))) for bits in chromosomes(column)]
    cuts = [list(cut) for cut in all_cuts(taxonomy)]
    parts = [parted(cut, occurs) for cut in found]
    # Every way to part the records comes once.
    assert sorted(parts) == sorted({str(p): p for p in (parted(c, occurs) for c in cuts)}.values())
    for cut, mine in zip(found, parts, strict=True):
        # Where there are records, it is the finest cut of all that part them so.
        shown = [v for v in cut if occurs[v[0] : v[1]].any()]
        alike = [c for c in cuts if parted(c, occurs) == mine]
        assert any(set(shown) <= set(c) for c in alike)
        widths = [sum(hi - lo for lo, hi in c if occurs[lo:hi].any()) for c in alike]
        assert sum(hi - lo for lo, hi in shown) == min(widths)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6), st.booleans(), st.data())
def test_numbers_in_order_can_be_cut_anywhere(
    values: list[int], missing: bool, data: st.DataObject
) -> None:
    taxonomy = Flat().build(observe("age", [*values, *([None] if missing else [])]))
    occurs = drawn_codes(data, taxonomy)
    column = Column.of_order(taxonomy, occurs)
    met = np.flatnonzero(occurs).tolist()
    has_missing = missing and bool(occurs[-1]) and len(met) > 1
    expected = []
    for places in product((False, True), repeat=len(met) - 1):
        if has_missing and not places[-1] and any(places):
            continue  # what is missing stands alone, or beside all others
        blocks = [[met[0]]]
        for code, is_cut in zip(met[1:], places, strict=True):
            blocks.append([code]) if is_cut else blocks[-1].append(code)
        expected.append(blocks)
    found = [ranges(column.cut(bytes(bits))) for bits in chromosomes(column)]
    assert sorted(parted(cut, occurs) for cut in found) == sorted(expected)
    for cut in found:
        for lo, hi in cut:
            mixes = taxonomy.mixes_missing(np.array([lo]), np.array([hi]))[0]
            if mixes and occurs[lo:hi].any():
                assert (lo, hi) == (0, taxonomy.n)
            elif occurs[lo:hi].any():
                assert occurs[lo]
                assert occurs[hi - 1]


@given(trees(max_leaves=5))
def test_the_codes_of_a_cut_are_in_their_blocks(tree: Tree) -> None:
    taxonomy = taxonomy_of(tree)
    column = Column.of_tree(taxonomy, np.ones(taxonomy.n, bool))
    for bits in chromosomes(column):
        cut = column.cut(bytes(bits))
        assert cut.n_blocks == len(ranges(cut))
        for block, (lo, hi) in enumerate(ranges(cut)):
            assert cut.blocks[lo:hi].tolist() == [block] * (hi - lo)


def test_genes_of_columns_follow_one_another() -> None:
    jobs = taxonomy_of(Tree.nested({"*": {"x": {"a": {}, "b": {}}, "y": {"c": {}, "d": {}}}}))
    one = taxonomy_of(Tree({"v": ("v", "*")}))
    columns = [Column.of_tree(t, np.ones(t.n, bool)) for t in (jobs, one, jobs)]
    genome = Genome(columns)
    assert genome.parent.tolist() == [-1, 0, 0, -1, 3, 3]
    assert genome.starts.tolist() == [0, 3, 6]
    assert genome.column_of.tolist() == [0, 0, 0, 2, 2, 2]
    cuts = genome.cuts(np.array([1, 0, 1, 1, 1, 0], np.uint8))
    assert [cut.starts.tolist() for cut in cuts] == [[0, 2, 3, 4], [0, 1], [0, 1, 2, 4]]
    assert genome.top().tolist() == [0] * 6


def as_cut(ranges: tuple[plain_cuts.Range, ...]) -> Cut:
    starts = [lo for lo, _ in ranges]
    widths = [hi - lo for lo, hi in ranges]
    blocks = np.repeat(np.arange(len(ranges), dtype=np.int32), widths)
    return Cut(np.array([*starts, ranges[-1][1]], np.int32), blocks)


@given(tables(min_records=1, max_records=16, max_qid=3), st.booleans(), st.data())
def test_groups_and_boxes_are_those_of_the_cuts(
    random: RandomTable, is_wide: bool, data: st.DataObject
) -> None:
    finest, attributes = finest_of(random), table_of(random).attributes
    plain = [data.draw(st.sampled_from(plain_cuts.all_cuts(a.taxonomy))) for a in attributes]
    cuts = [as_cut(cut) for cut in plain]
    rows = Rows(finest, [a.taxonomy.n for a in attributes])
    grouped = rows._group_wide(cuts) if is_wide else rows.group(cuts)
    expected = plain_cuts.published(finest, plain)
    assert grouped.labels.tolist() == expected.labels.tolist()
    assert grouped.sizes.tolist() == expected.sizes.tolist()
    assert rows.weights(grouped).tolist() == expected.sizes.tolist()
    keep = grouped.sizes > 1
    partition, suppressed = rows.partition(grouped, cuts, keep), expected.suppress(~keep)
    assert partition.labels.tolist() == suppressed.labels.tolist()
    assert partition.lo.tolist() == suppressed.lo.tolist()
    assert partition.hi.tolist() == suppressed.hi.tolist()

    needed = frozenset({("s0",)})
    groups, merged = rows.groups(grouped, cuts, needed), expected.groups()
    owner = {(finest.owner,)} if finest.owner else set()
    assert set(groups.histograms) == needed | owner
    assert groups.histograms["s0",].counts.tolist() == merged.histograms["s0",].counts.tolist()
    # Keys may number what is shown differently, but tell the same apart.
    for mine, theirs in zip(groups.keys.T, merged.keys.T, strict=True):
        pairs = set(zip(mine.tolist(), theirs.tolist(), strict=True))
        assert len(pairs) == len(set(mine.tolist())) == len(set(theirs.tolist()))


def test_what_does_not_fit_into_a_number_is_grouped_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_WIDEST", 5)
    random_rows = np.array([[0, 0], [1, 2], [1, 1]], np.int32)
    finest = Groups(np.array([1, 2, 4]), np.array([1.0, 2.0, 4.0]), {}, {}, ("a", "b"), random_rows)
    cuts = [as_cut(((0, 1), (1, 2))), as_cut(((0, 1), (1, 2), (2, 3)))]
    grouped = Rows(finest, [2, 3]).group(cuts)
    assert grouped.sizes.tolist() == [1, 2, 4]
    assert grouped.first.tolist() == [0, 1, 2]
