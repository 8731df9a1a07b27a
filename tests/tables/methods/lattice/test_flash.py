"""Flash: the printed search, and that the order of columns has no influence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.strategies import RandomTable
from tests.tables.methods.lattice.by_definition import LiteralFlash
from tests.tables.methods.lattice.example import medical_table, run, table_with, thesis_table
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.witness.methods import minimal_nodes
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.lattice.flash import Flash, StableOrder
from unlinkable.tables.methods.lattice.optimal import Optimal
from unlinkable.tables.methods.lattice.shared.survey import Survey
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import EntropyLDiversity, KAnonymity, TCloseness
from unlinkable.tables.models.base import All


def test_all_minimal_releases_of_the_thesis_table() -> None:
    found = run(Flash(), thesis_table(), [KAnonymity(2)])
    assert [tuple(node.values()) for node in found.alternatives] == [(1, 1, 1), (2, 0, 2)]
    assert found.node == {"Age": 1, "Gender": 1, "Zipcode": 1}
    assert found.optimal


def test_the_three_anonymous_release_of_table_20_3_is_minimal() -> None:
    case = load("aggarwal-table20-3-three-anonymous")
    found = run(Flash(), medical_table(), [KAnonymity(3)])
    assert case["input"]["node"] in map(dict, found.alternatives)


def test_effort_on_the_thesis_table() -> None:
    found = run(Flash(), thesis_table(), [KAnonymity(2)])
    assert found.effort == {
        "nodes": 18,
        "checked": 10,
        "implied_above": 1,
        "pruned_below": 7,
        "groups": 57,
        "paths": 5,
    }


def test_the_order_of_nodes_of_the_thesis_table() -> None:
    table = thesis_table()
    survey = Survey.of(count(table).finest, All([KAnonymity(2)]), Task(table.attributes, ILoss()))
    order = StableOrder.of(survey)
    # Age and code go up one of two levels, gender one of one. Of 6 ages 2 are left, of 4 codes 2.
    assert sorted([(0, 1, 0), (1, 0, 0), (0, 0, 1)], key=order.rank) == [
        (0, 0, 1),
        (1, 0, 0),
        (0, 1, 0),
    ]
    assert order.by_name == [0, 1, 2]


def check(setting: Setting) -> None:
    problem = setting.problem
    expected = minimal_nodes(problem)
    if not expected:
        with pytest.raises(InfeasibleError):
            setting.search(Flash())
        return
    found = setting.search(Flash())
    literal = LiteralFlash(problem)
    minimal = sorted(literal.run(), key=literal.criteria)
    assert [tuple(node.values()) for node in found.alternatives] == minimal
    assert sorted(minimal) == [tuple(node.values()) for node in expected]
    assert found.effort["checked"] == len(literal.checked)
    assert setting.is_published_as_expected(found)
    if setting.limit == 0:
        assert found.optimal
        best = setting.search(Optimal())
        assert sum(setting.node(found).values()) == sum(setting.node(best).values())


@given(settings(kinds="kdert", suppression=False))
def test_checks_what_the_printed_search_checks(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kd"))
def test_checks_what_the_printed_search_checks_with_suppression(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kd"), st.data())
def test_the_order_of_columns_has_no_influence(setting: Setting, data: st.DataObject) -> None:
    random = setting.random
    qid = tuple(data.draw(st.permutations(random.qid)))
    other = Setting(
        RandomTable(random.rows, qid, random.sensitive, random.trees, random.owner),
        setting.promised,
        setting.metric,
        setting.limit,
    )
    try:
        one = setting.search(Flash())
    except InfeasibleError:
        with pytest.raises(InfeasibleError):
            other.search(Flash())
        return
    same = other.search(Flash())
    assert same.node == one.node
    assert same.optimal == one.optimal
    assert [dict(node) for node in same.alternatives] == [dict(node) for node in one.alternatives]
    counts = ("nodes", "checked", "implied_above", "pruned_below", "paths")
    assert [same.effort[name] for name in counts] == [one.effort[name] for name in counts]


def test_columns_that_differ_in_nothing_but_their_names_are_told_apart_by_these() -> None:
    tree = Tree({v: (v, "*") for v in "xy"})
    rows = [{"a": a, "b": b} for a in "xy" for b in "xy"]
    for trees in ({"a": tree, "b": tree}, {"b": tree, "a": tree}):
        found = run(Flash(), table_with(rows, trees), [KAnonymity(2)])
        assert found.node == {"a": 0, "b": 1}
        assert [dict(node) for node in found.alternatives] == [{"a": 0, "b": 1}, {"a": 1, "b": 0}]


@pytest.mark.parametrize(
    "model", [EntropyLDiversity(2, sensitive="Disease"), TCloseness(0.5, sensitive="Disease")]
)
def test_refuses_suppression_where_tags_would_be_wrong(
    model: EntropyLDiversity | TCloseness,
) -> None:
    with pytest.raises(UnsupportedError, match=r"flash with suppression .* use the method optimal"):
        run(Flash(), medical_table(), [model], limit=1)


def test_refuses_a_promise_that_merging_breaks() -> None:
    with pytest.raises(UnsupportedError, match=r"flash needs a promise that survives merging"):
        run(Flash(), thesis_table(), [AtMost(2)])


def test_says_what_is_missing_if_there_is_no_release() -> None:
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=8\) needs at least 8 records"):
        run(Flash(), thesis_table(), [KAnonymity(8)])
