"""Taxonomies: covering, widening and levels are arithmetic on intervals of codes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.data.taxonomies import boxes, built
from unlinkable.tables.taxonomies import Level, Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Flat, Observed, TaxonomyBuilder, Tree

Built = tuple[Observed, TaxonomyBuilder, Taxonomy]

JOBS = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})


def covering(taxonomy: Taxonomy, lo: int, hi: int) -> tuple[int, int, int]:
    """The lowest level with a node around a range, and that node, by looking at each."""
    for i, level in enumerate(taxonomy.levels):
        nodes = {(int(a), int(b)) for a, b in zip(level.lo, level.hi, strict=True)}
        for first, end in nodes:
            if first <= lo and hi <= end:
                return i, first, end
    raise AssertionError("the root covers everything")


@given(built(), st.data())
def test_covers_and_widens_as_defined(case: Built, data: st.DataObject) -> None:
    taxonomy = case[2]
    lo, hi = data.draw(boxes(taxonomy))
    expected = [covering(taxonomy, int(a), int(b)) for a, b in zip(lo, hi, strict=True)]
    assert taxonomy.cover(lo, hi).tolist() == [level for level, _, _ in expected]
    wide_lo, wide_hi = taxonomy.widen(lo, hi)
    assert wide_lo.tolist() == [first for _, first, _ in expected]
    assert wide_hi.tolist() == [end for _, _, end in expected]


def test_widening_leaves_its_input_alone() -> None:
    taxonomy = JOBS.build(observe("job", ["Dancer"]))
    lo, hi = np.array([0], np.int32), np.array([2], np.int32)
    taxonomy.widen(lo, hi)
    assert (lo.tolist(), hi.tolist()) == ([0], [2])


def test_a_level_knows_where_its_nodes_begin_and_end() -> None:
    level = Level(np.array([0, 0, 1, 2, 2], np.int32))
    assert level.n_nodes == 3
    assert level.starts.tolist() == [0, 2, 3, 5]
    assert level.lo.tolist() == [0, 0, 2, 3, 3]
    assert level.hi.tolist() == [2, 2, 3, 5, 5]


def test_a_level_of_nothing_has_no_nodes() -> None:
    assert Level(np.empty(0, np.int32)).n_nodes == 0
    assert Flat().build(observe("x", [])).n == 0


def test_a_range_mixes_if_it_holds_the_missing_value_beside_others() -> None:
    taxonomy = JOBS.build(observe("job", ["Dancer", None]))
    lo, hi = np.array([0, 3, 4, 0], np.int32), np.array([4, 5, 5, 5], np.int32)
    assert taxonomy.mixes_missing(lo, hi).tolist() == [False, True, False, True]
    without = JOBS.build(observe("job", ["Dancer"]))
    assert without.mixes_missing(lo[:1], hi[:1]).tolist() == [False]


def test_labels_stand_on_the_lowest_level_that_has_them() -> None:
    tree = Tree({"A": {"A": ["a"]}, "B": {"C": ["b", "c"]}})
    taxonomy = tree.build(observe("x", ["a", None]))
    assert taxonomy.named == {"A": (1, 0), "C": (1, 1), "B": (2, 1)}


def test_the_root_is_called_by_its_label() -> None:
    assert Tree({"Any": {"A": ["a"], "B": ["b"]}}).build(observe("x", ["a"])).root == "Any"
    plain = Taxonomy(JOBS.build(observe("job", [])).domain, (Level(np.zeros(4, np.int32)),))
    assert plain.root == "*"
