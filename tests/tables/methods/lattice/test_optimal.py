"""Optimal: nothing loses less, whatever is promised and however loss is measured."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.methods.lattice.example import medical_table, run, table_with, thesis_table
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.witness.methods import exhaustive_optimum
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError, ParameterError
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods import MinGen, Optimal
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.lattice.shared import box_search
from unlinkable.tables.methods.lattice.shared.lattice import Lattice
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.metrics import AverageClassSize, ILoss, MinimalDistortion
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All


@frozen
class Opaque(GroupMetric):
    """A metric of which nothing is known but its values."""

    name = "opaque"
    reference = "none"

    def value(self, shown: Shown) -> float:
        return ILoss().value(shown)


def check(setting: Setting) -> None:
    nodes, least = exhaustive_optimum(setting.problem, setting.plain_metric)
    if least is None:
        with pytest.raises(InfeasibleError):
            setting.search(Optimal())
        with pytest.raises(InfeasibleError):
            setting.search(MinGen())
        return
    found = setting.search(Optimal())
    # Where leaving out a group that could stay may pay, that must be ruled out first.
    assert found.optimal or not (setting.limit == 0 or setting.metric.monotone)
    node = setting.node(found)
    assert node in nodes
    problem = setting.problem
    rank = {id(n): (problem.n_suppressed(n), sum(n.values()), tuple(n.values())) for n in nodes}
    assert node == min(nodes, key=lambda n: rank[id(n)])
    assert setting.is_published_as_expected(found)
    shown = Shown.of(found.partition, setting.task.attributes)
    assert setting.metric.value(shown) == pytest.approx(float(least), rel=1e-12)
    effort = found.effort
    assert effort["checked"] + effort["bounded"] + effort["pruned_below"] == effort["nodes"]
    witness = setting.search(MinGen())
    assert setting.node(witness) == node


@given(settings())
def test_equals_exhaustive_search(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="k"))
def test_equals_exhaustive_search_for_k_anonymity(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kt", suppression=False))
def test_equals_exhaustive_search_where_groups_are_compared_with_the_rest(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kd", metric=[AverageClassSize(k=2)]))
def test_equals_exhaustive_search_for_a_metric_that_suppression_improves(setting: Setting) -> None:
    check(setting)


def test_the_thesis_table() -> None:
    found = run(Optimal(), thesis_table(), [KAnonymity(2)])
    assert found.node == {"Age": 1, "Gender": 1, "Zipcode": 1}
    assert found.effort == {
        "nodes": 18,
        "checked": 8,
        "bounded": 4,
        "pruned_below": 6,
        "groups": 52,
    }


def test_table_20_1_is_published_as_in_table_20_3() -> None:
    case = load("aggarwal-table20-3-three-anonymous")
    table = medical_table()
    found = run(Optimal(), table, [KAnonymity(3)])
    assert found.node is not None
    assert found.node == case["input"]["node"]
    rows = case["expected"]["table"]["rows"]
    names = {(row[1], row[2]) for row in rows}
    assert found.node is not None
    shown = {
        tuple(
            (attribute.taxonomy.levels[level].labels or ())[
                attribute.taxonomy.levels[level].blocks[found.partition.lo[g, j]]
            ]
            for j, (attribute, level) in enumerate(
                zip(table.attributes, found.node.values(), strict=True)
            )
        )
        for g in range(found.partition.n_parts)
    }
    assert shown == names


def test_checks_every_node_if_merging_breaks_the_promise_and_nothing_is_known_of_the_metric() -> (
    None
):
    found = run(Optimal(), thesis_table(), [AtMost(3)], limit=6, metric=Opaque())
    assert found.effort["checked"] == found.effort["nodes"] == 18
    assert not found.optimal
    whole = run(Optimal(), thesis_table(), [AtMost(12)], metric=Opaque())
    assert whole.effort["checked"] == 18
    assert whole.optimal


def test_a_promise_that_merging_breaks_is_bounded_by_the_others() -> None:
    table = thesis_table()
    found = run(Optimal(), table, [AtMost(4), KAnonymity(2)], limit=3)
    assert found.node == run(MinGen(), table, [AtMost(4), KAnonymity(2)], limit=3).node
    assert found.effort["checked"] < found.effort["nodes"]


def test_weights_and_importance_count() -> None:
    # The last record is alone on b. Losing it costs 1/5, and 3/7 by weight; losing b costs 1/4 if
    # both attributes count the same, and nearly 1/2 if b is nearly all that counts.
    values = [("0", "x", 1), ("0", "x", 1), ("1", "x", 1), ("1", "x", 1), ("1", "y", 3)]
    rows = [dict(zip("abw", row, strict=True)) for row in values]
    flat = Tree({"0": ("0", "*"), "1": ("1", "*")}), Tree({"x": ("x", "*"), "y": ("y", "*")})
    trees = dict(zip("ab", flat, strict=True))
    plain = table_with(rows, trees)
    assert run(Optimal(), plain, [KAnonymity(2)], limit=1).node == {"a": 0, "b": 0}
    heavy = table_with(rows, trees, weight="w")
    assert run(Optimal(), heavy, [KAnonymity(2)], limit=1).node == {"a": 0, "b": 1}
    important = table_with(rows, trees, weight="w", importance={"a": 1, "b": 100})
    assert run(Optimal(), important, [KAnonymity(2)], limit=1).node == {"a": 0, "b": 0}


@given(settings(kinds="kdt"), st.data())
def test_equals_all_partitions_measured_one_by_one_with_weights(
    setting: Setting, data: st.DataObject
) -> None:
    n = len(setting.random.rows)
    weight = st.floats(0.25, 8.0, allow_nan=False)
    weights = data.draw(st.lists(weight, min_size=n, max_size=n))
    importance = {a: data.draw(st.sampled_from([1.0, 0.5, 3.0])) for a in setting.random.qid}
    rows = [{**row, "w": w} for row, w in zip(setting.random.rows, weights, strict=True)]
    trees = {a: setting.random.trees[a] for a in setting.random.qid}
    table = table_with(
        rows,
        trees,
        sensitive=setting.random.sensitive,
        owner=setting.random.owner,
        weight="w",
        importance=importance,
    )
    metric = data.draw(st.sampled_from([ILoss(), MinimalDistortion()]))
    finest = count(table, setting.privacy.needs()).finest
    losses = []
    for node in Lattice.of(table.attributes).nodes():
        whole = Partition.at_levels(finest, table.attributes, node)
        keep = kept(whole.groups(), setting.privacy)
        part = whole.suppress(~keep)
        if part.n_suppressed <= setting.limit and keep.any():
            losses.append(metric.value(Shown.of(part, table.attributes)))
    if not losses:
        with pytest.raises(InfeasibleError):
            run(Optimal(), table, setting.privacy.models, limit=setting.limit, metric=metric)
        return
    found = run(Optimal(), table, setting.privacy.models, limit=setting.limit, metric=metric)
    loss = metric.value(Shown.of(found.partition, table.attributes))
    assert loss == pytest.approx(min(losses), rel=1e-11)


def test_one_record_is_a_release_of_itself() -> None:
    table = table_with([{"a": "x"}], {"a": Tree({"x": ("x", "*")})})
    found = run(Optimal(), table, [KAnonymity(1)])
    assert found.node == {"a": 0}
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=2\) needs at least 2 records"):
        run(Optimal(), table, [KAnonymity(2)])


def test_no_records_are_an_error() -> None:
    table = table_with([], {"a": Tree({"x": ("x", "*")})})
    with pytest.raises(InfeasibleError, match="the table has no records"):
        run(Optimal(), table, [KAnonymity(1)])


def test_a_release_of_nothing_is_none() -> None:
    table = table_with([{"a": "x"}, {"a": "y"}], {"a": Tree({v: (v, "*") for v in "xy"})})
    with pytest.raises(InfeasibleError, match=r"needs at least 3 records, and the table has 2"):
        run(Optimal(), table, [KAnonymity(3)], limit=2)


def binary_table(n_columns: int, n_records: int, rare: float = 0.3) -> Table:
    bits = np.random.default_rng(7).random((n_records, n_columns)) < rare
    names = [f"c{j}" for j in range(n_columns)]
    rows = [dict(zip(names, map(str, row.astype(int)), strict=True)) for row in bits]
    return table_with(rows, {name: Tree({v: (v, "*") for v in "01"}) for name in names})


def test_twenty_attributes_of_height_1() -> None:
    found = run(Optimal(), binary_table(20, 1000, rare=0.02), [KAnonymity(3)], limit=50)
    assert found.optimal
    assert found.effort == {
        "nodes": 1 << 20,
        "checked": 211,
        "bounded": (1 << 20) - 211,
        "pruned_below": 0,
        "groups": 9544,
    }


def test_ninety_attributes_do_not_fit_into_one_word_and_the_search_can_be_stopped() -> None:
    table = binary_table(90, 60)
    found = run(Optimal(steps=300), table, [KAnonymity(2)], limit=12)
    assert found.optimal is False
    assert found.effort["nodes"] == 1 << 90
    assert found.effort["checked"] == 300
    assert found.node is not None
    assert sum(found.node.values()) < 90
    groups = found.partition.groups()
    assert groups.sizes.min() >= 2
    assert found.partition.n_suppressed <= 12


def test_the_first_step_is_a_release_already() -> None:
    found = run(Optimal(steps=1), thesis_table(), [KAnonymity(2)])
    assert found.node == {"Age": 2, "Gender": 1, "Zipcode": 2}
    assert found.optimal is False


def test_more_steps_are_never_worse() -> None:
    table = binary_table(8, 120)
    losses = []
    for steps in (1, 3, 10, 30, 100):
        found = run(Optimal(steps=steps), table, [KAnonymity(3)], limit=12)
        losses.append(ILoss().value(Shown.of(found.partition, table.attributes)))
    assert losses == sorted(losses, reverse=True)
    best = run(Optimal(), table, [KAnonymity(3)], limit=12)
    assert ILoss().value(Shown.of(best.partition, table.attributes)) == losses[-1]


def test_stops_when_time_is_up() -> None:
    found = run(Optimal(time=1e-9), binary_table(14, 200), [KAnonymity(3)])
    assert found.optimal is False


def test_says_so_if_it_was_stopped_before_it_found_anything() -> None:
    with pytest.raises(
        InfeasibleError, match=r"optimal\(steps=2\) was stopped .* after 2 of 18 nodes: allow more"
    ):
        run(Optimal(steps=2), thesis_table(), [AtMost(1)], limit=2)


def test_tells_its_progress_and_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_search, "_OFTEN", -1.0)
    table = thesis_table()
    told: list[float] = []

    def stop(share: float, words: str) -> None:
        told.append(share)
        assert "of 18 nodes checked" in words
        if len(told) == 5:
            raise KeyboardInterrupt

    task = Task(table.attributes, ILoss(), progress=stop)
    with pytest.raises(KeyboardInterrupt):
        Optimal().search(count(table).finest, All([KAnonymity(2)]), task)
    assert told == sorted(told)
    assert 0 <= told[0] <= told[-1] <= 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"steps": 0}, "steps must be at least 1, got 0"),
        ({"time": 0}, "time must be a number of seconds above 0, got 0"),
    ],
)
def test_refuses_limits_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Optimal(**parameters)


# Levels that somebody has chosen


@given(settings(), st.data())
def test_chosen_levels_are_published_just_if_they_are_a_release(
    setting: Setting, data: st.DataObject
) -> None:
    lattice = Lattice.of(setting.task.attributes)
    node = data.draw(st.sampled_from(sorted(lattice.nodes())))
    names = [attribute.name for attribute in setting.task.attributes]
    wanted = dict(zip(names, node, strict=True))
    chosen = Optimal(levels=node)
    if setting.problem.is_feasible(wanted):
        found = setting.search(chosen)
        assert found.node == wanted
        assert found.optimal is None
        assert setting.is_published_as_expected(found)
    else:
        with pytest.raises(InfeasibleError, match=r"at these levels, more than|no records"):
            setting.search(chosen)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([], "levels must be whole numbers from 0 on, got \\[\\]"),
        ([-1, 0], "levels must be whole numbers from 0 on"),
        ([True, 0], "levels must be whole numbers from 0 on"),
        ([0.5, 0], "levels must be whole numbers from 0 on"),
    ],
)
def test_levels_that_mean_nothing_are_refused(levels: list[int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Optimal(levels=levels)


@pytest.mark.parametrize("levels", [[0], [0, 0, 0, 0], [99, 0, 0]])
def test_levels_that_the_table_does_not_have_are_refused(levels: list[int]) -> None:
    with pytest.raises(ParameterError, match="give one for each of them"):
        run(Optimal(levels=levels), medical_table(), [KAnonymity(1)])
