"""What is known of the definitions is true of the witnesses, on random tables."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb, isclose
from random import Random

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables, trees
from tests.witness import emd, metrics, models, promises, qid_search
from tests.witness.methods import Problem, datafly, exhaustive_optimum, minimal_nodes, samarati
from tests.witness.models import Row
from tests.witness.tree import Tree

small = partial(tables, max_records=12, max_qid=2, max_leaves=4, max_height=2)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    table = draw(small())
    s = table.sensitive[0]
    known = [
        promises.k_anonymous(2, owner=table.owner),
        promises.k_anonymous(3, qid=table.qid[:1]),
        promises.distinct_l_diverse(2, s),
        promises.entropy_l_diverse(Fraction(3, 2), s),
        promises.recursive_cl_diverse(2, 2, s),
        promises.t_close(Fraction(1, 4), s, emd.emd_equal),
        promises.t_close(Fraction(1, 4), s, partial(emd.emd_hierarchical, tree=table.trees[s])),
    ]
    asked = draw(st.lists(st.sampled_from(known), min_size=1, max_size=2))
    limit = draw(st.integers(0, 3))
    return Problem(table.rows, table.qid, table.trees, asked, limit)


@settings(deadline=None)
@given(trees(), st.data())
def test_closed_forms_cost_what_the_cheapest_transport_costs(
    tree: Tree, data: st.DataObject
) -> None:
    values = st.lists(st.sampled_from(tree.leaves), min_size=1, max_size=8)
    p, q = emd.shares(data.draw(values)), emd.shares(data.draw(values))
    order = tree.leaves
    for closed, ground in [
        (emd.emd_equal(p, q), emd.equal_ground()),
        (emd.emd_ordered(p, q, order), emd.ordered_ground(order)),
        (emd.emd_hierarchical(p, q, tree), emd.hierarchical_ground(tree)),
    ]:
        assert 0 <= closed <= 1
        assert isclose(closed, emd.emd_by_transport(p, q, ground), abs_tol=1e-9)


@settings(deadline=None)
@given(small(min_records=1), st.fractions(1, 4, max_denominator=20))
def test_exact_and_floating_entropy_agree_where_it_is_not_close(
    table: RandomTable, bound: Fraction
) -> None:
    level = models.entropy_l(table.rows, table.qid, table.sensitive[0])
    assert level is not None
    if not isclose(level, bound, rel_tol=1e-9):
        verdict = models.is_entropy_l_diverse(table.rows, table.qid, table.sensitive[0], bound)
        assert verdict is (level > bound)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 50])
def test_n_values_once_each_are_exactly_entropy_n_diverse(n: int) -> None:
    rows: list[Row] = [{"s": i} for i in range(n)]
    assert models.is_entropy_l_diverse(rows, [], "s", n)
    assert not models.is_entropy_l_diverse(rows, [], "s", n + Fraction(1, 10**12))


@settings(deadline=None)
@given(small())
def test_entropy_implies_distinct_diversity_which_implies_anonymity(table: RandomTable) -> None:
    s = table.sensitive[0]
    for l in (2, 3):  # noqa: E741
        if models.is_entropy_l_diverse(table.rows, table.qid, s, l):
            assert models.is_distinct_l_diverse(table.rows, table.qid, s, l)
        if models.is_distinct_l_diverse(table.rows, table.qid, s, l):
            assert models.is_k_anonymous(table.rows, [(table.qid, l)])


@settings(deadline=None)
@given(problems())
def test_generalizing_keeps_every_promise_that_holds_without_suppression(problem: Problem) -> None:
    bare = Problem(problem.rows, problem.qid, problem.trees, problem.promises)
    for node in bare.nodes():
        if bare.is_feasible(node):
            for a in bare.qid:
                if node[a] < bare.trees[a].height:
                    assert bare.is_feasible({**node, a: node[a] + 1})


@settings(deadline=None)
@given(problems())
def test_what_is_published_keeps_the_promises(problem: Problem) -> None:
    for node in problem.nodes():
        recoded = problem.generalize(node)
        kept = problem.kept(node)
        assert promises.hold(problem.promises, [recoded[i] for i in kept], problem.qid)
        release = problem.publish(node)
        assert [i for i, record in enumerate(release) if record is not None] == kept


@settings(deadline=None)
@given(problems())
def test_searches_agree_on_what_is_feasible(problem: Problem) -> None:
    feasible = [node for node in problem.nodes() if problem.is_feasible(node)]
    height, lowest = samarati(problem)
    minimal = minimal_nodes(problem)
    path, found = datafly(problem)
    loss = partial(metrics.iloss, trees=problem.trees, qid=problem.qid)
    best, least = exhaustive_optimum(problem, loss)
    assert bool(feasible) == bool(lowest) == bool(minimal) == bool(best)
    if not feasible:
        assert not found
        return
    assert least is not None
    assert all(node in minimal for node in lowest)
    assert all(least <= loss(problem.publish(node)) for node in feasible)
    if found:
        assert path[-1] in feasible
        assert height is not None
        assert height <= sum(path[-1].values())


@settings(deadline=None)
@given(small(min_records=1))
def test_losses_are_zero_at_the_bottom_and_largest_when_all_is_suppressed(
    table: RandomTable,
) -> None:
    problem = Problem(table.rows, table.qid, table.trees, [])
    raw = problem.publish(dict.fromkeys(table.qid, 0))
    top = problem.publish({a: table.trees[a].height for a in table.qid})
    gone = [None] * len(table.rows)
    heights = sum(table.trees[a].height for a in table.qid)
    for mean in (metrics.iloss, metrics.normalized_certainty_penalty):
        assert mean(raw, table.trees, table.qid) == 0
        assert 0 <= mean(top, table.trees, table.qid) <= 1
        assert mean(gone, table.trees, table.qid) == 1
    assert metrics.iloss(top, table.trees, table.qid) == metrics.iloss(
        gone, table.trees, table.qid, suppressed_as_root=True
    )
    n = len(table.rows)
    assert metrics.discernibility(top, table.qid) == metrics.discernibility(gone, table.qid) == n**2
    for release in (top, gone):
        assert metrics.minimal_distortion(release, table.trees, table.qid) == n * heights


@settings(deadline=None)
@given(small())
def test_the_ratios_of_a_column_set_follow_from_its_group_sizes(table: RandomTable) -> None:
    sizes = [len(group) for group in models.groups(table.rows, table.qid).values()]
    n = sum(sizes)
    if n >= 2:
        together = Fraction(sum(comb(size, 2) for size in sizes), comb(n, 2))
        assert qid_search.separation_ratio(table.rows, table.qid) == 1 - together
        assert qid_search.distinct_ratio(table.rows, table.qid) == Fraction(len(sizes), n)
        assert qid_search.unique_share(table.rows, table.qid) == Fraction(sizes.count(1), n)


@settings(deadline=None)
@given(tables(), st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(1)]))
def test_minimal_sets_reach_the_ratio_and_every_set_that_does_holds_one(
    table: RandomTable, bound: Fraction
) -> None:
    found = qid_search.minimal_sets(table.rows, table.qid, qid_search.distinct_ratio, bound)
    for chosen in found:
        assert qid_search.distinct_ratio(table.rows, chosen) >= bound
        assert not any(set(other) < set(chosen) for other in found)
    assert bool(found) == (qid_search.distinct_ratio(table.rows, table.qid) >= bound)


@settings(deadline=None)
@given(tables())
def test_random_tables_are_what_they_say(table: RandomTable) -> None:
    columns = {*table.qid, *table.sensitive, *([table.owner] if table.owner else [])}
    for row in table.rows:
        assert set(row) == columns
        for name in (*table.qid, *table.sensitive):
            assert row[name] in table.trees[name].leaves
    for name, tree in table.trees.items():
        assert (None in tree.leaves) == any(row[name] is None for row in table.rows)
        for level in range(tree.height + 1):
            for label in tree.labels(level):
                places = [tree.leaves.index(v) for v in tree.leaves_under(level, label)]
                assert places == list(range(places[0], places[-1] + 1))


@pytest.mark.parametrize(
    "wanted",
    [
        lambda table: not table.rows,
        lambda table: any(None in row.values() for row in table.rows),
        lambda table: table.owner and len({row["owner"] for row in table.rows}) < len(table.rows),
        lambda table: len(table.qid) == 4 and len(table.sensitive) == 2,
        lambda table: any(tree.height == 3 for tree in table.trees.values()),
        lambda table: any(len(tree.leaves) == 1 for tree in table.trees.values()),
        lambda table: (models.k_anonymity(table.rows, table.qid) or 0) >= 3,
        lambda table: (models.distinct_l(table.rows, table.qid, "s0") or 0) >= 3,
    ],
    ids=["empty", "missing", "owners", "wide", "high", "constant", "3-anonymous", "3-diverse"],
)
def test_random_tables_reach(wanted: Callable[[RandomTable], object]) -> None:
    once = settings(max_examples=2000, phases=[Phase.generate], deadline=None)
    find(tables(), lambda table: bool(wanted(table)), settings=once, random=Random(0))
