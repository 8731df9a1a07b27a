"""Improved greedy: the traces of the thesis, Algorithm 3.1 word by word, and where it ends."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.groups.plain import groups_of
from tests.tables.methods.lattice.by_definition import improved_greedy
from tests.tables.methods.lattice.example import medical_table, run, table_with, thesis_table
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.tables.models.populated import populated, sized
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.lattice.improved_greedy import ImprovedGreedy, Nearness, reached
from unlinkable.tables.methods.lattice.optimal import Optimal
from unlinkable.tables.methods.lattice.shared.survey import Survey
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import (
    DeltaPresence,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    KMap,
    TCloseness,
)
from unlinkable.tables.models.base import All, GroupModel


@pytest.mark.parametrize("limit", [0, 2])
def test_the_trace_of_the_thesis_table(limit: int) -> None:
    expected = load("babu-improved-greedy-table2-1")["expected"][f"m={limit}"]["improved_greedy"]
    table = thesis_table()
    found = run(ImprovedGreedy(), table, [KAnonymity(2)], limit=limit)
    assert found.node is not None
    assert list(found.node.values()) == expected["node"]
    privacy, share = All([KAnonymity(2)]), Fraction(limit, len(table))
    survey = Survey.of(count(table).finest, privacy, Task(table.attributes, ILoss(), share))
    names, distinct = list(found.node), survey.rollup.margins.distinct
    for step, printed in zip(found.trace, expected["trace"], strict=True):
        reached = {}
        for candidate in printed["candidates"]:
            node = tuple(candidate["node"])
            reached[node] = Nearness(survey)(survey.rollup.at(node))
            assert reached[node] == candidate["anonymity"]
        assert {name: distinct[j][printed["from"][j]] for j, name in enumerate(names)} == printed[
            "distinct_values"
        ]
        raised = [b - a for a, b in zip(printed["from"], printed["chosen"], strict=True)]
        assert step.column == names[raised.index(1)]
        assert step.score == reached[tuple(printed["chosen"])] == max(reached.values())
        assert printed["tie"] == (list(reached.values()).count(step.score) > 1)


def test_a_step_of_the_trace_names_the_column_and_its_new_level() -> None:
    found = run(ImprovedGreedy(), thesis_table(), [KAnonymity(2)])
    steps = [(s.column, s.lo, s.hi, s.parts) for s in found.trace]
    assert steps == [
        ("Age", 0, 6, (0, 3)),
        ("Zipcode", 0, 4, (0, 2)),
        ("Gender", 0, 2, (0,)),
    ]


def test_effort_on_the_thesis_table() -> None:
    found = run(ImprovedGreedy(), thesis_table(), [KAnonymity(2)])
    # The bottom, and three neighbours for each of three steps.
    assert found.effort == {"nodes": 18, "checked": 10, "unvisited": 8, "groups": 51}
    assert found.optimal is None


def test_a_table_that_is_anonymous_already_stays_as_it_is() -> None:
    found = run(ImprovedGreedy(), thesis_table(), [KAnonymity(1)])
    assert set(found.node.values() if found.node else ()) == {0}
    assert found.trace == ()
    assert found.effort["checked"] == 1


def test_checks_no_more_nodes_than_theorem_3_2_allows() -> None:
    found = run(ImprovedGreedy(), thesis_table(), [KAnonymity(7)])
    r, h_max = 3, 5
    assert found.effort["checked"] <= r * h_max + 1


def check(setting: Setting) -> None:
    owner = setting.random.owner

    def share(group: Sequence[dict[str, Hashable]]) -> Fraction:
        shares = []
        for model in setting.privacy.models:
            if isinstance(model, KAnonymity):
                n = len({row[owner] for row in group}) if owner else len(group)
                shares.append(Fraction(n, model.k))
            else:
                assert isinstance(model, DistinctLDiversity)
                n = len({row[str(model.sensitive)] for row in group})
                shares.append(Fraction(n, model.l))
        return min(shares)

    path, n_checked = improved_greedy(setting.problem, share)
    if not path:
        with pytest.raises(InfeasibleError):
            setting.search(ImprovedGreedy())
        return
    found = setting.search(ImprovedGreedy())
    assert setting.node(found) == path[-1]
    raised = [next(a for a in one if one[a] < other[a]) for one, other in pairwise(path)]
    assert [step.column for step in found.trace] == raised
    assert found.effort["checked"] == n_checked
    assert setting.is_published_as_expected(found)


@given(settings(kinds="k", several_qids=False))
def test_goes_the_way_that_algorithm_3_1_goes(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="d"))
def test_goes_the_way_that_the_algorithm_goes_for_diversity(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kdert"))
def test_ends_at_a_release_if_it_ends(setting: Setting) -> None:
    try:
        found = setting.search(ImprovedGreedy())
    except InfeasibleError:
        if setting.limit == 0:
            with pytest.raises(InfeasibleError):
                setting.search(Optimal())
        return
    assert setting.problem.is_feasible(setting.node(found))
    assert setting.is_published_as_expected(found)


def test_of_steps_that_reach_the_promise_the_one_that_goes_farthest_is_taken() -> None:
    # Without b there are groups of 2, without a there are groups of 3 and 3.
    rows = [{"a": a, "b": b} for a, b in zip("112233", "xyxyxy", strict=True)]
    trees = {
        "a": Tree({v: (v, "*") for v in "123"}),
        "b": Tree({v: (v, "*") for v in "xy"}),
    }
    found = run(ImprovedGreedy(), table_with(rows, trees), [KAnonymity(2)])
    assert found.node == {"a": 1, "b": 0}
    assert [step.score for step in found.trace] == [3.0]


def test_tells_its_progress() -> None:
    table, told = thesis_table(), []
    task = Task(
        table.attributes, ILoss(), progress=lambda share, words: told.append((share, words))
    )
    ImprovedGreedy().search(count(table).finest, All([KAnonymity(2)]), task)
    assert told == [
        (0.2, "4 nodes checked, 1 of 5 steps up"),
        (0.4, "7 nodes checked, 2 of 5 steps up"),
        (0.6, "10 nodes checked, 3 of 5 steps up"),
    ]


@pytest.mark.parametrize("limit", [0, 3, 7])
def test_fewer_records_than_k_are_an_error_and_not_an_endless_search(limit: int) -> None:
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=8\) needs at least 8 records"):
        run(ImprovedGreedy(), thesis_table(), [KAnonymity(8)], limit=limit)


def test_no_records_are_an_error() -> None:
    table = table_with([], {"a": Tree({"x": ("x", "*")})})
    with pytest.raises(InfeasibleError, match="the table has no records"):
        run(ImprovedGreedy(), table, [KAnonymity(1)])


def test_says_so_if_there_may_be_a_release_off_its_way() -> None:
    # Told by b alone, two pairs are diverse, and the other nine can be left out. But raising b
    # first is a step closer, and then there is no way to leave out those who are all alike.
    rows = [
        {"a": half, "b": str(b), "c": half, "s": "u" if b < 19 else s}
        for b in range(10, 21)
        for half, s in (("x", "v"), ("y", "w"))
    ]
    flat = {name: sorted({row[name] for row in rows}) for name in "abc"}
    trees = {name: Tree({v: (v, "*") for v in values}) for name, values in flat.items()}
    table = table_with(rows, trees, sensitive=["s"])
    diverse: list[GroupModel] = [EntropyLDiversity(2, sensitive="s")]
    with pytest.raises(InfeasibleError, match=r"found no release on its way .* method optima"):
        run(ImprovedGreedy(), table, diverse, limit=18)
    assert run(Optimal(), table, diverse, limit=18).node == {"a": 1, "b": 0, "c": 1}


def test_refuses_a_promise_that_merging_breaks() -> None:
    with pytest.raises(UnsupportedError, match=r"improved-greedy needs a promise that survives"):
        run(ImprovedGreedy(), thesis_table(), [AtMost(2)])


def test_serves_closeness_with_suppression() -> None:
    model = TCloseness("0.5", sensitive="Disease")
    found = run(ImprovedGreedy(), medical_table(), [model], limit=1)
    assert found.partition.n_suppressed <= 1


def survey_of(table: Table, models: list[GroupModel], share: str = "0") -> Survey:
    privacy = All(models)
    task = Task(table.attributes, ILoss(), Fraction(share))
    return Survey.of(count(table, privacy.needs()).finest, privacy, task)


def test_the_smallest_class_of_every_node_of_the_thesis_table() -> None:
    survey = survey_of(thesis_table(), [KAnonymity(2)])
    nearness = Nearness(survey)
    found = {
        "".join(map(str, node)): nearness(survey.rollup.at(node)) for node in survey.lattice.nodes()
    }
    expected = load("babu-improved-greedy-table2-1")["expected"]["smallest_class_by_node"]
    assert found == expected


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.data())
def test_the_smallest_groups_are_dropped_while_they_may_be(
    sizes: list[int], data: st.DataObject
) -> None:
    limit = data.draw(st.integers(0, sum(sizes) - 1))
    left, expected = limit, 0
    for size in sorted(sizes):
        expected = size
        if size > left:
            break
        left -= size
    assert reached(KAnonymity(2), sized(sizes), limit) == expected


def test_where_lower_is_safer_the_largest_level_counts() -> None:
    groups = groups_of([[2, 0], [1, 1], [0, 4]])
    model = TCloseness("0.3", sensitive="s")
    levels = model.level(groups).tolist()
    assert reached(model, groups, 0) == -max(levels)
    # The first group is the farthest from the whole, and has two records.
    assert levels[0] == max(levels)
    assert reached(model, groups, 1) == -levels[0]
    assert reached(model, groups, 2) == -sorted(levels)[1]


def test_the_worst_that_any_adversary_may_see_counts() -> None:
    # All four groups are alone, but there are two of each value on either column.
    keys = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.int32)
    groups: Groups = evolve(sized([1, 1, 1, 1]), columns=("a", "b"), keys=keys)
    assert reached(KAnonymity(2), groups, 0) == 1
    assert reached(KAnonymity(2, qid=("b",)), groups, 0) == 2


def test_groups_without_records_count_if_the_promise_is_about_them() -> None:
    groups = populated([(2, 4), (0, 1)])
    assert reached(KMap(2, population="people"), groups, 0) == 4
    # One person who looks like no record is absent for sure, and cannot be left out.
    presence = DeltaPresence("0.1", "0.5", population="people")
    assert reached(presence, groups, 1) == -np.inf


def test_of_several_promises_the_one_that_is_farthest_from_being_kept_counts() -> None:
    table = medical_table()
    node = (1, 2)
    alone = {}
    for model in (KAnonymity(3), DistinctLDiversity(4, sensitive="Disease")):
        survey = survey_of(table, [model])
        alone[model.name] = Nearness(survey)(survey.rollup.at(node))
    both = survey_of(table, [KAnonymity(3), DistinctLDiversity(4, sensitive="Disease")])
    expected = min(alone["k-anonymity"] / 3, alone["distinct-l-diversity"] / 4)
    assert Nearness(both)(both.rollup.at(node)) == expected < 1


@pytest.mark.parametrize(("t", "share"), [("0", 0.0), ("0.5", None)])
def test_a_bound_that_is_lower_if_safer_is_divided_by_what_is_reached(
    t: str, share: float | None
) -> None:
    models: list[GroupModel] = [KAnonymity(1), TCloseness(t, sensitive="Disease")]
    survey = survey_of(medical_table(), models)
    top = survey.rollup.at(survey.lattice.top)
    assert Nearness(survey)(top) == 6.0  # nothing is farther from the whole than nothing
    bottom = survey.rollup.at(survey.lattice.bottom)
    level = -Nearness(survey_of(medical_table(), models[1:]))(bottom)
    assert Nearness(survey)(bottom) == (min(0.5 / level, 1.0) if share is None else share)
