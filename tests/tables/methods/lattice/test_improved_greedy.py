"""Improved greedy: the traces of the thesis, Algorithm 3.1 word by word, and where it ends."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given

from tests.cases import load
from tests.tables.methods.lattice.by_definition import improved_greedy
from tests.tables.methods.lattice.example import medical_table, run, table_with, thesis_table
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.lattice.improved_greedy import ImprovedGreedy
from unlinkable.tables.methods.lattice.optimal import Optimal
from unlinkable.tables.methods.lattice.shared.nearness import Nearness
from unlinkable.tables.methods.lattice.shared.survey import Survey
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import DistinctLDiversity, EntropyLDiversity, KAnonymity, TCloseness
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
