"""Leaves: Example 6.7, and what links and stretches must satisfy after any steps."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.methods.cuts.mixed import Mixed, mixed
from tests.tables.methods.cuts.printed import Printed
from unlinkable.kernels.taxonomy_cuts.tips import follow
from unlinkable.tables.methods.cuts.shared.leaves import Leaves
from unlinkable.tables.methods.cuts.shared.refinement import Refinement
from unlinkable.tables.methods.cuts.top_down_refinement import TopDownRefinement
from unlinkable.tables.methods.cuts.top_down_specialization import TopDownSpecialization
from unlinkable.tables.models import KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All


def refine(search: Refinement, candidate: int) -> None:
    """Do a step, whatever it gains."""
    trial = search.leaves.attempt(search.cut.column(candidate), search.cut.split(candidate))
    search._perform(candidate, 0.0, trial)


def chained(leaves: Leaves, column: int, value: int) -> set[int]:
    """List the leaves of several rows on a chain."""
    found = follow(leaves.head, value, leaves.following[column], leaves.start, leaves.end)
    assert len(set(found.tolist())) == found.size
    return set(found.tolist())


def test_example_6_7_leaf_by_leaf() -> None:
    case = cases.load("book-ch06-ex6.7-tips")
    example = Printed.of(case["input"], ["Job", "Sex", "Age"], target="Transfuse")
    search = example.begin(TopDownSpecialization(score="information-gain"), KAnonymity(1))
    columns = {"Job": 0, "Sex": 1, "Age": 2}
    rows = search.leaves.rows.tolist()
    patients = case["input"]["table"]["rows"]

    for i, label in enumerate(["", *case["input"]["specializations"]]):
        if label:
            name = example.columns_of(label)
            lo, hi = example.codes(name, label)
            state, candidates = search.cut.state, search.cut.candidates
            (at,) = (
                c
                for c in candidates.tolist()
                if search.cut.column(c) == columns[name] and (state.lo[c], state.hi[c]) == (lo, hi)
            )
            refine(search, at)
        printed = case["expected"][f"leaf_partitions_step{i}"]
        leaves = search.leaves
        found = {
            frozenset(tuple(rows[r]) for r in leaves.order[leaves.start[g] : leaves.end[g]])
            for g in range(leaves.n)
        }
        domains = [a.taxonomy.domain.values.tolist() for a in example.table.attributes]
        by_id = {p[0]: p for p in patients}
        expected = {
            frozenset(
                tuple(d.index(v) for d, v in zip(domains, by_id[n][1:4], strict=True)) for n in ids
            )
            for ids in printed.values()
        }
        assert found == expected


@given(mixed(), st.booleans(), st.data())
def test_stretches_links_and_what_is_shown_agree(
    table: Mixed, is_shown: bool, data: st.DataObject
) -> None:
    method = TopDownRefinement(score="information-gain").bind(table.table.schema)
    models = [LKCPrivacy(l=1, k=1, c=1) if is_shown else KAnonymity(1)]
    search = method.begin(table.finest, All(models), table.task())
    leaves, cut = search.leaves, search.cut
    for _ in range(data.draw(st.integers(0, 6))):
        if not cut.candidates.size:
            break
        refine(search, data.draw(st.sampled_from(cut.candidates.tolist())))
    n = leaves.n
    assert sorted(leaves.order.tolist()) == list(range(len(table.finest)))
    labels = leaves.labels()
    shown = np.array(
        [cut.state.value[at + leaves.rows[:, j]] for j, at in enumerate(cut.first_code[:-1])]
    )
    looks = {tuple(column) for column in shown.T.tolist()}
    assert len(looks) == n == labels.max() + 1
    for g in range(n):
        inside = leaves.order[leaves.start[g] : leaves.end[g]]
        assert set(np.flatnonzero(labels == g).tolist()) == set(inside.tolist())
        assert len({tuple(column) for column in shown[:, inside].T.tolist()}) == 1
        assert leaves.records[g] == table.finest.sizes[inside].sum()
        if is_shown:
            assert leaves.shown[:, g].tolist() == shown[:, inside[0]].tolist()
    assert leaves.anonymity == leaves.records[:n].min()
    for j in range(len(table.columns)):
        for value in set(shown[j].tolist()):
            several = {
                g
                for g in range(n)
                if shown[j, leaves.order[leaves.start[g]]] == value
                and leaves.end[g] - leaves.start[g] > 1
            }
            assert chained(leaves, j, value) == several


@given(mixed(), st.data())
def test_what_grows_can_shrink_again(table: Mixed, data: st.DataObject) -> None:
    method = TopDownRefinement(score="information-gain").bind(table.table.schema)
    search = method.begin(table.finest, All([LKCPrivacy(l=1, k=1, c=1)]), table.task())
    leaves, cut = search.leaves, search.cut
    for _ in range(3):
        if not cut.candidates.size:
            return
        refine(search, data.draw(st.sampled_from(cut.candidates.tolist())))
    if not cut.candidates.size:
        return
    before = [
        leaves.n,
        *(a[: leaves.n].tolist() for a in (leaves.start, leaves.end, leaves.records)),
    ]
    looked = leaves.shown[:, : leaves.n].tolist()
    candidate = data.draw(st.sampled_from(cut.candidates.tolist()))
    trial = leaves.attempt(cut.column(candidate), cut.split(candidate))
    leaves.arrange(trial)
    leaves.grow(trial)
    assert leaves.n == before[0] + trial.n_new
    leaves.shrink(trial)
    leaves.shrink(trial)
    after = [
        leaves.n,
        *(a[: leaves.n].tolist() for a in (leaves.start, leaves.end, leaves.records)),
    ]
    assert after == before
    assert leaves.shown[:, : leaves.n].tolist() == looked
